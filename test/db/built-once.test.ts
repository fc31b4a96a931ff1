import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtOnce, heardOnce } from '../../src/db/built-once.ts'
import { type Db, inTransaction } from '../../src/db/database.ts'
import { ROWS_WITH_NEXT } from '../../src/db/known-statements.ts'
import { rowsBefore } from '../../src/db/prepared-query.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 })
  db = database.db
  await sql`CREATE TABLE noted (id integer, note text)`.execute(db)
})

afterAll(() => database[Symbol.asyncDispose]())

test('a query is built once, and runs with the values of each call', async () => {
  let built = 0
  const pair = builtOnce((_db, { one, other }: { one: number; other: string }) => {
    built += 1
    return sql<{ one: number; other: string }>`SELECT ${one}::int AS one, ${other}::text AS other`
  })
  expect(await pair(db, { one: 1, other: 'a' })).toEqual([{ one: 1, other: 'a' }])
  expect(await pair(db, { one: 2, other: 'b' })).toEqual([{ one: 2, other: 'b' }])
  expect(built).toBe(1)
})

test('a value may stand in any place, and in several, also where values are equal at first', async () => {
  const places = builtOnce(
    (_db, { one, other }: { one: number; other: number }) =>
      sql`SELECT ${other}::int AS a, ${one}::int AS b, ${other}::int AS c`,
  )
  expect(await places(db, { one: 1, other: 1 })).toEqual([{ a: 1, b: 1, c: 1 }])
  expect(await places(db, { one: 1, other: 2 })).toEqual([{ a: 2, b: 1, c: 2 }])
})

test('a query with a parameter that is made of a value is refused', () => {
  const changed = builtOnce((_db, { one }: { one: number }) => sql`SELECT ${one + 1}::int`)
  expect(() => changed(db, { one: 1 })).toThrow('a parameter is made of a value')
})

test('a query within a transaction sees what it has written, and is undone with it', async () => {
  const insert = builtOnce(
    (_db, { id }: { id: number }) => sql`INSERT INTO noted (id) VALUES (${id})`,
  )
  const find = builtOnce(
    (_db, { id }: { id: number }) => sql`SELECT id FROM noted WHERE id = ${id}`,
  )
  const failing = inTransaction(db, async (tx) => {
    await insert(tx, { id: 7 })
    expect(await find(tx, { id: 7 })).toEqual([{ id: 7 }])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await find(db, { id: 7 })).toEqual([])
})

test('queries of a transaction that are asked at one time do not mix, though one is sent in parts', async () => {
  await using own = await createTestDatabase({ maxConnections: 1 })
  type Given = { id: number }
  const first = builtOnce((_db, { id }: Given) => sql<Given>`SELECT ${id}::int AS id`)
  const waits = builtOnce(
    (_db, { id }: Given) => sql<Given>`${sql.raw(ROWS_WITH_NEXT)} SELECT ${id}::int AS id`,
  )
  const next = builtOnce((_db, { id }: Given) => sql<Given>`SELECT -${id}::int AS id`)
  const both = async (tx: Db) => {
    await waits(tx, { id: 2 })
    const rows = await next(tx, { id: 3 })
    return [...rowsBefore(rows), rows]
  }
  // The first is new to the connection: BEGIN is sent before it.
  const answers = await inTransaction(own.db, (tx) => Promise.all([first(tx, { id: 1 }), both(tx)]))
  expect(answers).toEqual([[{ id: 1 }], [[{ id: 2 }], [{ id: -3 }]]])
})

test('rows that are wanted first are there before the statements that share their message have ended', async () => {
  await using own = await createTestDatabase({ maxConnections: 2 })
  const read = heardOnce(
    (_db, { id }: { id: number }) =>
      sql<{ id: number }>`${sql.raw(ROWS_WITH_NEXT)} SELECT ${id}::int AS id`,
    { isAwaited: true },
  )
  const wait = builtOnce(
    (_db, { key }: { key: number }) => sql`SELECT pg_advisory_xact_lock(${key})`,
  )
  const heard: number[] = []
  const readAndWait = (id: number) =>
    inTransaction(own.db, async (tx) => {
      await read(tx, { id }, (rows) => heard.push(...rows.map((row) => row.id)))
      await wait(tx, { key: 1 })
    })
  // The first makes the statements known to the connection, and sends each on its own.
  await readAndWait(1)
  expect(heard).toEqual([1])
  let waiting = Promise.resolve()
  await inTransaction(own.db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx)
    waiting = readAndWait(2)
    await waitFor(() => expect(heard).toEqual([1, 2]))
  })
  await waiting
  expect(heard).toEqual([1, 2])
})

test('a query that fails gives its connection back', async () => {
  const divide = builtOnce(
    (_db, { by }: { by: number }) => sql<{ n: number }>`SELECT 6 / ${by}::int AS n`,
  )
  await expect(divide(db, { by: 0 })).rejects.toThrow('division by zero')
  expect(await divide(db, { by: 2 })).toEqual([{ n: 3 }])
})

test('a query whose table has changed since is run again', async () => {
  await sql`CREATE TABLE grown (id integer)`.execute(db)
  await sql`INSERT INTO grown VALUES (1)`.execute(db)
  const find = builtOnce((_db, { id }: { id: number }) => sql`SELECT * FROM grown WHERE id = ${id}`)
  expect(await find(db, { id: 1 })).toEqual([{ id: 1 }])
  await sql`ALTER TABLE grown ADD COLUMN note text`.execute(db)
  expect(await find(db, { id: 1 })).toEqual([{ id: 1, note: null }])
})
