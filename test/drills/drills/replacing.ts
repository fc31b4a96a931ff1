import { setTimeout as pause } from 'node:timers/promises'
import { untilAnswering } from '../../support/world/service.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { openStack, type Part, type Stack } from '../world/stack.ts'

/** As docs/upgrades.md has it: the new beside the old, then the old ones one by one. */
export const rollingRestart: Drill = {
  name: 'rolling-restart',
  title: 'every process replaced, one by one',
  aim: { failures: 0 },
  async run(stage) {
    const stores = await startStores(stage.keep, { settings: CROWDED })
    const stack = await openStack(stage.keep, stores)
    return await drillUnderTraffic(stage, stack, async () => {
      const ends = [...(await replaceWorkers(stack)), ...(await replaceApis(stack))]
      return ends
        .filter((how) => how !== 'exit code 0')
        .map((how) => `a process that was stopped ended by ${how}`)
    })
  },
}

export async function replaceWorkers(stack: Stack): Promise<string[]> {
  return await replaceEach(stack.workers, stack.startWorker)
}

/** The proxy hears of the new ones by their name, within two seconds. */
export async function replaceApis(stack: Stack): Promise<string[]> {
  const old = [...stack.apis]
  const added = [await stack.startApi(), await stack.startApi()]
  await Promise.all(added.map(({ inner }) => untilAnswering(inner)))
  stack.apis = [...old, ...added]
  stack.announce()
  await pause(PROXY_FINDS_MS)
  const ends: string[] = []
  for (const part of old) {
    stack.apis = stack.apis.filter((other) => other !== part)
    ends.push(await part.stop())
    stack.announce()
  }
  return ends
}

/** The proxy's name server is asked every two seconds, and its check runs as often. */
const PROXY_FINDS_MS = 6_000

async function replaceEach(parts: Part[], start: () => Promise<Part>): Promise<string[]> {
  const ends: string[] = []
  for (const [index, old] of [...parts].entries()) {
    const added = await start()
    await untilAnswering(added.inner)
    parts[index] = added
    ends.push(await old.stop())
  }
  return ends
}

export const kills: Drill = {
  name: 'kills',
  title: 'kill -9 of an API, a worker, PostgreSQL and Redis, each started again',
  aim: { gapMs: 5_000 },
  async run(stage) {
    const stores = await startStores(stage.keep, { settings: CROWDED })
    const stack = await openStack(stage.keep, stores)
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      await stack.apis[0]?.kill()
      stack.apis[0] = await stack.startApi()
      await untilAnswering(stack.apis[0].inner)
      stack.announce()
      await traffic.untilServed(80)
      await stack.workers[0]?.kill()
      stack.workers[0] = await stack.startWorker()
      await traffic.untilServed(80)
      await stores.redis.kill()
      await traffic.untilServed(40)
      await stores.redis.start()
      await stores.postgres.kill()
      await stores.postgres.start()
      return []
    })
  },
}
