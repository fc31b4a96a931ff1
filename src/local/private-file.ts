import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** For its owner only; readers see the new content or the old, never a part. */
export function writePrivateJson(file: string, value: unknown): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, file)
}

/** Undefined where there is no such file or no JSON in it. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isAbsent || error instanceof SyntaxError) return undefined
    throw error
  }
}
