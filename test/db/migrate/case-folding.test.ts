import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ensureCaseFolding } from '../../../src/db/migrate/case-folding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

test('case is folded by the server or by a stand-in, and asking for it twice changes nothing', async () => {
  const { db } = database
  const shapes = async () => {
    const { rows } = await sql`
      SELECT count(*) FROM pg_proc WHERE proname = 'casefold'
      UNION ALL SELECT count(*) FROM pg_collation WHERE collname = 'pg_unicode_fast'`.execute(db)
    return rows
  }
  const before = await shapes()
  expect(before).toEqual([{ count: 1n }, { count: 1n }])
  await ensureCaseFolding(db)
  expect(await shapes()).toEqual(before)
  const { rows } = await sql<{ folded: string }>`
    SELECT casefold(${'ÄPFEL-Ω'}::text COLLATE pg_unicode_fast) AS folded`.execute(db)
  expect(rows).toEqual([{ folded: 'äpfel-ω' }])
})

test('one letter that folds to two, such as ß, is folded by PostgreSQL 18 and not by the stand-in of 17', async () => {
  const { rows } = await sql<{ is_one: boolean; is_newer: boolean }>`
    SELECT casefold('ß'::text COLLATE pg_unicode_fast) = casefold('SS'::text COLLATE pg_unicode_fast)
      AS is_one, current_setting('server_version_num')::int >= 180000 AS is_newer`.execute(
    database.db,
  )
  expect(rows[0]?.is_one).toBe(rows[0]?.is_newer)
})
