import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtOnce, readOnce } from '../../src/db/built-once.ts'
import { createDatabase, type Db, inTransaction, readPool, type Tx } from '../../src/db/database.ts'
import { describeFailure } from '../../src/domain/work/failure.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 })
  db = database.db
  await sql`CREATE TABLE kept (id integer PRIMARY KEY)`.execute(db)
})
afterAll(() => database[Symbol.asyncDispose]())

const keep = (on: Db, id: number) => sql`INSERT INTO kept VALUES (${id})`.execute(on)

async function readKept(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM kept ORDER BY id`.execute(db)
  return rows.map(({ id }) => id)
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof Error)) throw new Error('it has not failed')
  return failure
}

test('what a transaction wrote is kept together, and undone together where it throws', async () => {
  await inTransaction(db, async (tx) => {
    await keep(tx, 1)
    await keep(tx, 2)
  })
  const failing = inTransaction(db, async (tx) => {
    await keep(tx, 3)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await readKept()).toEqual([1, 2])
})

test('a change tells how many rows it was, and a read does not', async () => {
  await inTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`UPDATE kept SET id = id + 10`.execute(tx)
    expect(numAffectedRows).toBe(2n)
    expect((await sql`SELECT id FROM kept`.execute(tx)).numAffectedRows).toBeUndefined()
  })
  expect(await readKept()).toEqual([11, 12])
})

test('a transaction of which a statement failed does not seem to have committed', async () => {
  const failing = inTransaction(db, async (tx) => {
    await keep(tx, 4)
    await sql`SELECT 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(failing).rejects.toThrow('rolled back, because one of its statements had failed')
  expect(await readKept()).toEqual([11, 12])
})

test('a query of a transaction that has ended is refused, and reaches no other', async () => {
  let ended: Tx | undefined
  await inTransaction(db, async (tx) => {
    await keep(tx, 5)
    ended = tx
  })
  await inTransaction(db, async (tx) => {
    await keep(tx, 6)
    await expect(keep(ended ?? tx, 7)).rejects.toThrow('the transaction has ended before "INSERT')
    const late = builtOnce((_db, { id }: { id: number }) => sql`INSERT INTO kept VALUES (${id})`)
    await expect(late(ended ?? tx, { id: 8 })).rejects.toThrow('the transaction has ended before')
    const read = readOnce(
      (_db, { tenantId }: { tenantId: string }) => sql`SELECT ${tenantId}::text`,
    )
    const reads = ['a', 'b'].map((tenantId) => read(ended ?? tx, { tenantId }))
    for (const result of await Promise.allSettled(reads)) {
      expect(result).toMatchObject({ status: 'rejected' })
    }
  })
  expect(await readKept()).toEqual([5, 6, 11, 12])
})

test('a statement that fails tells which line of ours has asked for it', async () => {
  const failing = inTransaction(db, async (tx) => {
    await keep(tx, 5)
  })
  const place = describeFailure(await failureOf(failing))
  expect(place).toMatch(/^database error 23505 \(kept_pkey\) at db\/own-transaction\.test\.ts:\d+$/)
})

test('a connection whose transaction cannot be undone serves no other', async () => {
  const failing = inTransaction(db, async (tx) => {
    await keep(tx, 9)
    await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx)
  })
  await failureOf(failing)
  expect(await readKept()).toEqual([5, 6, 11, 12])
})

test('a database that has begun nothing but transactions closes its connections', async () => {
  const own = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await inTransaction(own, async (tx) => {
    await sql`SELECT 1`.execute(tx)
  })
  expect(readPool(own).total).toBe(1)
  await own.destroy()
  expect(readPool(own).total).toBe(0)
  await own.destroy()
})
