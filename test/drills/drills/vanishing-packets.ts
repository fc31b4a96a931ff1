import { setTimeout as pause } from 'node:timers/promises'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'
import { startWireProxy } from '../../support/stores/wire-proxy.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { openStack, type Part } from '../world/stack.ts'

const AWAY_MS = 20_000

const BACK_WITHIN_MS = 15_000

/** As where a host loses its power, or a firewall forgets its connections: no reset comes, so nothing ends
 * by itself. Connections that are made afterwards reach healthy servers under the same names. */
export const vanishingPackets: Drill = {
  name: 'vanishing-packets',
  title: 'packets to PostgreSQL and Redis vanish for 20 s, without a reset',
  aim: { gapMs: AWAY_MS + BACK_WITHIN_MS },
  async run(stage) {
    const { keep, say } = stage
    const stores = await startStores(keep, { settings: CROWDED })
    const postgres = keep.use(await startWireProxy(stores.databaseUrl))
    const redis = keep.use(await startRedisProxy(stores.redisUrl))
    const stack = await openStack(keep, { databaseUrl: postgres.url, redisUrl: redis.url })
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      const parts = [...stack.apis, ...stack.workers]
      postgres.silence('both')
      redis.loseOpen()
      redis.hang()
      await pause(AWAY_MS)
      const said = await Promise.all(parts.map(readSaid))
      postgres.silence('none')
      redis.goOn()
      const back = performance.now()
      await Promise.all([traffic.untilServed(20), ...parts.map(untilReady)])
      const ms = Math.round(performance.now() - back)
      say(`${said[0]}; served and ready ${(ms / 1_000).toFixed(1)} s after the servers were back`)
      return [
        ...said.filter((text) => !text.endsWith(SILENT)).map((text) => `a process said ${text}`),
        ...(ms > BACK_WITHIN_MS ? [`it took ${ms} ms to serve again`] : []),
      ]
    })
  },
}

const SILENT = '503 silent, svc_ready 0'

/** What an operator's probe and Prometheus find. */
async function readSaid({ inner, child }: Part): Promise<string> {
  const [probe, scrape] = await Promise.all([fetch(`${inner}/readyz`), fetch(`${inner}/metrics`)])
  const { database } = (await probe.json()) as { database: string }
  const [gauge = 'no svc_ready'] = /^svc_ready \d$/m.exec(await scrape.text()) ?? []
  return `${child.name}: ${probe.status} ${database}, ${gauge}`
}

async function untilReady({ inner }: Part): Promise<void> {
  while (!(await fetch(`${inner}/readyz`)).ok) await pause(100)
}
