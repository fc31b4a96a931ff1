import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..', '..')

/** A file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** A compose file of the repository. */
export function readCompose(path: string) {
  // As many aliases as it likes: the file is our own. Tags of Compose's own are no error.
  return parse(readText(path), { merge: true, maxAliasCount: -1, logLevel: 'error' })
}

/** All first groups of a pattern in a text, each once. */
export function findAll(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
}
