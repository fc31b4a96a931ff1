import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isDistributed } from '../../src/db/cluster/distribution.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

test('a PostgreSQL without Citus is refused in a sentence, and stays as it was', async () => {
  await using database = await createTestDatabase()
  const { code, message } = await createDatabaseCli(database.url).fail('distribute')
  expect(code).toBe('unavailable')
  expect(message).toBe(
    'The database has no Citus: run CREATE EXTENSION citus in it on every node, and citus_add_node on the coordinator.',
  )
  expect(await isDistributed(database.db)).toBe(false)
  const { rows } = await sql`SELECT FROM pg_trigger WHERE tgname = 'journal_month_open'`.execute(
    database.db,
  )
  expect(rows).not.toEqual([])
})

test('an older Citus is refused with its version', async () => {
  await using database = await createTestDatabase()
  await sql`DELETE FROM pg_extension WHERE extname = 'citus'`.execute(database.db)
  await sql`
    INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    VALUES (16000, 'citus', 10, 'public'::regnamespace, false, '13.2-1')`.execute(database.db)
  const { code, message } = await createDatabaseCli(database.url).fail('distribute')
  expect(code).toBe('unavailable')
  expect(message).toBe('Citus 14 or later is needed; found 13.2-1.')
})

test.each(['0', '1025', '4.5', 'many'])('%s shards are refused', async (shards) => {
  await using database = await createTestDatabase()
  const { code } = await createDatabaseCli(database.url).fail(`distribute --shards ${shards}`)
  expect(code).toBe('usage')
})
