import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Child } from '../../../src/local/child.ts'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { findLastingPorts } from '../../faults/world/ports.ts'
import { startPostgres } from '../../support/stores/start-postgres.ts'
import type { Keep } from './keep.ts'

export const DATABASE = 'drill'

export type Stores = {
  databaseUrl: string
  redisUrl: string
  killPostgres(): Promise<void>
  startPostgres(): Promise<void>
  killRedis(): Promise<void>
  startRedis(): Promise<void>
  startEmptyRedis(): Promise<void>
}

/** A PostgreSQL with its durable defaults and a Redis that stores its data. */
export async function startStores(
  keep: Keep,
  settings: Record<string, string> = {},
): Promise<Stores> {
  const [postgresPort = 0, redisPort = 0] = await findLastingPorts(2)
  const postgres = {
    dataFolder: join(keep.folder, 'postgres'),
    logFile: join(keep.folder, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
    port: postgresPort,
    settings: { max_connections: '120', ...settings },
  }
  const redis = {
    dataFolder: join(keep.folder, 'redis'),
    logFile: join(keep.folder, 'redis.log'),
    port: redisPort,
  }
  const running: { postgres?: Child; redis?: Child } = {}
  const startOne = async (name: keyof typeof running) => {
    const { child } = name === 'postgres' ? await startPostgres(postgres) : await startRedis(redis)
    keep.note(child)
    running[name] = child
  }
  await Promise.all([startOne('postgres'), startOne('redis')])
  const urlOf = (name: string) =>
    `postgresql://postgres:${postgres.password}@127.0.0.1:${postgresPort}/${name}`
  await ensureDatabase({ urlOf }, DATABASE)
  return {
    databaseUrl: urlOf(DATABASE),
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    killPostgres: () => kill(running.postgres),
    startPostgres: () => startOne('postgres'),
    killRedis: () => kill(running.redis),
    startRedis: () => startOne('redis'),
    startEmptyRedis() {
      redis.dataFolder = join(keep.folder, 'redis-empty')
      return startOne('redis')
    },
  }
}

export async function kill(child: Child | undefined): Promise<void> {
  if (!child) return
  process.kill(child.identity.pid, 'SIGKILL')
  await child.ended
}
