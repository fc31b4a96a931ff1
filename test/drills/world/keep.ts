import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Child } from '../../../src/local/child.ts'
import type { KeeperMessage } from '../../faults/actors/keeper.ts'

/** A drill's folder, and everything that ends with the drill, however that ends. */
export type Keep = AsyncDisposable & {
  folder: string
  /** Is killed at the end. */
  note(child: Child): void
  use<T extends AsyncDisposable>(resource: T): T
  defer(end: () => Promise<unknown>): void
  /** Leaves logs and data where they are, to be read later. */
  keepData(): void
}

export function openKeep(name: string): Keep {
  const folder = mkdtempSync(join(tmpdir(), `lending-service-drill-${name}-`))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  const script = new URL('../../faults/actors/keeper.ts', import.meta.url)
  const keeper = fork(fileURLToPath(script), [folder], { execArgv: [], detached: true })
  const notify = (message: KeeperMessage) => keeper.send(message)
  const owned = new AsyncDisposableStack()
  return {
    folder,
    note: ({ identity }) => void notify({ started: identity }),
    use: (resource) => owned.use(resource),
    defer: (end) => owned.defer(async () => void (await end())),
    keepData: () => void notify({ keepData: true }),
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync()
      const ended = once(keeper, 'exit')
      keeper.disconnect()
      await ended
    },
  }
}

/** A part of the same drill with files of its own, as each cell has. */
export function openPart(keep: Keep, name: string): Keep {
  const folder = join(keep.folder, name)
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  return { ...keep, folder }
}
