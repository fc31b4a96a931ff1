import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOnce } from '../../src/db/built-once.ts'
import { createDatabase, type Db, inTransaction, type Tx } from '../../src/db/database.ts'
import { ROWS_WITH_NEXT, WITH_COMMIT } from '../../src/db/known-statements.ts'
import { rowsBefore } from '../../src/db/prepared-query.ts'
import { inSnapshot } from '../../src/db/snapshot.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

const READY_FOR_QUERY = 'Z'.charCodeAt(0)

let database: TestDatabase
let db: Db
let answers = 0
const cleanup = new AsyncDisposableStack()

/** Counts what the server has answered: one a message of the client. */
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase())
  const url = new URL(database.url)
  const { port, hostname } = url
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    let left = Buffer.alloc(0)
    upstream.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk])
      while (left.length >= 5 && left.length > left.readInt32BE(1)) {
        if (left[0] === READY_FOR_QUERY) answers += 1
        left = left.subarray(1 + left.readInt32BE(1))
      }
      client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanup.defer(() => server[Symbol.asyncDispose]())
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  db = cleanup.use(createDatabase({ connectionString: url.href, maxConnections: 1 }))
  await sql`CREATE TABLE numbers (n int)`.execute(db)
})

afterAll(() => cleanup.disposeAsync())

const readQuotient = readOnce(
  (_db, { tenantId, n }: { tenantId: string; n: number }) =>
    sql<{ n: number }>`SELECT 12 / ${n}::int AS n WHERE ${tenantId}::text IS NOT NULL`,
)

const readNumbers = readOnce(
  (_db, { tenantId }: { tenantId: string }) =>
    sql<{ n: number }>`SELECT n FROM numbers WHERE ${tenantId}::text IS NOT NULL`,
)

const divide = async (from: Db, n: number) =>
  (await readQuotient(from, { tenantId: 'a', n })).map((row) => row.n)

const insert = (tx: Db, n: number) => sql`INSERT INTO numbers VALUES (${n}::int)`.execute(tx)

const stored = async (from = db) => (await readNumbers(from, { tenantId: 'a' })).map(({ n }) => n)

async function counted<T>(run: () => Promise<T>): Promise<{ result: T; messages: number }> {
  const before = answers
  const result = await run()
  return { result, messages: answers - before }
}

/** Twice, so that every statement is parsed the second time. */
async function twice<T>(run: () => Promise<T>): Promise<{ result: T; messages: number }> {
  await run()
  return await counted(run)
}

describe('reads of a transaction', () => {
  test('that come at one time share a message, and each gets its own rows', async () => {
    const { result, messages } = await twice(() =>
      inTransaction(db, (tx) => Promise.all([1, 2, 3, 4].map((n) => divide(tx, n)))),
    )
    expect(result).toEqual([[12], [6], [4], [3]])
    // The reads with the begin of their transaction, and its commit.
    expect(messages).toBe(2)
  })

  test('that follow from one answer share the next message, whatever each of them waited for', async () => {
    const readBoth = async (tx: Tx) => {
      const [first = 0] = await divide(tx, 3)
      return await divide(tx, first)
    }
    const { result, messages } = await twice(() =>
      inTransaction(db, (tx) => Promise.all([readBoth(tx), readBoth(tx)])),
    )
    expect([result, messages]).toEqual([[[3], [3]], 3])
  })

  test('that come one after the other are sent so', async () => {
    const { messages } = await twice(() =>
      inTransaction(db, async (tx) => [await divide(tx, 1), await divide(tx, 2)]),
    )
    expect(messages).toBe(3)
  })

  test('have their rows also where the connection does not know a statement yet', async () => {
    const other = readOnce(
      (_db, { tenantId }: { tenantId: string }) => sql`SELECT ${tenantId}::text AS other`,
    )
    const rows = await inTransaction(db, (tx) =>
      Promise.all([divide(tx, 1), other(tx, { tenantId: 'b' })]),
    )
    expect(rows).toEqual([[12], [{ other: 'b' }]])
  })

  test('are no more than eight a message', async () => {
    const { result, messages } = await twice(() =>
      inTransaction(db, (tx) => Promise.all(Array.from({ length: 40 }, () => divide(tx, 1)))),
    )
    expect([result.length, messages]).toEqual([40, 6])
  })

  test('see what was written before them', async () => {
    await sql`DELETE FROM numbers`.execute(db)
    const seen = await inTransaction(db, async (tx) => {
      await insert(tx, 5)
      return await Promise.all([stored(tx), divide(tx, 1), stored(tx)])
    })
    expect(seen).toEqual([[5], [12], [5]])
  })

  test('of a snapshot take its begin with them', async () => {
    const { result, messages } = await twice(() =>
      inSnapshot(db, {}, async (tx) => {
        const [first] = await Promise.all([divide(tx, 1), divide(tx, 2)])
        const { rows } =
          await sql`SELECT current_setting('transaction_isolation') AS level`.execute(tx)
        return [first, rows]
      }),
    )
    expect([result, messages]).toEqual([[[12], [{ level: 'repeatable read' }]], 3])
  })
})

describe('of reads that share a message', () => {
  test('one that fails is the failure of all, undoes the transaction and spares the next', async () => {
    await sql`DELETE FROM numbers`.execute(db)
    const failing = inTransaction(db, async (tx) => {
      await insert(tx, 1)
      await Promise.all([divide(tx, 1), divide(tx, 0), divide(tx, 2)])
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await inTransaction(db, (tx) => divide(tx, 3))).toEqual([4])
    expect(await stored()).toEqual([])
  })

  test('none is sent after a rollback that overtakes them', async () => {
    const failing = inTransaction(db, async (tx) => {
      await insert(tx, 1)
      await Promise.all([
        divide(tx, 1),
        divide(tx, 2),
        Promise.reject(new Error('changed my mind')),
      ])
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await divide(db, 3)).toEqual([4])
    expect(await stored()).toEqual([])
  })

  test('the first finds the rows of what was sent with the next statement', async () => {
    const read = async (tx: Tx) => {
      await sql`${sql.raw(ROWS_WITH_NEXT)} SELECT ${9}::int AS before`.execute(tx)
      const reads = [1, 2].map((n) => readQuotient(tx, { tenantId: 'a', n }))
      const [first = [], second] = await Promise.all(reads)
      return [rowsBefore(first), first, second]
    }
    const { result, messages } = await twice(() => inTransaction(db, read))
    expect(result).toEqual([[[{ before: 9 }]], [{ n: 12 }], [{ n: 6 }]])
    expect(messages).toBe(2)
  })

  test('none runs after a statement that has committed the transaction', async () => {
    await sql`DELETE FROM numbers`.execute(db)
    const failing = inTransaction(db, async (tx) => {
      await sql`${sql.raw(WITH_COMMIT)} INSERT INTO numbers VALUES (${1}::int)`.execute(tx)
      await Promise.all([divide(tx, 1), divide(tx, 2)])
    })
    await expect(failing).rejects.toThrow('a transaction was committed before')
    expect(await stored()).toEqual([1])
  })
})
