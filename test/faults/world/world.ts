import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { startPostgres } from '../../support/stores/start-postgres.ts'
import type { KeeperMessage } from '../actors/keeper.ts'
import type { Random } from '../actors/random.ts'
import { createOnCluster } from './citus-store.ts'
import { findLastingPorts } from './ports.ts'
import { createRedisCluster, startPooler } from './scaled-stores.ts'
import {
  createService,
  type Restarted,
  type Service,
  type ServiceEvents,
  startProcess,
} from './service.ts'

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
  apis: Service[]
  workers: Service[]
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

const SOURCES = join(import.meta.dirname, '..', '..', '..', 'src')
const DATABASE = 'faults'
/** What API and worker log in as, with the rights they have in production. */
const APP_ROLE = { name: 'faults_app', password: randomBytes(12).toString('hex') }
const LIMITS = [
  'reads',
  'money',
  'valuation',
  'portfolio_ingest',
  'platform_config',
  'sandbox_controls',
]

/** What can be lost by killing processes alone: what was committed is on its way to the disk. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '120' }

/** How long an attempt at a receiver may take in these runs, in seconds. */
export const DELIVERY_DEADLINE_SECONDS = 2

export type WorldOptions = {
  /** Through PgBouncer in transaction mode, and over a Redis Cluster. */
  isScaled: boolean
  /** The coordinator of a cluster that a database of the run is spread over. */
  citusUrl: string | undefined
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
    const processes = await startProcesses(folder, stores, random, events)
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
  { isScaled, citusUrl }: WorldOptions,
  events: ServiceEvents,
): Promise<Stores> {
  const [postgresPort = 0, poolerPort = 0, ...redisPorts] = await findLastingPorts(8)
  const redis = isScaled
    ? createRedisCluster(folder, redisPorts, events)
    : createRedis(folder, redisPorts[0] ?? 0, events)
  const [database] = await Promise.all([
    citusUrl === undefined
      ? startServer(folder, postgresPort, events)
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

async function startServer(folder: string, port: number, events: ServiceEvents) {
  const password = randomBytes(12).toString('hex')
  const store = {
    dataFolder: join(folder, 'postgres'),
    password,
    port,
    settings: POSTGRES_SETTINGS,
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

type Processes = Pick<World, 'origins' | 'workerOrigins' | 'apis' | 'workers' | 'secrets'>

async function startProcesses(
  folder: string,
  stores: Stores,
  random: Random,
  events: ServiceEvents,
): Promise<Processes> {
  const key = randomBytes(32).toString('base64')
  const shared = {
    ...environment({ databaseUrl: stores.appUrl, redisUrl: stores.redis.url, key }),
    // Some stacks are short of connections.
    DATABASE_CONNECTIONS: String(random.pick([2, 4, 10])),
  }
  const ports = await findLastingPorts(6)
  const create = (name: string, script: string, settings: Record<string, string>) => {
    const start = (count: number) => {
      const logFile = join(folder, `${name}.${count}.log`)
      return startProcess(name, join(SOURCES, script), logFile, { ...shared, ...settings })
    }
    return createService(name, start, events)
  }
  const [apiA, apiB, workerA, workerB, metricsA, metricsB] = ports.map(String)
  const settings = (port = '0', metricsPort = '0') => ({ PORT: port, METRICS_PORT: metricsPort })
  const apis = [
    create('api-1', 'server.ts', settings(apiA, metricsA)),
    create('api-2', 'server.ts', settings(apiB, metricsB)),
  ]
  const workers = [
    create('worker-1', 'worker.ts', settings('0', workerA)),
    create('worker-2', 'worker.ts', settings('0', workerB)),
  ]
  await Promise.all([...apis, ...workers].map((service) => service.start()))
  const originOf = (port = '') => `http://127.0.0.1:${port}`
  const origins = [originOf(apiA), originOf(apiB)]
  const workerOrigins = [originOf(workerA), originOf(workerB)]
  await Promise.all([...origins, ...workerOrigins].map(untilAnswering))
  return { origins, workerOrigins, apis, workers, secrets: [key] }
}

/** Of API and worker: no limit is met, and deliveries are tried soon. */
export function environment(stack: { databaseUrl: string; redisUrl: string; key: string }) {
  return {
    STACK: 'sandbox',
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    ENCRYPTION_KEYS: `faults:${stack.key}`,
    HOST: '127.0.0.1',
    RATE_LIMITS: LIMITS.map((name) => `${name}=100000/100000`).join(','),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_DEADLINE_SECONDS: String(DELIVERY_DEADLINE_SECONDS),
    MAX_WEBHOOKS: '200',
    AUDIT_MINUTES: '1',
  }
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

/** Resolves once an API or a worker logs that it is ready. */
export async function untilAnswering(origin: string): Promise<void> {
  for (const until = Date.now() + 60_000; ; await pause(50)) {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`${origin}/readyz`, { signal }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > until) throw new Error(`${origin} was not ready after a minute`)
  }
}
