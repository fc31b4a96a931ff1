import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`CREATE TABLE notes (text text PRIMARY KEY)`.execute(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => sql`TRUNCATE notes`.execute(database.db))

const note = (tx: Tx, text: string) => sql`INSERT INTO notes VALUES (${text})`.execute(tx)

async function readNotes() {
  const { rows } = await sql<{ text: string }>`SELECT text FROM notes ORDER BY text`.execute(
    database.db,
  )
  return rows.map(({ text }) => text)
}

/** What is done before COMMIT, and how it ended. */
function createPreparation(run: (tx: Tx) => Promise<unknown>) {
  const ended: boolean[] = []
  const add = (tx: Tx) =>
    tx.preparations.add('note', {
      isWanted: () => true,
      run: () => run(tx),
      end: (isUndone) => ended.push(isUndone),
    })
  return { add, ended }
}

test('what is to be done before COMMIT is done once', async () => {
  const { add, ended } = createPreparation((tx) => note(tx, 'prepared'))
  await inTransaction(database.db, async (tx) => {
    add(tx)
    add(tx)
    await note(tx, 'change')
  })
  expect(await readNotes()).toEqual(['change', 'prepared'])
  expect(ended).toEqual([false])
})

test('a transaction whose preparation fails is undone and run once more without it', async () => {
  const failures = [
    (tx: Tx) => sql`SELECT 1 / 0`.execute(tx),
    async (tx: Tx) => tx.send(sql`SELECT 1 / 0`),
    () => Promise.reject(new RangeError('of ours')),
  ]
  for (const fail of failures) {
    await sql`TRUNCATE notes`.execute(database.db)
    const { add, ended } = createPreparation(fail)
    let runs = 0
    await inTransaction(database.db, async (tx) => {
      runs += 1
      add(tx)
      await note(tx, `change ${runs}`)
    })
    expect(await readNotes()).toEqual(['change 2'])
    expect(ended).toEqual([true, false])
  }
})

test('a transaction that fails by itself is not run once more', async () => {
  const { add, ended } = createPreparation((tx) => note(tx, 'prepared'))
  let runs = 0
  const failed = inTransaction(database.db, async (tx) => {
    runs += 1
    add(tx)
    throw new RangeError('of the change')
  })
  await expect(failed).rejects.toThrow('of the change')
  expect(await readNotes()).toEqual([])
  expect({ runs, ended }).toEqual({ runs: 1, ended: [false] })
})

test('a transaction that must not be run once more has nothing done before COMMIT', async () => {
  const { add, ended } = createPreparation((tx) => note(tx, 'prepared'))
  await inTransaction(database.db, async (tx) => {
    tx.preparations.areSkipped = true
    add(tx)
    await note(tx, 'change')
  })
  expect(await readNotes()).toEqual(['change'])
  expect(ended).toEqual([false])
})
