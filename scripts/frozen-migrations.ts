import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the form of `sha256sum`: a line a migration. */
const LIST = 'frozen.sha256'

export type Frozen = {
  /** Migrations of the list that are no longer as they were, or gone. */
  broken: string[]
  /** Migrations that the list lacks. */
  added: string[]
  /** The list with them. */
  list: string
}

/** Compares the migrations of a folder with its list. A migration that has run somewhere never changes. */
export function readFrozen(folder: string): Frozen {
  const list = readFileSync(join(folder, LIST), 'utf8')
  const listed = new Map(
    [...list.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash, file]) => [file, hash]),
  )
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  const found = new Map(files.sort().map((file) => [file, hashOf(join(folder, file))]))
  const added = [...found].filter(([file]) => !listed.has(file))
  return {
    broken: [...listed.keys()].flatMap((file = '') =>
      found.get(file) === listed.get(file) ? [] : [file],
    ),
    added: added.map(([file]) => file),
    list: list + added.map(([file, hash]) => `${hash}  ${file}\n`).join(''),
  }
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
