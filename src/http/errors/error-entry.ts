import type { ErrorCode } from '../../core/errors.ts'

export type ErrorEntry = { status: number; title: string; cause: string; cure: string }

export type ErrorEntries = Partial<Record<ErrorCode, ErrorEntry>>
