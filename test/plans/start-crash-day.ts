import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrateToLatest } from '../../src/db/migrate.ts'
import { ensureDatabase } from '../../src/local/stores/postgres.ts'
import { startPostgres } from '../support/stores/start-postgres.ts'
import { seedCrashDay } from './crash-day.ts'

/** Throwaway data. Statistics are taken once, at the end, and nothing changes afterwards. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '512MB',
  autovacuum: 'off',
}

/** Starts the packaged PostgreSQL and fills a migrated database; gives its address. */
export async function startCrashDay(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lending-service-plans-'))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: 'plans',
    settings: SETTINGS,
  })
  cleanup.defer(() => postgres.child.stop())
  await ensureDatabase(postgres, 'plans')
  const databaseUrl = postgres.urlOf('plans')
  await migrateToLatest(databaseUrl, { stack: 'sandbox' })
  const client = new pg.Client({ connectionString: databaseUrl })
  // Where the run is stopped, PostgreSQL ends the session.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await seedCrashDay(client)
  } finally {
    await client.end()
  }
  return databaseUrl
}
