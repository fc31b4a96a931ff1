import { randomBytes } from 'node:crypto'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { type Keep, openKeep } from '../../support/world/keep.ts'
import { findLastingPort, findLastingPorts, type Restarted } from '../../support/world/service.ts'
import { createPostgres, createRedis, DATABASE, type Redis } from '../../support/world/stores.ts'
import type { Random } from '../actors/random.ts'
import { createOnCluster } from './citus-store.ts'
import type { Command } from './command.ts'
import { startProcesses } from './processes.ts'
import { createRedisCluster, startPooler } from './scaled-stores.ts'

/** A whole stack of real processes, each of which may be killed or paused at any moment. */
export type World = AsyncDisposable &
  Pick<Keep, 'folder' | 'deaths' | 'keepData'> & {
    databaseUrl: string
    /** The run's own connection to the database. */
    db: Db
    /** Where the APIs listen. */
    origins: string[]
    /** Where the workers say whether they are ready. */
    workerOrigins: string[]
    apis: Command[]
    workers: Command[]
    postgres: Restarted
    redis: Redis
    /** Secrets of the stack's own that must appear nowhere. */
    secrets: string[]
  }

/** What API and worker log in as, with the rights they have in production. */
const APP_ROLE = { name: 'faults_app', password: randomBytes(12).toString('hex') }
/** What can be lost by killing processes alone: what was committed is on its way to the disk. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off' }

/** Of the run itself, and of an API and a worker twice, with pools of ten. */
const connectionsFor = (processes: number) => 80 + 40 * processes

export type WorldOptions = {
  /** Through PgBouncer in transaction mode, and over a Redis Cluster. */
  isScaled: boolean
  /** The coordinator of a cluster that a database of the run is spread over. */
  citusUrl: string | undefined
  /** Of each API and each worker. */
  processes: number
}

export async function openWorld(random: Random, options: WorldOptions): Promise<World> {
  await using opening = new AsyncDisposableStack()
  let remove: Stores['remove']
  // Once the run's processes have ended.
  opening.defer(() => remove?.())
  const keep = opening.use(openKeep('faults'))
  const stores = await startStores(keep, options)
  remove = stores.remove
  const processes = await startProcesses(keep, stores, { random, processes: options.processes })
  const { deaths } = keep
  if (deaths.length > 0) throw new Error(`The stack could not be started: ${deaths.join(', ')}`)
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 6 })
  opening.defer(() => db.destroy().catch(() => undefined))
  const owned = opening.move()
  return {
    ...{ folder: keep.folder, deaths, keepData: keep.keepData, db },
    ...stores,
    ...processes,
    secrets: [...stores.secrets, ...processes.secrets],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

type Stores = Pick<World, 'databaseUrl' | 'postgres' | 'redis' | 'secrets'> & {
  /** The database as API and worker log in to it. */
  appUrl: string
  /** Of a database on servers that stay. */
  remove?: () => Promise<void>
}

async function startStores(
  keep: Keep,
  { isScaled, citusUrl, processes }: WorldOptions,
): Promise<Stores> {
  const redis = isScaled
    ? createRedisCluster(keep, await findLastingPorts(6))
    : await createRedis(keep)
  const [database] = await Promise.all([
    citusUrl === undefined
      ? startServer(keep, connectionsFor(processes))
      : createOnCluster(citusUrl, APP_ROLE),
    redis.start(),
  ])
  const appUrl = new URL(database.databaseUrl)
  appUrl.username = APP_ROLE.name
  appUrl.password = APP_ROLE.password
  if (isScaled) {
    const roles = { [APP_ROLE.name]: APP_ROLE.password }
    const port = await findLastingPort()
    await startPooler(keep, port, { url: database.databaseUrl, roles })
    appUrl.port = String(port)
  }
  const secrets = [...database.secrets, APP_ROLE.password]
  return { ...database, appUrl: appUrl.href, redis, secrets }
}

async function startServer(keep: Keep, connections: number) {
  const settings = { ...POSTGRES_SETTINGS, max_connections: String(connections) }
  const postgres = await createPostgres(keep, { settings })
  await postgres.start()
  await ensureDatabase(postgres, DATABASE)
  const databaseUrl = postgres.urlOf(DATABASE)
  await migrateToLatest(databaseUrl, { stack: 'sandbox', appRole: APP_ROLE })
  return { databaseUrl, postgres, secrets: [postgres.password] }
}
