import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateToLatest } from '../../src/db/migrate.ts'
import type { StackName } from '../../src/db/stack-identity.ts'
import type { Child } from '../../src/local/child.ts'
import { LocalFailure } from '../../src/local/local-failure.ts'
import { ensureDatabase } from '../../src/local/stores/postgres.ts'
import { type Redis, startRedis } from '../../src/local/stores/redis.ts'
import { startPostgres } from '../support/stores/start-postgres.ts'

export type Stores = {
  /** Holds data and logs; deleted at the end. */
  folder: string
  databaseUrl: string
  redisUrl: string
  redisPid: number
  /** Another Redis of its own, for a measurement that takes it away. */
  startRedis(): Promise<Redis>
}

const DATABASE = 'bench'

/**
 * Starts what every measurement runs on: the packaged PostgreSQL with its durable defaults (fsync,
 * synchronous_commit and full_page_writes on) on a disk, migrated, and the machine's own Redis.
 */
export async function startStores(
  cleanup: AsyncDisposableStack,
  stack: StackName,
): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'lending-service-bench-'))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  let redisCount = 0
  const startNativeRedis = async () => {
    redisCount += 1
    const logFile = join(folder, `redis-${redisCount}.log`)
    const redis = await startWithin(cleanup, () => startRedis({ logFile }))
    if (redis.kind === 'packaged Valkey') {
      throw new LocalFailure(
        'The benchmark needs a native redis-server or valkey-server (7 or later) on the path: the packaged store is too slow to measure against.',
      )
    }
    return redis
  }
  const redis = await startNativeRedis()
  const postgres = await startWithin(cleanup, () =>
    startPostgres({
      dataFolder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password: 'bench',
    }),
  )
  await ensureDatabase(postgres, DATABASE)
  const databaseUrl = postgres.urlOf(DATABASE)
  await migrateToLatest(databaseUrl, { stack })
  return {
    folder,
    databaseUrl,
    redisUrl: redis.url,
    redisPid: redis.child.identity.pid,
    startRedis: startNativeRedis,
  }
}

/** Ends with `cleanup`, also where that begins while it still starts. */
async function startWithin<T extends { child: Child }>(
  cleanup: AsyncDisposableStack,
  start: () => Promise<T>,
): Promise<T> {
  let starting: Promise<T> | undefined
  cleanup.defer(async () => {
    const started = await starting?.catch(() => undefined)
    await started?.child.stop()
  })
  starting = start()
  return await starting
}
