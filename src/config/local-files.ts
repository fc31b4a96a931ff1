import { join } from 'node:path'

/** The local stack's ERASED_FILE. */
export const localErasedFile = (folder: string) => join(folder, 'erased.jsonl')
