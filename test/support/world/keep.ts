import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProcessIdentity } from '../../../src/local/process-identity.ts'
import type { KeeperMessage } from './keeper.ts'

/** What the processes of a run report of themselves. */
export type ServiceEvents = {
  /** Receives each process that is started. */
  onStarted(identity: ProcessIdentity): void
  /** Receives each process that ended without being killed by the run. */
  onDied(name: string, how: string): void
}

/** The folder of a run, and everything that ends with it, however it ends: what was started is killed. */
export type Keep = AsyncDisposable &
  ServiceEvents & {
    folder: string
    /** Processes that ended by themselves. */
    deaths: string[]
    /** Unmounts it when the processes have ended. */
    onMounted(folder: string): void
    use<T extends AsyncDisposable | Disposable>(resource: T): T
    defer(end: () => unknown): void
    /** Leaves logs and data where they are, to be read later. */
    keepData(): void
  }

export function openKeep(name: string): Keep {
  const folder = mkdtempSync(join(tmpdir(), `lending-service-${name}-`))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  const script = fileURLToPath(new URL('./keeper.ts', import.meta.url))
  const keeper = fork(script, [folder], { execArgv: [], detached: true })
  const notify = (message: KeeperMessage) => void keeper.send(message)
  const owned = new AsyncDisposableStack()
  const deaths: string[] = []
  return {
    folder,
    deaths,
    onStarted: (started) => notify({ started }),
    onMounted: (mounted) => notify({ mounted }),
    onDied: (process, how) => void deaths.push(`${process} ended by itself: ${how}`),
    use: (resource) => owned.use(resource),
    defer: (end) => owned.defer(async () => void (await end())),
    keepData: () => notify({ keepData: true }),
    async [Symbol.asyncDispose]() {
      try {
        await owned.disposeAsync()
      } finally {
        const ended = once(keeper, 'exit')
        keeper.disconnect()
        await ended
      }
    },
  }
}
