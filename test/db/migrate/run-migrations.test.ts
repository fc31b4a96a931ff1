import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { createIndexConcurrently } from '../../../src/db/migrate/concurrent-index.ts'
import { readState } from '../../../src/db/migrate/migrate.ts'
import {
  type Migration,
  readMigrationState,
  runMigrations,
} from '../../../src/db/migrate/run-migrations.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const FAST = { lockMs: 50, pauseMs: 20 }

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase({ isDirect: true })
  // As small as the production limit is large against a migration of a large table.
  const name = sql.id(new URL(database.url).pathname.slice(1))
  await sql`ALTER DATABASE ${name} SET statement_timeout TO 150`.execute(database.db)
  db = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await sql`SET statement_timeout TO 150`.execute(db)
  await sql`TRUNCATE kysely_migration`.execute(database.db)
  await sql`CREATE TABLE things (id integer, note text)`.execute(database.db)
  await sql`INSERT INTO things SELECT n, 'x' FROM generate_series(1, 100) n`.execute(database.db)
})
afterEach(async () => {
  await db.destroy()
  await database[Symbol.asyncDispose]()
})

const statements = (...texts: string[]): Migration => ({
  async up(tx: Kysely<unknown>) {
    for (const text of texts) await sql.raw(text).execute(tx)
  },
})
const concurrently = (up: Migration['up']): Migration => ({ up, isConcurrent: true })

const SLOW = 'SELECT pg_sleep(0.5)'
const WIDEN = 'ALTER TABLE things ADD COLUMN more integer'

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns WHERE table_name = ${table}
    ORDER BY ordinal_position`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** A session in an open transaction that has read the table. */
async function openReader() {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT count(*) FROM things')
  return client
}

test('a migration may take longer than the statement timeout of production', async () => {
  await expect(sql.raw(SLOW).execute(db)).rejects.toThrow('statement timeout')
  const migrations = { '0001-slow': statements(SLOW, WIDEN) }
  expect(await runMigrations(db, migrations, FAST)).toEqual(['0001-slow'])
  expect(await columnsOf('things')).toEqual(['id', 'note', 'more'])
  // The limits are the migration's, not the session's afterwards.
  await expect(sql.raw(SLOW).execute(db)).rejects.toThrow('statement timeout')
})

test('a concurrent migration may take longer too, and leaves the session as it was', async () => {
  const up: Migration['up'] = async (session) => {
    await sql.raw(SLOW).execute(session)
    await createIndexConcurrently(session, 'things_by_note', 'ON things (note)')
  }
  expect(await runMigrations(db, { '0001-index': concurrently(up) }, FAST)).toEqual(['0001-index'])
  const { rows } = await sql`SELECT FROM pg_indexes WHERE indexname = 'things_by_note'`.execute(db)
  expect(rows).toHaveLength(1)
  await expect(sql.raw(SLOW).execute(db)).rejects.toThrow('statement timeout')
  // The server's other databases are other tests'.
  const locks = await sql`
    SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND d.datname = current_database()`.execute(db)
  expect(locks.rows).toEqual([])
})

test('behind a reader a migration waits briefly, lets others pass, and is applied in the end', async () => {
  const reader = await openReader()
  const waits = vi.fn()
  const run = runMigrations(db, { '0001-wide': statements(WIDEN) }, { ...FAST, onWait: waits })
  await waitFor(() => expect(waits.mock.calls.length).toBeGreaterThanOrEqual(3))
  expect(waits).toHaveBeenCalledWith('0001-wide', 1)
  // Between two attempts no session queues: a writer gets through while the reader still reads.
  await sql`INSERT INTO things VALUES (101, 'meanwhile')`.execute(database.db)
  expect(await columnsOf('things')).toEqual(['id', 'note'])
  await reader.query('COMMIT')
  expect(await run).toEqual(['0001-wide'])
  expect(await columnsOf('things')).toEqual(['id', 'note', 'more'])
  await reader.end()
})

test('a reader that never ends makes the run end with the name of the migration, which is undone', async () => {
  const reader = await openReader()
  const migrations = { '0001-wide': statements('CREATE TABLE others (id integer)', WIDEN) }
  await expect(runMigrations(db, migrations, { ...FAST, attempts: 2 })).rejects.toThrow(
    'migration 0001-wide failed: canceling statement due to lock timeout',
  )
  expect(await columnsOf('others')).toEqual([])
  await reader.query('COMMIT')
  expect(await runMigrations(db, migrations, FAST)).toEqual(['0001-wide'])
  await reader.end()
})

test('a migration that fails for another reason is not tried again, and earlier ones stay', async () => {
  const broken = vi.fn(async (tx: Kysely<unknown>) => {
    await sql`SELECT 1 / 0`.execute(tx)
  })
  const migrations = { '0001-wide': statements(WIDEN), '0002-broken': { up: broken } }
  await expect(runMigrations(db, migrations, FAST)).rejects.toThrow('0002-broken failed: division')
  expect(broken).toHaveBeenCalledTimes(1)
  expect(await runMigrations(db, { '0001-wide': statements(WIDEN) }, FAST)).toEqual([])
})

test('an index left invalid by an interrupted build is built again from the beginning', async () => {
  // Doubles make a unique index fail, which leaves it behind, invalid.
  await sql`INSERT INTO things VALUES (1, 'double')`.execute(database.db)
  const unique = 'CREATE UNIQUE INDEX CONCURRENTLY things_by_id ON things (id)'
  await expect(sql.raw(unique).execute(database.db)).rejects.toThrow(
    'could not create unique index',
  )
  const build = (session: Kysely<unknown>) =>
    createIndexConcurrently(session, 'things_by_id', 'ON things (id)')
  expect(await runMigrations(db, { '0001-index': concurrently(build) }, FAST)).toHaveLength(1)
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'things_by_id'::regclass`.execute(
    db,
  )
  expect(rows).toEqual([{ valid: true }])
  // Once more changes nothing: it may have been whole, and the run cut off behind it.
  await build(db as unknown as Kysely<unknown>)
})

test('an index is built beside a writer that began before and ends later', async () => {
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  await writer.query('BEGIN')
  await writer.query(`INSERT INTO things VALUES (102, 'before')`)
  const build = (session: Kysely<unknown>) =>
    createIndexConcurrently(session, 'things_by_note', 'ON things (note)')
  const run = runMigrations(db, { '0001-index': concurrently(build) }, FAST)
  await waitFor(async () => {
    const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(database.db)
    expect(rows.length).toBeGreaterThan(0)
  })
  await sql`INSERT INTO things VALUES (103, 'meanwhile')`.execute(database.db)
  await writer.query('COMMIT')
  expect(await run).toEqual(['0001-index'])
  await writer.end()
})

test('two runs at once apply each migration once', async () => {
  await sql`DROP TABLE kysely_migration`.execute(database.db)
  const other = createDatabase({ connectionString: database.url, maxConnections: 1 })
  const build = (session: Kysely<unknown>) =>
    createIndexConcurrently(session, 'things_by_note', 'ON things (note)')
  const migrations = {
    '0001-wide': statements(SLOW, WIDEN),
    '0002-index': concurrently(build),
    '0003-wider': statements('ALTER TABLE things ADD COLUMN most integer'),
  }
  const applied = await Promise.all([
    runMigrations(db, migrations, FAST),
    runMigrations(other, migrations, FAST),
  ])
  expect(applied.flat().sort()).toEqual(Object.keys(migrations))
  await other.destroy()
})

test('a database that a newer build has migrated is left unchanged where nothing states that it works', async () => {
  await runMigrations(db, { '0001-wide': statements(WIDEN) }, FAST)
  await expect(runMigrations(db, { '0002-other': statements(SLOW) }, FAST)).rejects.toThrow(
    'the database has migration 0001-wide, which this build does not know',
  )
  expect(await readMigrationState(db, {})).toEqual({ kind: 'too_new', unknown: ['0001-wide'] })
})

const ONE = { '0001-wide': statements(WIDEN) }
const EXPANDED = {
  ...ONE,
  '0002-note': { ...statements('CREATE TABLE notes (id integer)'), oldestBuild: '0001-wide' },
}
const CONTRACTED = {
  ...EXPANDED,
  '0003-drop': {
    ...statements('ALTER TABLE things DROP COLUMN more'),
    oldestBuild: '0002-note',
  },
}

test('a build accepts a database that is ahead by migrations after which it works', async () => {
  await runMigrations(db, EXPANDED, FAST)
  expect(await runMigrations(db, ONE, FAST)).toEqual([])
  expect(await readMigrationState(db, ONE)).toEqual({ kind: 'ahead', unknown: ['0002-note'] })
  expect(await readMigrationState(db, EXPANDED)).toEqual({ kind: 'at_head', unknown: [] })
  expect(await readMigrationState(db, CONTRACTED)).toEqual({ kind: 'behind', unknown: [] })
})

test('after a contraction the build before it works, and the one before that is refused', async () => {
  await runMigrations(db, CONTRACTED, FAST)
  expect(await readMigrationState(db, EXPANDED)).toEqual({ kind: 'ahead', unknown: ['0003-drop'] })
  expect(await runMigrations(db, EXPANDED, FAST)).toEqual([])
  await expect(runMigrations(db, ONE, FAST)).rejects.toThrow(
    'the database has migration 0003-drop, which this build does not know and cannot work with: start a newer build',
  )
})

test('migrations of two branches are not mixed, whatever each of them states', async () => {
  await runMigrations(db, EXPANDED, FAST)
  const branch = { ...ONE, '0002-other': statements('CREATE TABLE others (id integer)') }
  await expect(runMigrations(db, branch, FAST)).rejects.toThrow('migration 0002-note')
  expect(await columnsOf('others')).toEqual([])
})

const SQUASHED = {
  '0001-all': statements('CREATE TABLE notes (id integer)'),
  '0002-rest': { ...statements('CREATE TABLE others (id integer)'), isFirstRelease: true } as const,
}

test('a database of before the first release is refused in a sentence that says so, and stays as it was', async () => {
  await runMigrations(db, EXPANDED, FAST)
  await expect(runMigrations(db, SQUASHED, FAST)).rejects.toThrow(
    'the database has migration 0001-wide (and 1 more): it was made by a release before 0002-rest, which this build cannot upgrade',
  )
  expect(await readMigrationState(db, SQUASHED)).toEqual({
    ...{ kind: 'too_old', unknown: ['0001-wide', '0002-note'] },
  })
  expect(await columnsOf('others')).toEqual([])
})

test('a database of the first release is upgraded, and one of a newer release is not taken for an older', async () => {
  const later = { ...SQUASHED, '0003-wide': { ...statements(WIDEN), oldestBuild: '0002-rest' } }
  await runMigrations(db, SQUASHED, FAST)
  expect(await readMigrationState(db, later)).toEqual({ kind: 'behind', unknown: [] })
  expect(await runMigrations(db, later, FAST)).toEqual(['0003-wide'])
  expect(await readMigrationState(db, SQUASHED)).toEqual({ kind: 'ahead', unknown: ['0003-wide'] })
})

test('a list of migrations from before the marks is read, and gets them with the next run', async () => {
  await sql`ALTER TABLE kysely_migration DROP COLUMN oldest_build`.execute(database.db)
  await sql`INSERT INTO kysely_migration VALUES ('0001-wide', ''), ('0002-note', '')`.execute(db)
  expect(await readMigrationState(db, ONE)).toEqual({ kind: 'too_new', unknown: ['0002-note'] })
  expect(await readMigrationState(db, EXPANDED)).toEqual({ kind: 'at_head', unknown: [] })
  expect(await runMigrations(db, EXPANDED, FAST)).toEqual([])
  expect(await readMigrationState(db, ONE)).toEqual({ kind: 'ahead', unknown: ['0002-note'] })
})

test('a database that lacks one migration in the middle is not at the schema of the build', async () => {
  await using fresh = await createTestDatabase()
  expect(await readState(fresh.db)).toEqual({ kind: 'at_head', unknown: [] })
  await sql`DELETE FROM kysely_migration WHERE name = '0010-collateral'`.execute(fresh.db)
  expect(await readState(fresh.db)).toEqual({ kind: 'behind', unknown: [] })
})
