import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../../../src/local/child.ts'
import { ensureDatabase, type Postgres } from '../../../src/local/stores/postgres.ts'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { findLastingPorts } from '../../faults/world/ports.ts'
import { startPostgres } from '../../support/stores/start-postgres.ts'
import { type Drill, drillUnderTraffic, type Stage } from '../drill.ts'
import { appendSettings, copyServer, untilTrue, withClient, writeOwned } from '../world/clusters.ts'
import type { Keep } from '../world/keep.ts'
import { type StoreProxy, startStoreProxy } from '../world/proxies.ts'
import { openStack, type Stack } from '../world/stack.ts'
import { DATABASE, kill } from '../world/stores.ts'

type Pair = {
  databaseUrl: string
  redisUrl: string
  proxy: StoreProxy
  primary: Postgres
  standby: Postgres
  /** Starts what was the primary, as after a repair of its machine. */
  startOldPrimary(): Promise<Postgres>
  master: Child
  /** Makes the second Redis the master. */
  promoteRedis(): Promise<void>
}

export const postgresFailover: Drill = {
  name: 'postgres-failover',
  title: 'the primary is lost, its synchronous standby is promoted, and the old one comes back',
  aim: { gapMs: 5_000 },
  run: (stage) =>
    onPair(stage, async (pair, stack) => {
      await kill(pair.primary.child)
      await pair.proxy.fencePostgres()
      await withClient(pair.standby, (client) => client.query('SELECT pg_promote()'))
      await pair.proxy.switchPostgres()
      return await findUnfenced(pair, stack)
    }),
}

/** The old primary takes no writes, and a process that is led to it is not ready. */
async function findUnfenced(pair: Pair, stack: Stack): Promise<string[]> {
  const old = await pair.startOldPrimary()
  const problems = await withClient(old, async (client) => {
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_standby')
    return rows[0].is_standby ? [] : ['the old primary takes writes']
  })
  const { port } = new URL(old.urlOf(DATABASE))
  const astray = new URL(stack.settings.DATABASE_URL)
  astray.port = port
  const part = await stack.startApi({ settings: { DATABASE_URL: astray.href } })
  const answer = await readReadiness(part.inner)
  if (!answer.includes('read_only')) problems.push(`an API on the old primary answers ${answer}`)
  await part.stop()
  await old.child.stop()
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
      await kill(pair.master)
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
  const [listen = 0, redisListen = 0, one = 0, two = 0, redisOne = 0, redisTwo = 0] =
    await findLastingPorts(6)
  const proxy = await startStoreProxy(keep, {
    postgres: listen,
    redis: redisListen,
    postgresServers: [one, two],
    redisServers: [redisOne, redisTwo],
  })
  const password = randomBytes(12).toString('hex')
  const start = async (name: string, port: number) => {
    const server = await startPostgres({
      dataFolder: join(keep.folder, name),
      logFile: join(keep.folder, `${name}.log`),
      password,
      port,
      settings: { max_connections: '120' },
    })
    keep.note(server.child)
    return server
  }
  const primary = await start('one', one)
  await ensureDatabase(primary, DATABASE)
  const follow = (name: string, port: number, own: string) => {
    const folder = join(keep.folder, name)
    const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`
    appendSettings(folder, { primary_conninfo: `${source} application_name=${own}` })
    writeOwned(folder, 'standby.signal')
  }
  await copyServer(primary, join(keep.folder, 'one'), join(keep.folder, 'two'))
  follow('two', one, 'two')
  const standby = await start('two', two)
  await makeSynchronous(primary)
  const redis = await startRedisPair(keep, redisOne, redisTwo)
  const urlOf = (database: string) =>
    `postgresql://postgres:${password}@127.0.0.1:${listen}/${database}`
  return {
    databaseUrl: urlOf(DATABASE),
    redisUrl: `redis://127.0.0.1:${redisListen}`,
    proxy,
    primary,
    standby,
    async startOldPrimary() {
      follow('one', two, 'one')
      return await start('one', one)
    },
    ...redis,
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

async function startRedisPair(keep: Keep, one: number, two: number) {
  const start = async (name: string, port: number) => {
    const options = { dataFolder: join(keep.folder, name), port }
    const { child } = await startRedis({ ...options, logFile: join(keep.folder, `${name}.log`) })
    keep.note(child)
    return child
  }
  const master = await start('redis-one', one)
  await start('redis-two', two)
  await commandRedis(two, `REPLICAOF 127.0.0.1 ${one}`)
  return { master, promoteRedis: () => commandRedis(two, 'REPLICAOF NO ONE') }
}

async function commandRedis(port: number, line: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${line}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  if (!String(answer).startsWith('+OK')) throw new Error(`Redis answered ${line}: ${answer}`)
}
