import { setTimeout as pause } from 'node:timers/promises'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'
import { startWireProxy } from '../../support/stores/wire-proxy.ts'
import { CROWDED, DATABASE, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic, type Outcome, type Stage } from '../drill.ts'
import { startPairs } from '../world/pairs.ts'
import { openStack, type Part, type Stack } from '../world/stack.ts'
import { MOST_MS } from '../world/watch.ts'

const BACK_WITHIN_MS = 15_000

/** As where a host loses its power, or a firewall forgets its connections: no reset comes, so nothing ends
 * by itself. Connections that are made afterwards reach healthy servers under the same names. */
export const vanishingPackets: Drill = {
  name: 'vanishing-packets',
  title: 'packets to and from PostgreSQL and Redis vanish until an alarm has fired',
  aim: { gapMs: MOST_MS + BACK_WITHIN_MS },
  run: (stage) => loseUntilPaged(stage, 'both'),
}

/** What is asked is done, and whether it was is not known. */
export const vanishingAnswers: Drill = {
  name: 'vanishing-answers',
  title: 'the answers of PostgreSQL and Redis vanish until an alarm has fired',
  aim: { gapMs: MOST_MS + BACK_WITHIN_MS },
  run: (stage) => loseUntilPaged(stage, 'to_client'),
}

async function loseUntilPaged(stage: Stage, direction: 'both' | 'to_client'): Promise<Outcome> {
  const { keep, say } = stage
  const stores = await startStores(keep, { settings: CROWDED })
  const postgres = keep.use(await startWireProxy(stores.databaseUrl))
  const redis = keep.use(await startRedisProxy(stores.redisUrl))
  const stack = await openStack(keep, { databaseUrl: postgres.url, redisUrl: redis.url })
  return await drillUnderTraffic(stage, stack, async (traffic, watch) => {
    postgres.silence(direction)
    if (direction === 'both') redis.loseOpen()
    else redis.loseAnswers()
    redis.hang()
    const problems = await watch.untilPaged()
    const said = await Promise.all(partsOf(stack).map(readSaid))
    postgres.silence('none')
    redis.goOn()
    const back = performance.now()
    await Promise.all([traffic.untilServed(20), ...partsOf(stack).map(untilReady)])
    const ms = Math.round(performance.now() - back)
    say(`served and ready ${(ms / 1_000).toFixed(1)} s after the servers were back`)
    return [
      ...problems,
      ...said.filter((text) => !NOT_READY.test(text)).map((text) => `a process said ${text}`),
      ...(ms > BACK_WITHIN_MS ? [`it took ${ms} ms to serve again`] : []),
    ]
  })
}

/** As a managed failover does it: the name leads to the standby from now on, and nothing ends the
 * connections to the old primary, which runs on. */
export const silentFailover: Drill = {
  name: 'silent-failover',
  title: 'the names of PostgreSQL and Redis lead to their replicas, open connections fall silent',
  aim: { gapMs: BACK_WITHIN_MS },
  async run(stage) {
    const pairs = await startPairs(stage.keep)
    const { primary, standby, master, replica } = pairs
    const postgres = stage.keep.use(await startWireProxy(primary.urlOf(DATABASE)))
    const redis = stage.keep.use(await startRedisProxy(master.url))
    const stack = await openStack(stage.keep, { databaseUrl: postgres.url, redisUrl: redis.url })
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      postgres.moveTo(standby.urlOf(DATABASE))
      redis.moveTo(replica.url)
      await Promise.all([pairs.promoteStandby(), pairs.promoteReplica()])
      await Promise.all([traffic.untilServed(20), ...partsOf(stack).map(untilReady)])
    })
  },
}

const partsOf = ({ apis, workers }: Stack) => [...apis, ...workers]

/** It is unreachable once a new connection is not answered either. */
const NOT_READY = /503 (silent|unreachable), svc_ready 0$/

/** What an operator's probe and Prometheus find. */
async function readSaid({ inner, child }: Part): Promise<string> {
  const [probe, scrape] = await Promise.all([ask(`${inner}/readyz`), ask(`${inner}/metrics`)])
  const { database } = JSON.parse(probe.text) as { database: string }
  const [gauge = 'no svc_ready'] = /^svc_ready \d$/m.exec(scrape.text) ?? []
  return `${child.name}: ${probe.status} ${database}, ${gauge}`
}

async function untilReady({ inner }: Part): Promise<void> {
  while ((await ask(`${inner}/readyz`)).status !== 200) await pause(100)
}

/** Again where the connection ended just as it was taken up. */
async function ask(url: string): Promise<{ status: number; text: string }> {
  for (;;) {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(url, { signal })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    if (answer) return answer
    await pause(100)
  }
}
