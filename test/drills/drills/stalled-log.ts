import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Keep } from '../../support/world/keep.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { openStack, type Stack } from '../world/stack.ts'
import { replaceApis, replaceWorkers } from './replacing.ts'

const MOST_MS = 60_000
const AT_ONCE = 20

/** As where the collector of the logs hangs. */
export const stalledLog: Drill = {
  name: 'stalled-log',
  title: 'nobody reads the standard output of any process, and all are replaced meanwhile',
  aim: { failures: 0 },
  async run(stage) {
    const pipes = openPipes(stage.keep)
    const stores = await startStores(stage.keep, { settings: CROWDED })
    const stack = await openStack(stage.keep, stores, { launch: pipes.launch })
    return await drillUnderTraffic(stage, stack, async (traffic, watch) => {
      await fillLog(stack)
      const problems = await watch.untilAlarm('LogIncomplete')
      await traffic.untilServed(40)
      const [first] = stack.apis
      if (first && !(await pipes.isWritten(first.child.name, 'log lines were dropped'))) {
        problems.push('a log that is read again does not show that lines were dropped')
      }
      const ends = [...(await replaceWorkers(stack)), ...(await replaceApis(stack))]
      problems.push(...ends.filter((how) => how !== 'exit code 0').map((how) => `ended by ${how}`))
      return problems
    })
  },
}

/** Each process writes to a pipe that is open for reading, and is not read. */
function openPipes({ folder, defer }: Keep) {
  const pipes = new Map<string, number>()
  defer(() => [...pipes.values()].map(closeSync))
  return {
    launch(name: string) {
      const path = join(folder, `${name}.pipe`)
      execFileSync('mkfifo', [path])
      pipes.set(name, openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
      return ['sh', '-c', 'exec "$@" > "$0"', path]
    },
    /** Reads until the process has written it. */
    async isWritten(name: string, text: string): Promise<boolean> {
      let lines = ''
      for (const until = performance.now() + MOST_MS; performance.now() < until; await pause(10)) {
        lines += readWaiting(pipes.get(name) ?? -1)
        if (lines.includes(text)) return true
      }
      return false
    },
  }
}

function readWaiting(pipe: number): string {
  const bytes = Buffer.alloc(64 * 1024)
  try {
    return bytes.toString('utf8', 0, readSync(pipe, bytes))
  } catch {
    return ''
  }
}

/** Requests until each API drops lines. */
async function fillLog({ origins: [origin], apis }: Stack): Promise<void> {
  while ((await Promise.all(apis.map(({ inner }) => isDropping(inner)))).includes(false)) {
    const requests = Array.from({ length: AT_ONCE }, async () => {
      const answer = await fetch(`${origin}/v1/documents`)
      await answer.arrayBuffer()
    })
    await Promise.allSettled(requests)
  }
}

async function isDropping(inner: string): Promise<boolean> {
  const metrics = await (await fetch(`${inner}/metrics`)).text()
  return /^svc_log_lines_dropped_total [1-9]/m.test(metrics)
}
