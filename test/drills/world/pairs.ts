import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
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
import { appendSettings, copyServer, untilTrue, withClient, writeOwned } from './clusters.ts'

export type Pairs = {
  primary: Postgres
  standby: Postgres
  promoteStandby(): Promise<void>
  /** Starts what was the primary, as after a repair of its machine. */
  startOldPrimary(): Promise<void>
  master: Redis
  replica: Redis
  /** Makes the second Redis the master. */
  promoteReplica(): Promise<void>
  /** Of the master, then of the replica. */
  redisPorts: readonly [number, number]
}

/** A primary with a synchronous standby, and a Redis with a replica. */
export async function startPairs(keep: Keep): Promise<Pairs> {
  const [redisOne = 0, redisTwo = 0] = await findLastingPorts(2)
  const primary = await createPostgres(keep, { name: 'one', settings: CROWDED })
  const { password } = primary
  const standby = await createPostgres(keep, { name: 'two', password, settings: CROWDED })
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
    ...{ primary, standby, master, replica },
    redisPorts: [redisOne, redisTwo],
    async promoteStandby() {
      await withClient(standby, (client) => client.query('SELECT pg_promote()'))
    },
    async startOldPrimary() {
      follow('one', standby)
      await primary.start()
    },
    promoteReplica: () => commandRedis(redisTwo, 'REPLICAOF NO ONE'),
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
