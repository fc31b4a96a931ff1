import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** All first groups of a pattern in a text, each once. */
export function findAll(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
}
