import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { describeSchema } from '../../../scripts/describe-schema.ts'
import type { Db } from '../../../src/db/database.ts'
import { ensureCaseFolding } from '../../../src/db/migrate/case-folding.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { type Migration, runMigrations } from '../../../src/db/migrate/run-migrations.ts'
import { createDatabaseCli } from '../../cli/database-cli.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { testSealer } from '../../support/stores/sealer.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const ROWS = new URL('rows/', import.meta.url)

const namesIn = (folder: URL, end: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(end))
    .map((file) => file.slice(0, -end.length))
    .sort()

/** Of each release that has brought tables or columns, by its newest migration: rows of these. */
const releases = namesIn(ROWS, '.sql')
const names = namesIn(MIGRATIONS, '.ts')

/** The migrations up to this one. */
async function migrationsTo(last: string): Promise<Record<string, Migration>> {
  const wanted = names.filter((name) => name <= last)
  return Object.fromEntries(
    await Promise.all(
      wanted.map(async (name) => [name, await import(new URL(`${name}.ts`, MIGRATIONS).href)]),
    ),
  )
}

/** Rows that are seen by no one, or belong to the run of the migrations. */
const LEFT_OUT = ['kysely_migration', 'write_probe']

async function countRows(db: Db): Promise<Map<string, bigint>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL (${LEFT_OUT})
    ORDER BY 1`.execute(db)
  const counts = tables.map(
    ({ name }) => sql`SELECT ${name} AS name, count(*) FROM ${sql.table(name)}`,
  )
  const { rows } = await sql<{ name: string; count: bigint }>`
    ${sql.join(counts, sql` UNION ALL `)}`.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

const columnsOf = async (db: Db) =>
  (await describeSchema(db, inject('appRole'))).replaceAll(/\n {2}ROWS \d+/g, '')

test('a database of the first release, with rows in every table, is upgraded to the schema of today and loses none', async () => {
  await using fresh = await createTestDatabase()
  await using database = await createTestDatabase({ isDirect: true })
  const { db } = database
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
  await ensureCaseFolding(db)
  for (const release of releases) {
    await runMigrations(db, await migrationsTo(release))
    await sql.raw(readFileSync(new URL(`${release}.sql`, ROWS), 'utf8')).execute(db)
    const empty = [...(await countRows(db))].filter(([, count]) => count === 0n)
    expect(empty, `tables without a row in ${release}.sql`).toEqual([])
  }
  const before = await countRows(db)

  const appRole = { name: inject('appRole'), password: undefined }
  const { applied } = await migrateToLatest(database.url, {
    ...{ stack: 'sandbox' as const, appRole, sealer: testSealer },
  })
  expect(applied).toEqual(names.filter((name) => name > (releases.at(-1) ?? '')))
  expect(await columnsOf(db)).toBe(await columnsOf(fresh.db))
  const after = await countRows(db)
  const lost = [...before].filter(([name, count]) => (after.get(name) ?? count) < count)
  expect(lost).toEqual([])
  expect(await findViolations(db)).toEqual([])
})

test('migrate and every command refuse a database of before the first release, and say so', async () => {
  await using database = await createTestDatabase()
  await sql`INSERT INTO kysely_migration VALUES ('0001-tenants', ''), ('0079-tenants-closed', '')`.execute(
    database.db,
  )
  const cli = createDatabaseCli(database.url)
  for (const command of ['migrate', 'tenants list']) {
    expect((await cli.fail(command)).message).toMatch(
      /cannot be used: the database has migration 0001-tenants: it was made by a release before 0022-audit, which this build cannot upgrade\.$/,
    )
  }
})
