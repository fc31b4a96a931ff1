import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { builtOnce } from '../../../src/db/transactions/built-once.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile({ maxConnections: 1 })
let db: Db

beforeAll(async () => {
  db = database.db
  await sql`CREATE TABLE noted (id integer, note text)`.execute(db)
})

test('a statement is built once, and runs with the values of each call', async () => {
  let built = 0
  const pair = builtOnce((_db, { one, other }: { one: number; other: string }) => {
    built += 1
    return sql<{ one: number; other: string }>`SELECT ${one}::int AS one, ${other}::text AS other`
  })
  expect(await execute(db, pair({ one: 1, other: 'a' }))).toEqual([{ one: 1, other: 'a' }])
  expect(await execute(db, pair({ one: 2, other: 'b' }))).toEqual([{ one: 2, other: 'b' }])
  expect(built).toBe(1)
})

test('a value may stand in any place, and in several, also where values are equal at first', async () => {
  const places = builtOnce(
    (_db, { one, other }: { one: number; other: number }) =>
      sql`SELECT ${other}::int AS a, ${one}::int AS b, ${other}::int AS c`,
  )
  expect(await execute(db, places({ one: 1, other: 1 }))).toEqual([{ a: 1, b: 1, c: 1 }])
  expect(await execute(db, places({ one: 1, other: 2 }))).toEqual([{ a: 2, b: 1, c: 2 }])
})

test('a statement with a parameter that is made of a value is refused', async () => {
  const changed = builtOnce((_db, { one }: { one: number }) => sql`SELECT ${one + 1}::int`)
  await expect(execute(db, changed({ one: 1 }))).rejects.toThrow('a parameter is made of a value')
})

test('a statement within a transaction sees what it has written, and is undone with it', async () => {
  const insert = builtOnce(
    (_db, { id }: { id: number }) => sql`INSERT INTO noted (id) VALUES (${id})`,
  )
  const find = builtOnce((given, { id }: { id: number }) =>
    given
      .selectFrom('noted' as never)
      .select('id' as never)
      .where('id' as never, '=', id as never),
  )
  const failing = inTransaction(db, async (tx) => {
    tx.send(insert({ id: 7 }))
    expect(await execute(tx, find({ id: 7 }))).toEqual([{ id: 7 }])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await execute(db, find({ id: 7 }))).toEqual([])
})
