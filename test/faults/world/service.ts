import { type Child, startChild } from '../../../src/local/child.ts'
import type { ProcessIdentity } from '../../../src/local/process-identity.ts'
import { ALLOCATOR, NODE_FLAGS } from '../../../src/local/process-options.ts'

/** A process of the stack that faults are done to. */
export type Service = {
  name: string
  /** Starts it again after a kill; resolves when it runs, which is before it is ready. */
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  pause(): void
  goOn(): void
}

/** A service that is never paused. */
export type Restarted = Pick<Service, 'name' | 'start' | 'kill'>

export type ServiceEvents = {
  /** Receives each process that is started. */
  onStarted(identity: ProcessIdentity): void
  /** Receives each process that ended without being killed by the run. */
  onDied(name: string, how: string): void
}

/** Wraps the starting of a process, of which `run` counts how often it was started. */
export function createService(
  name: string,
  run: (count: number) => Promise<Child>,
  events: ServiceEvents,
): Service {
  let child: Child | undefined
  let count = 0
  let starting: Promise<void> | undefined
  const begin = async () => {
    if (child) return
    count += 1
    const started = await run(count)
    child = started
    events.onStarted(started.identity)
    void started.ended.then((how) => {
      if (child !== started) return
      child = undefined
      events.onDied(name, how)
    })
  }
  const signal = (kind: NodeJS.Signals) => {
    if (child) process.kill(child.identity.pid, kind)
  }
  return {
    name,
    async start() {
      starting ??= begin().finally(() => {
        starting = undefined
      })
      await starting
    },
    async kill() {
      await starting
      const killed = child
      if (!killed) return
      signal('SIGKILL')
      // From here on its end is our doing.
      child = undefined
      await killed.ended
    },
    pause: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
  }
}

/** Starts one of our own processes, with the log of each start in a file of its own. */
export async function startProcess(
  name: string,
  script: string,
  logFile: string,
  env: Record<string, string>,
): Promise<Child> {
  return await startChild({
    name,
    command: process.execPath,
    args: [...NODE_FLAGS, script],
    logFile,
    env: { ...process.env, ...ALLOCATOR, NODE_ENV: 'production', ...env },
    stopSignal: 'SIGTERM',
    stopSeconds: 30,
  })
}
