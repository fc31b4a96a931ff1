import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { startPostgres } from '../stores/start-postgres.ts'
import type { Keep } from './keep.ts'
import { createService, findLastingPort, type Service, type SingleProcess } from './service.ts'

export type Postgres = SingleProcess & {
  port: number
  password: string
  urlOf(database: string): string
}

export type PostgresOptions = {
  /** Of its folder and its logs; `postgres` by default. */
  name?: string
  /** Where the folder of its data is; that of the run by default. */
  parent?: string
  port?: number
  password?: string
  settings?: Record<string, string>
}

/** A PostgreSQL of the run, not started yet; durable by its defaults. */
export async function createPostgres(keep: Keep, options: PostgresOptions = {}): Promise<Postgres> {
  const { name = 'postgres', settings = {} } = options
  const { port = await findLastingPort(), password = randomBytes(12).toString('hex') } = options
  const dataFolder = join(options.parent ?? keep.folder, name)
  const start = async (count: number) => {
    const logFile = join(keep.folder, `${name}.${count}.log`)
    return (await startPostgres({ dataFolder, logFile, password, port, settings })).child
  }
  return {
    ...createService(name, start, keep),
    port,
    password,
    urlOf: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`,
  }
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

export type RedisOptions = {
  /** Of its folder and its logs; `redis` by default. */
  name?: string
  port?: number
  /** Stores nothing. */
  isVolatile?: boolean
}

/** A Redis of the run, not started yet. Keeps every command in its log, where secrets would be found,
 * until it is made to forget. */
export async function createRedis(
  keep: Keep,
  options: RedisOptions = {},
): Promise<Redis & SingleProcess> {
  const { name = 'redis', port = await findLastingPort(), isVolatile = false } = options
  let kept = 1
  let kind = ''
  const start = async (count: number) => {
    const logFile = join(keep.folder, `${name}.${count}.log`)
    const data = !isVolatile && { dataFolder: join(keep.folder, `${name}-data-${kept}`) }
    const redis = await startRedis({ logFile, port, ...data })
    kind = redis.kind
    return redis.child
  }
  const url = `redis://127.0.0.1:${port}`
  return {
    ...createService(name, start, keep),
    url,
    serverUrls: [url],
    get kind() {
      return kind
    },
    forget() {
      kept += 1
    },
  }
}

export type Stores = {
  databaseUrl: string
  redisUrl: string
  postgres: Postgres
  redis: Redis & SingleProcess
}

/** Name of the database of a run. */
export const DATABASE = 'lending'

type StoresOptions = Pick<PostgresOptions, 'settings' | 'parent'> & Pick<RedisOptions, 'isVolatile'>

/** Both, started, with an empty database. `parent`: of PostgreSQL's folder. */
export async function startStores(
  keep: Keep,
  { isVolatile, ...options }: StoresOptions = {},
): Promise<Stores> {
  const postgres = await createPostgres(keep, options)
  const redis = await createRedis(keep, { ...(isVolatile && { isVolatile }) })
  await Promise.all([postgres.start(), redis.start()])
  await ensureDatabase(postgres, DATABASE)
  return { databaseUrl: postgres.urlOf(DATABASE), redisUrl: redis.url, postgres, redis }
}

/** Many connections, which two APIs and two workers need. */
export const CROWDED = { max_connections: '120' }
