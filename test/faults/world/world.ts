import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { startPostgres } from '../../support/stores/start-postgres.ts'
import type { KeeperMessage } from '../actors/keeper.ts'
import type { Random } from '../actors/random.ts'
import { createOnCluster } from './citus-store.ts'
import type { Command } from './command.ts'
import { findLastingPorts } from './ports.ts'
import { startProcesses } from './processes.ts'
import { createRedisCluster, startPooler } from './scaled-stores.ts'
import { createService, type Restarted, type Service, type ServiceEvents } from './service.ts'

/** A whole stack of real processes, each of which may be killed or paused at any moment. */
export type World = AsyncDisposable & {
  folder: string
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
  /** Processes that ended without being killed by the run. */
  deaths: string[]
  /** Secrets of the stack's own that must appear nowhere. */
  secrets: string[]
  /** Leaves logs and data where they are, to be read later. */
  keepData(): void
}

export type Redis = Service & {
  /** As REDIS_URL has it. */
  url: string
  /** Of each of its servers. */
  serverUrls: readonly string[]
  kind: string
  /** Has the next start begin with nothing. */
  forget(): void
}

const DATABASE = 'faults'
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
  const folder = mkdtempSync(join(tmpdir(), 'lending-service-faults-'))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  const keeper = fork(fileURLToPath(new URL('../actors/keeper.ts', import.meta.url)), [folder], {
    execArgv: [],
    detached: true,
  })
  const notifyKeeper = (message: KeeperMessage) => keeper.send(message)
  const deaths: string[] = []
  const events = {
    onStarted: (started: Extract<KeeperMessage, { started: unknown }>['started']) =>
      notifyKeeper({ started }),
    onDied: (name: string, how: string) => void deaths.push(`${name} ended by itself: ${how}`),
  }
  const close = async () => {
    const ended = once(keeper, 'exit')
    keeper.disconnect()
    await ended
  }
  try {
    const stores = await startStores(folder, options, events)
    const processes = await startProcesses(folder, stores, {
      random,
      events,
      processes: options.processes,
    })
    if (deaths.length > 0) throw new Error(`The stack could not be started: ${deaths.join(', ')}`)
    const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 6 })
    return {
      folder,
      db,
      deaths,
      ...stores,
      ...processes,
      secrets: [...stores.secrets, ...processes.secrets],
      keepData: () => notifyKeeper({ keepData: true }),
      async [Symbol.asyncDispose]() {
        await db.destroy().catch(() => undefined)
        await close()
        await stores.remove?.()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Stores = Pick<World, 'databaseUrl' | 'postgres' | 'redis' | 'secrets'> & {
  /** The database as API and worker log in to it. */
  appUrl: string
  /** Of a database on servers that stay. */
  remove?: () => Promise<void>
}

async function startStores(
  folder: string,
  { isScaled, citusUrl, processes }: WorldOptions,
  events: ServiceEvents,
): Promise<Stores> {
  const [postgresPort = 0, poolerPort = 0, ...redisPorts] = await findLastingPorts(8)
  const redis = isScaled
    ? createRedisCluster(folder, redisPorts, events)
    : createRedis(folder, redisPorts[0] ?? 0, events)
  const [database] = await Promise.all([
    citusUrl === undefined
      ? startServer(folder, { port: postgresPort, connections: connectionsFor(processes) }, events)
      : createOnCluster(citusUrl, APP_ROLE),
    redis.start(),
  ])
  const appUrl = new URL(database.databaseUrl)
  appUrl.username = APP_ROLE.name
  appUrl.password = APP_ROLE.password
  if (isScaled) {
    const roles = { [APP_ROLE.name]: APP_ROLE.password }
    await startPooler(folder, poolerPort, { url: database.databaseUrl, roles }, events)
    appUrl.port = String(poolerPort)
  }
  const secrets = [...database.secrets, APP_ROLE.password]
  return { ...database, appUrl: appUrl.href, redis, secrets }
}

async function startServer(
  folder: string,
  { port, connections }: { port: number; connections: number },
  events: ServiceEvents,
) {
  const password = randomBytes(12).toString('hex')
  const store = {
    dataFolder: join(folder, 'postgres'),
    password,
    port,
    settings: { ...POSTGRES_SETTINGS, max_connections: String(connections) },
  }
  const start = async (count: number) => {
    const logFile = join(folder, `postgres.${count}.log`)
    return (await startPostgres({ ...store, logFile })).child
  }
  const postgres = createService('postgres', start, events)
  await postgres.start()
  const urlOf = (name: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${name}`
  await ensureDatabase({ urlOf }, DATABASE)
  const databaseUrl = urlOf(DATABASE)
  await migrateToLatest(databaseUrl, { stack: 'sandbox', appRole: APP_ROLE })
  return { databaseUrl, postgres, secrets: [password] }
}

/** Keeps every command in its log, where secrets would be found, until it is made to forget. */
function createRedis(folder: string, port: number, events: ServiceEvents): Redis {
  let kept = 1
  let kind = ''
  const service = createService(
    'redis',
    async (count) => {
      const dataFolder = join(folder, `redis-data-${kept}`)
      const logFile = join(folder, `redis.${count}.log`)
      const redis = await startRedis({ logFile, dataFolder, port })
      kind = redis.kind
      return redis.child
    },
    events,
  )
  return {
    ...service,
    url: `redis://127.0.0.1:${port}`,
    serverUrls: [`redis://127.0.0.1:${port}`],
    get kind() {
      return kind
    },
    forget: () => {
      kept += 1
    },
  }
}
