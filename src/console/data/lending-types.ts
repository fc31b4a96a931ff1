import type { Client } from '../../client/index.ts'

export type Statement = Awaited<ReturnType<Client['getStatement']>>
export type Levels = Awaited<ReturnType<Client['getMarginLevels']>>
export type Preview = Awaited<ReturnType<Client['previewFacility']>>
export type PreviewActs = NonNullable<Parameters<Client['previewFacility']>[1]>
