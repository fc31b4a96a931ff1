// Hosts the stores of one test run in a process of its own, so that they stop and their data is
// deleted however the run ends: the channel to its parent closes even when that is killed.
import { once } from 'node:events'
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../../../src/local/stores/redis.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startRedisCluster } from './redis-cluster.ts'
import { startPostgres } from './start-postgres.ts'

/** Where the stores of a run are. */
export type StoreUrls = {
  databaseServer?: string
  redis?: string
  /** One for each worker of Vitest, where there are any. */
  redisClusters: string[]
  /** Of a PgBouncer on this machine that leads to the database server. */
  poolerPort?: number
}

const [appRole = '', clusterCount = '0'] = process.argv.slice(2)
const clusters = Number(clusterCount)

/** Throwaway data: nothing needs to survive a crash. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
  autovacuum_naptime: '1h',
  // Each connection would plan a statement six times before it keeps a plan.
  plan_cache_mode: 'force_generic_plan',
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
const parentGone = once(process, 'disconnect')
const folder = mkdtempSync(join(findFastFolder(), 'lending-service-test-'))
// PostgreSQL runs as another user when the tests run as root.
chmodSync(folder, 0o711)
try {
  await using stores = new AsyncDisposableStack()
  const urls: StoreUrls = { redisClusters: [] }
  const folderOf = (name: string) => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  if (process.argv.includes('postgres')) {
    const postgres = await startPostgres({
      dataFolder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password: 'test',
      settings: SETTINGS,
    })
    stores.defer(() => postgres.child.stop())
    urls.databaseServer = postgres.urlOf('postgres')
    if (process.argv.includes('pgbouncer')) {
      const roles = { postgres: 'test', [appRole]: appRole }
      const serverUrl = urls.databaseServer
      const pooler = await startPgBouncer({ serverUrl, roles, folder: folderOf('pgbouncer') })
      stores.defer(() => pooler.child.stop())
      urls.poolerPort = pooler.port
    }
  }
  if (process.argv.includes('redis')) {
    const redis = await startRedis({ logFile: join(folder, 'redis.log') })
    stores.defer(() => redis.child.stop())
    urls.redis = redis.url
  }
  for (let index = 1; index <= clusters; index += 1) {
    const cluster = await startRedisCluster(folderOf(`redis-cluster-${index}`))
    stores.defer(() => cluster.stop())
    urls.redisClusters.push(cluster.url)
  }
  process.send?.(urls)
  await parentGone
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function findFastFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
