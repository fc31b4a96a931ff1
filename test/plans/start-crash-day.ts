import pg from 'pg'
import { migrateToLatest } from '../../src/db/migrate/migrate.ts'
import { ensureDatabase } from '../../src/local/stores/postgres.ts'
import type { Keep } from '../support/world/keep.ts'
import { createPostgres, DATABASE } from '../support/world/stores.ts'
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

/** Starts a PostgreSQL and fills a migrated database; gives its address. */
export async function startCrashDay(keep: Keep): Promise<string> {
  const postgres = await createPostgres(keep, { settings: SETTINGS })
  await postgres.start()
  await ensureDatabase(postgres, DATABASE)
  const databaseUrl = postgres.urlOf(DATABASE)
  await migrateToLatest(databaseUrl, { stack: 'sandbox' })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await seedCrashDay(client)
  } finally {
    await client.end()
  }
  return databaseUrl
}
