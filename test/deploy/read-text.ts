import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A file of the repository, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Every variable that a process reads its configuration from, as src/config/config.ts names them. */
export function configuredNames(): string[] {
  const [, schema = ''] =
    /const environment = z\s*\.object\(\{([\s\S]*?)\n {2}\}\)/.exec(
      readText('src/config/config.ts'),
    ) ?? []
  return [...schema.matchAll(/^ {4}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name)
}

/** All first groups of a pattern in a text, each once. */
export function findAll(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
}
