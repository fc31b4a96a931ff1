import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../../../src/local/child.ts'
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
} from '../../../src/local/process-identity.ts'
import type { ServiceEvents } from '../../support/world/keep.ts'
import { createService, type Service } from '../../support/world/service.ts'

/** An API or a worker: one process, or a parent and the processes that it runs. */
export type Command = Service & {
  /** Those of a parent, each alone: killed, it is started by the parent. Empty where there is none. */
  processes: readonly Service[]
  /** Resolves to their number once those whose parent was killed have ended by themselves. */
  untilOrphansEnded(): Promise<number>
  /** Processes that ended though their parent lived and the run did nothing to them. */
  findDeaths(): string[]
}

const PATIENCE_MS = 60_000

/** `count` processes a start, of which `run` starts one or the parent of several. */
export function createCommand(
  name: string,
  count: number,
  run: (start: number) => Promise<Child>,
  events: ServiceEvents,
): Command {
  const starts: Child[] = []
  const service = createService(
    name,
    async (start) => {
      const child = await run(start)
      starts.push(child)
      return child
    },
    events,
  )
  const none = { processes: [], untilOrphansEnded: async () => 0, findDeaths: () => [] }
  if (count === 1) return { ...service, ...none }

  /** What the run has killed or stopped, which may then be replaced. */
  const disturbed = new Set<number>()
  const findRunning = () => {
    const last = starts.at(-1)
    return last ? findStarted(last.logFile) : new Map<number, ProcessIdentity>()
  }
  // The run's keeper must end what is still stopped, or outlives its parent, when the run ends.
  const note = (process: ProcessIdentity) => {
    disturbed.add(process.pid)
    events.onStarted(process)
  }
  let orphans: ProcessIdentity[] = []
  let stopped: number | undefined

  function createProcess(place: number): Service {
    let last: ProcessIdentity | undefined
    const signal = (kind: NodeJS.Signals) => {
      last = findRunning().get(place)
      if (!last) return
      note(last)
      process.kill(last.pid, kind)
    }
    return {
      name: `process ${place} of ${name}`,
      async start() {
        const isReplaced = () => {
          const running = findRunning().get(place)
          return running !== undefined && running.pid !== last?.pid
        }
        await until(isReplaced, `process ${place} of ${name} was not replaced`)
      },
      kill: async () => signal('SIGKILL'),
      pause: () => signal('SIGSTOP'),
      // Its parent may have replaced it.
      goOn: () => void (last && isAlive(last) && process.kill(last.pid, 'SIGCONT')),
    }
  }

  return {
    ...service,
    processes: Array.from({ length: count }, (_, at) => createProcess(at + 1)),
    async kill() {
      const running = [...findRunning().values()]
      for (const process of running) note(process)
      orphans.push(...running)
      await service.kill()
    },
    async untilOrphansEnded() {
      const all = orphans
      orphans = []
      await until(() => !all.some(isAlive), `processes of ${name} outlived their parent`)
      return all.length
    },
    pause() {
      const parent = starts.at(-1)?.identity
      if (!parent || !isAlive(parent)) return
      for (const process of findRunning().values()) note(process)
      stopped = parent.pid
      signalGroup(stopped, 'SIGSTOP')
    },
    goOn() {
      if (stopped !== undefined) signalGroup(stopped, 'SIGCONT')
    },
    findDeaths: () =>
      starts.flatMap(({ logFile }) =>
        readLines(logFile)
          .filter(({ msg, pid = 0 }) => ENDED.test(msg) && !disturbed.has(pid))
          .map((line) => `a process of ${name} ended by itself: ${JSON.stringify(line)}`),
      ),
  }
}

/** What a parent logs of its processes. */
type Line = { msg: string; process?: number; pid?: number }

const ENDED = /^process end/

function readLines(logFile: string): Line[] {
  const lines = readFileSync(logFile, 'utf8').split('\n')
  // The last line may not be whole.
  const ofProcesses = lines.filter((line) => line.includes('"msg":"process ') && line.endsWith('}'))
  return ofProcesses.map((line) => JSON.parse(line) as Line)
}

/** By place, those that are ready and still run. */
function findStarted(logFile: string): Map<number, ProcessIdentity> {
  const started = new Map<number, ProcessIdentity>()
  for (const { msg, process: place = 0, pid = 0 } of readLines(logFile)) {
    if (msg !== 'process started') continue
    started.delete(place)
    const identity = identifyProcess(pid)
    if (identity) started.set(place, identity)
  }
  return started
}

/** A parent and all that it has started: the scheduler of a container stops them together. */
function signalGroup(leader: number, kind: NodeJS.Signals): void {
  try {
    process.kill(-leader, kind)
  } catch {
    // All have been killed meanwhile.
  }
}

async function until(isSo: () => boolean, orElse: string): Promise<void> {
  for (const limit = Date.now() + PATIENCE_MS; !isSo(); await pause(50)) {
    if (Date.now() > limit) throw new Error(`${orElse} after a minute`)
  }
}
