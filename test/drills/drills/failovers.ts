import { setTimeout as pause } from 'node:timers/promises'
import { findLastingPorts } from '../../support/world/service.ts'
import { DATABASE } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic, type Stage } from '../drill.ts'
import { withClient } from '../world/clusters.ts'
import { type Pairs, startPairs } from '../world/pairs.ts'
import { type StoreProxy, startStoreProxy } from '../world/proxies.ts'
import { openStack, type Stack } from '../world/stack.ts'
import type { Traffic } from '../world/traffic.ts'

export const postgresFailover: Drill = {
  name: 'postgres-failover',
  title: 'the primary is lost, its synchronous standby is promoted, and the old one comes back',
  aim: { gapMs: 5_000 },
  run: (stage) =>
    onPairs(stage, async ({ pairs, proxy, stack }) => {
      await pairs.primary.kill()
      await proxy.fencePostgres()
      await pairs.promoteStandby()
      await proxy.switchPostgres()
      return await findUnfenced(pairs, stack)
    }),
}

/** The old primary takes no writes, and a process that is led to it is not ready. */
async function findUnfenced(pairs: Pairs, stack: Stack): Promise<string[]> {
  const old = pairs.primary
  await pairs.startOldPrimary()
  const problems = await withClient(old, async (client) => {
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_standby')
    return rows[0].is_standby ? [] : ['the old primary takes writes']
  })
  const astray = new URL(stack.settings.DATABASE_URL)
  astray.port = String(old.port)
  const part = await stack.startApi({ settings: { DATABASE_URL: astray.href } })
  const answer = await readReadiness(part.inner)
  if (!answer.includes('read_only')) problems.push(`an API on the old primary answers ${answer}`)
  await part.stop()
  await old.stop()
  return problems
}

async function readReadiness(inner: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${inner}/readyz`).catch(() => undefined)
    if (answer) return await answer.text()
    await pause(50)
  }
}

export const redisFailover: Drill = {
  name: 'redis-failover',
  title: 'the Redis master is lost and its replica is promoted',
  aim: { failures: 0 },
  run: (stage) =>
    onPairs(stage, async ({ pairs, traffic }) => {
      await pairs.master.kill()
      await traffic.untilServed(40)
      await pairs.promoteReplica()
      return []
    }),
}

type Scene = { pairs: Pairs; proxy: StoreProxy; stack: Stack; traffic: Traffic }

/** With the proxy before both pairs. */
async function onPairs(stage: Stage, act: (scene: Scene) => Promise<string[]>) {
  const [postgres = 0, redis = 0] = await findLastingPorts(2)
  const pairs = await startPairs(stage.keep)
  const proxy = await startStoreProxy(stage.keep, {
    ...{ postgres, redis, redisServers: pairs.redisPorts },
    postgresServers: [pairs.primary.port, pairs.standby.port],
  })
  const stack = await openStack(stage.keep, {
    databaseUrl: `postgresql://postgres:${pairs.primary.password}@127.0.0.1:${postgres}/${DATABASE}`,
    redisUrl: `redis://127.0.0.1:${redis}`,
  })
  return await drillUnderTraffic(stage, stack, (traffic) => act({ pairs, proxy, stack, traffic }))
}
