import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOnce } from '../../src/db/built-once.ts'
import { createConnectionSlots } from '../../src/db/connection-slots.ts'
import { createDatabase, type Db, inTransaction } from '../../src/db/database.ts'
import { isConnectionLost } from '../../src/db/errors.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 2 })
  db = database.db
})

afterAll(() => database[Symbol.asyncDispose]())

type Asked = { tenantId: string; n: number }

/** `begun` is of the transaction: reads of one message have it in common. With its process, as two
 * connections may begin in one microsecond. */
const read = readOnce(
  (_db, { tenantId, n }: Asked) =>
    sql<{ tenant: string; n: number; begun: string }>`
      SELECT ${tenantId}::text AS tenant, 6 / ${n}::int AS n,
        pg_backend_pid() || ' ' || now() AS begun`,
)

/** So that every connection has the statement parsed. */
async function parseEverywhere(): Promise<void> {
  const reads = ['a', 'b'].map((tenantId) => read(db, { tenantId, n: 1 }))
  await Promise.all(reads)
  await Promise.all(['a', 'b'].map((tenantId) => read(db, { tenantId, n: 1 })))
}

test('reads of a tenant that come at once share a message, and each gets its own rows', async () => {
  await parseEverywhere()
  const numbers = [1, 2, 3, 6]
  const rows = await Promise.all(numbers.map((n) => read(db, { tenantId: 'a', n })))
  expect(rows.map(([row]) => row?.n)).toEqual([6, 3, 2, 1])
  expect(new Set(rows.map(([row]) => row?.begun)).size).toBe(1)
})

test('reads of different tenants share nothing', async () => {
  await parseEverywhere()
  const asked = ['a', 'b'].map((tenantId) => read(db, { tenantId, n: 1 }))
  const [[one] = [], [other] = []] = await Promise.all(asked)
  expect([one?.tenant, other?.tenant]).toEqual(['a', 'b'])
  expect(one?.begun).not.toBe(other?.begun)
})

test('of many reads at once no message has more than eight', async () => {
  await parseEverywhere()
  const asked = Array.from({ length: 40 }, () => read(db, { tenantId: 'a', n: 1 }))
  const begun = (await Promise.all(asked)).map(([row]) => row?.begun)
  const sizes = [...Map.groupBy(begun, (instant) => instant).values()].map(({ length }) => length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8)
})

test('a read that fails fails alone', async () => {
  await parseEverywhere()
  const asked = [1, 0, 2, 0, 3].map((n) => read(db, { tenantId: 'a', n }))
  const settled = await Promise.allSettled(asked)
  expect(
    settled.map((result) => (result.status === 'fulfilled' ? result.value[0]?.n : 'failed')),
  ).toEqual([6, 'failed', 3, 'failed', 2])
  expect(settled[1]).toMatchObject({ reason: { message: 'division by zero' } })
  expect(await read(db, { tenantId: 'a', n: 2 })).toMatchObject([{ n: 3 }])
})

test('reads whose table has changed since are run again', async () => {
  await sql`CREATE TABLE grown (tenant_id text, id integer)`.execute(db)
  await sql`INSERT INTO grown VALUES ('a', 1)`.execute(db)
  const find = readOnce((_db, { tenantId, id }: { tenantId: string; id: number }) => {
    return sql`SELECT * FROM grown WHERE tenant_id = ${tenantId} AND id = ${id}`
  })
  const findBoth = () =>
    Promise.all([find(db, { tenantId: 'a', id: 1 }), find(db, { tenantId: 'a', id: 2 })])
  for (let round = 0; round < 3; round += 1) {
    expect(await findBoth()).toEqual([[{ tenant_id: 'a', id: 1 }], []])
  }
  await sql`ALTER TABLE grown ADD COLUMN note text`.execute(db)
  expect(await findBoth()).toEqual([[{ tenant_id: 'a', id: 1, note: null }], []])
})

test('a read within a transaction sees what it has written', async () => {
  await sql`CREATE TABLE noted (tenant_id text, id integer)`.execute(db)
  const count = readOnce((_db, { tenantId }: { tenantId: string }) => {
    return sql`SELECT count(*)::int AS n FROM noted WHERE tenant_id = ${tenantId}`
  })
  await inTransaction(db, async (tx) => {
    await sql`INSERT INTO noted VALUES ('a', 1)`.execute(tx)
    const both = Promise.all([count(tx, { tenantId: 'a' }), count(db, { tenantId: 'a' })])
    expect(await both).toEqual([[{ n: 1 }], [{ n: 0 }]])
  })
})

test('reads whose connection is lost fail for that, and later ones get another', async () => {
  const wait = readOnce((_db, { tenantId, seconds }: { tenantId: string; seconds: number }) => {
    return sql<{ pid: number }>`
      SELECT pg_backend_pid() AS pid FROM pg_sleep(${seconds}::float) WHERE ${tenantId}::text = 'a'`
  })
  const waitBoth = (seconds: number) =>
    Promise.allSettled([wait(db, { tenantId: 'a', seconds }), wait(db, { tenantId: 'a', seconds })])
  await Promise.all([
    waitBoth(0),
    inTransaction(db, (tx) => wait(tx, { tenantId: 'a', seconds: 0 })),
  ])
  const lost = waitBoth(60)
  await waitFor(async () => {
    const { rows } = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`.execute(db)
    expect(rows).toHaveLength(1)
  })
  for (const result of await lost) {
    expect(result.status === 'rejected' && isConnectionLost(result.reason)).toBe(true)
  }
  expect((await waitBoth(0)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('reads that get no connection fail with its error, and later ones are served', async () => {
  const slots = createConnectionSlots({ total: 1, perName: 1, waitMs: 20 })
  const shared = createDatabase({ connectionString: database.url, maxConnections: 1, slots })
  const readShared = (n: number) => read(shared, { tenantId: 'a', n })
  await slots.run('a', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const holds = Promise.withResolvers<void>()
    const holder = inTransaction(shared, async (tx) => {
      await sql`SELECT 1`.execute(tx)
      holds.resolve()
      await held
    })
    await holds.promise
    const both = await Promise.allSettled([readShared(1), readShared(2)])
    const refused = { status: 'rejected', reason: { code: 'unavailable' } }
    expect(both).toMatchObject([refused, refused])
    letGo()
    await holder
    expect(await readShared(3)).toMatchObject([{ n: 2 }])
  })
  await shared.destroy()
})
