import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Writes JSON that only its owner may read; whoever reads the file finds all of it or the old. */
export function writePrivateJson(file: string, value: unknown): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, file)
}

/** The JSON in a file, or undefined when there is no such file or no JSON in it. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isAbsent || error instanceof SyntaxError) return undefined
    throw error
  }
}
