import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import { WITH_NEXT } from '../../src/db/known-statements.ts'
import { unlessChanged } from '../../src/db/unless-changed.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`CREATE TABLE things (id int, state text)`.execute(database.db)
  await sql`INSERT INTO things VALUES (1, 'OPEN'), (2, 'CLOSED')`.execute(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

async function close(tx: Tx, id: number): Promise<void> {
  const state = unlessChanged('state', { was: 'OPEN', next: 'CLOSED', name: `thing ${id}` })
  await sql`UPDATE things SET state = ${state} WHERE id = ${id}::int ${sql.raw(WITH_NEXT)}`.execute(
    tx,
  )
}

const stored = async () =>
  (
    await sql<{ state: string }>`SELECT state FROM things ORDER BY id`.execute(database.db)
  ).rows.map(({ state }) => state)

test('an update of a row that has changed undoes its transaction, and names it', async () => {
  const run = (ids: number[]) =>
    inTransaction(database.db, async (tx) => {
      for (const id of ids) await close(tx, id)
    })
  await expect(run([1, 2])).rejects.toThrow('thing 2 changed under its lock: CLOSED')
  expect(await stored()).toEqual(['OPEN', 'CLOSED'])
  await run([1])
  expect(await stored()).toEqual(['CLOSED', 'CLOSED'])
})
