import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import type { Keep } from '../../support/world/keep.ts'
import { findLastingPorts } from '../../support/world/service.ts'
import {
  CROWDED,
  createPostgres,
  createRedis,
  DATABASE,
  type Postgres,
  type Redis,
} from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic, type Stage } from '../drill.ts'
import { appendSettings, copyServer, untilTrue, withClient, writeOwned } from '../world/clusters.ts'
import { type StoreProxy, startStoreProxy } from '../world/proxies.ts'
import { openStack, type Stack } from '../world/stack.ts'

type Pair = {
  databaseUrl: string
  redisUrl: string
  proxy: StoreProxy
  primary: Postgres
  standby: Postgres
  /** Starts what was the primary, as after a repair of its machine. */
  startOldPrimary(): Promise<void>
  master: Redis
  /** Makes the second Redis the master. */
  promoteRedis(): Promise<void>
}

export const postgresFailover: Drill = {
  name: 'postgres-failover',
  title: 'the primary is lost, its synchronous standby is promoted, and the old one comes back',
  aim: { gapMs: 5_000 },
  run: (stage) =>
    onPair(stage, async (pair, stack) => {
      await pair.primary.kill()
      await pair.proxy.fencePostgres()
      await withClient(pair.standby, (client) => client.query('SELECT pg_promote()'))
      await pair.proxy.switchPostgres()
      return await findUnfenced(pair, stack)
    }),
}

/** The old primary takes no writes, and a process that is led to it is not ready. */
async function findUnfenced(pair: Pair, stack: Stack): Promise<string[]> {
  const old = pair.primary
  await pair.startOldPrimary()
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
    onPair(stage, async (pair, _stack, traffic) => {
      await pair.master.kill()
      await traffic.untilServed(40)
      await pair.promoteRedis()
      return []
    }),
}

async function onPair(
  stage: Stage,
  act: (
    pair: Pair,
    stack: Stack,
    traffic: Parameters<Parameters<typeof drillUnderTraffic>[2]>[0],
  ) => Promise<string[]>,
) {
  const pair = await startPair(stage.keep)
  const stack = await openStack(stage.keep, pair)
  return await drillUnderTraffic(stage, stack, (traffic) => act(pair, stack, traffic))
}

/** A primary with a synchronous standby, a Redis with a replica, and the proxy before both. */
async function startPair(keep: Keep): Promise<Pair> {
  const [listen = 0, redisListen = 0, redisOne = 0, redisTwo = 0] = await findLastingPorts(4)
  const primary = await createPostgres(keep, { name: 'one', settings: CROWDED })
  const { password } = primary
  const standby = await createPostgres(keep, { name: 'two', password, settings: CROWDED })
  const proxy = await startStoreProxy(keep, {
    postgres: listen,
    redis: redisListen,
    postgresServers: [primary.port, standby.port],
    redisServers: [redisOne, redisTwo],
  })
  await primary.start()
  await ensureDatabase(primary, DATABASE)
  const follow = (own: string, { port }: Postgres) => {
    const folder = join(keep.folder, own)
    const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`
    appendSettings(folder, { primary_conninfo: `${source} application_name=${own}` })
    writeOwned(folder, 'standby.signal')
  }
  await copyServer(primary, join(keep.folder, 'one'), join(keep.folder, 'two'))
  follow('two', primary)
  await standby.start()
  await makeSynchronous(primary)
  const master = await createRedis(keep, { name: 'redis-one', port: redisOne })
  const replica = await createRedis(keep, { name: 'redis-two', port: redisTwo })
  await Promise.all([master.start(), replica.start()])
  await commandRedis(redisTwo, `REPLICAOF 127.0.0.1 ${redisOne}`)
  return {
    databaseUrl: `postgresql://postgres:${password}@127.0.0.1:${listen}/${DATABASE}`,
    redisUrl: `redis://127.0.0.1:${redisListen}`,
    ...{ proxy, primary, standby, master },
    async startOldPrimary() {
      follow('one', standby)
      await primary.start()
    },
    promoteRedis: () => commandRedis(redisTwo, 'REPLICAOF NO ONE'),
  }
}

/** From here on nothing is acknowledged that the standby does not have. */
async function makeSynchronous(primary: Postgres): Promise<void> {
  await withClient(primary, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'two'")
    await client.query('SELECT pg_reload_conf()')
  })
  await untilTrue(
    primary,
    "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')",
  )
}

async function commandRedis(port: number, line: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${line}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  if (!String(answer).startsWith('+OK')) throw new Error(`Redis answered ${line}: ${answer}`)
}
