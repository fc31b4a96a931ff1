import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createDatabase,
  type Db,
  inTransaction,
  readPool,
  readSilence,
  takesWrites,
} from '../../../src/db/database.ts'
import { isConnectionLost } from '../../../src/db/errors.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { waitFor } from '../../support/process/patience.ts'
import { openProxied, type Proxied } from '../../support/stores/proxied-database.ts'

// Above the limit of the server, by so much.
const MARGIN_MS = 3_000

let { owned, database, proxy, db } = {} as Proxied
beforeEach(async () => {
  ;({ owned, database, proxy, db } = await openProxied({ maxConnections: 1, limitMs: 500 }))
  await sql`CREATE TABLE kept (id integer)`.execute(database.db)
  await sql`SELECT 1`.execute(db)
})
afterEach(() => owned.disposeAsync())

async function timed(run: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const begun = performance.now()
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { error, ms: performance.now() - begun }
}

test('packets that vanish, in either direction or both, end a statement and a transaction after the deadline, and the next one is served', async () => {
  const endAfterDeadline = async (direction: 'to_server' | 'to_client' | 'both') => {
    const { owned, proxy, db } = await openProxied({ maxConnections: 1, limitMs: 500 })
    await using _owned = owned
    await sql`CREATE TABLE kept (id integer)`.execute(db)
    const runs = [
      () => sql`SELECT ${1}::int`.execute(db),
      () => inTransaction(db, async (tx) => tx.send(sql`INSERT INTO kept VALUES (${1})`)),
    ]
    for (const run of runs) {
      proxy.silence(direction)
      const { error, ms } = await timed(run)
      expect({ direction, isLost: isConnectionLost(error) }).toEqual({ direction, isLost: true })
      expect(ms).toBeGreaterThan(500)
      expect(ms).toBeLessThan(500 + MARGIN_MS + 4_000)
      proxy.silence('none')
      await sql`SELECT 1`.execute(db)
    }
    expect(readPool(db)).toMatchObject({ total: 1, waiting: 0 })
  }
  await Promise.all((['to_server', 'to_client', 'both'] as const).map(endAfterDeadline))
}, 60_000)

test('once a statement was not answered in time, its pool leaves all connections that have not answered since', async () => {
  const own = owned.use(
    createDatabase({ connectionString: proxy.url, maxConnections: 4, limitMs: 500 }),
  )
  await Promise.all([1, 2, 3, 4].map(() => sql`SELECT pg_sleep(0.1)`.execute(own)))
  proxy.silence('both')
  const { error } = await timed(() => sql`SELECT 1`.execute(own))
  expect(isConnectionLost(error)).toBe(true)
  proxy.silence('none')
  const { error: none, ms } = await timed(() =>
    Promise.all([1, 2, 3, 4].map(() => sql`SELECT 1`.execute(own))),
  )
  expect(none).toBeUndefined()
  expect(ms).toBeLessThan(2_000)
}, 30_000)

test('a statement that its own transaction gives more time has it', async () => {
  const own = owned.use(
    createDatabase({ connectionString: proxy.url, maxConnections: 3, limitMs: 500 }),
  )
  const sleep = sql`SELECT pg_sleep(4)`
  const [, , { error }] = await Promise.all([
    inTransaction(own, async (tx) => {
      tx.limitStatements(30)
      await sleep.execute(tx)
    }),
    inSnapshot(own, { seconds: 30 }, (tx) => sleep.execute(tx)),
    timed(() => sleep.execute(own)),
  ])
  expect(isConnectionLost(error)).toBe(true)
}, 60_000)

test('the server’s own limit comes before that of the process', async () => {
  const ordinary = owned.use(createDatabase({ connectionString: proxy.url, maxConnections: 1 }))
  const { error } = await timed(() =>
    inTransaction(ordinary, async (tx) => {
      tx.limitStatements(1)
      await sql`SELECT pg_sleep(60)`.execute(tx)
    }),
  )
  expect(error).toMatchObject({ code: '57014' })
})

test('how long PostgreSQL has been silent is known until it answers, also once what waited has given up', async () => {
  expect(readSilence(db)).toBe(0)
  proxy.silence('to_client')
  const waiting = timed(() => sql`SELECT 1`.execute(db))
  await waitFor(() => expect(readSilence(db)).toBeGreaterThan(1_000))
  await waiting
  expect(readSilence(db)).toBeGreaterThan(1_000)
  proxy.silence('none')
  await sql`SELECT 1`.execute(db)
  expect(readSilence(db)).toBe(0)
})

test('a connection on which the server reports an error and goes on no more is closed, and the next one serves', async () => {
  proxy.isSilentAfterErrors = true
  const zero = 0
  const failing = [
    (own: Db) => sql`SELECT 1 / 0`.execute(own),
    (own: Db) => sql`SELECT 1 / ${zero}::int`.execute(own),
    (own: Db) => inTransaction(own, (tx) => sql`SELECT 1 / ${zero}::int`.execute(tx)),
  ]
  const failAndGoOn = async (fail: (typeof failing)[number]) => {
    const pool = { connectionString: proxy.url, maxConnections: 1, limitMs: 500 }
    const own = owned.use(createDatabase(pool))
    const { error, ms } = await timed(() => fail(own))
    expect(error).toMatchObject({ code: '22012' })
    expect(ms).toBeLessThan(6_000)
    const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(own)
    expect(rows).toEqual([{ one: 1 }])
  }
  await Promise.all(failing.map(failAndGoOn))
}, 60_000)

describe('a connection to a server that takes no writes', () => {
  test.each([
    ['a statement', () => sql`INSERT INTO kept VALUES (1)`.execute(db)],
    [
      'a transaction',
      () => inTransaction(db, async (tx) => tx.send(sql`INSERT INTO kept VALUES (1)`)),
    ],
  ])('is closed once %s has met it, within a transaction', async (_name, write) => {
    await sql`SET default_transaction_read_only = on`.execute(db)
    const before = proxy.executed.length
    const { error } = await timed(write)
    expect(isConnectionLost(error)).toBe(true)
    // PgBouncer keeps a server whose transactions have all ended.
    const sent = proxy.executed.slice(before)
    const begun = sent.filter((text) => text === 'BEGIN').length
    const ended = sent.filter((text) => /^(?:COMMIT|ROLLBACK)$/.test(text)).length
    expect(begun - ended).toBe(1)
    await write()
    const { rows } = await sql`SELECT id FROM kept`.execute(db)
    expect(rows).toEqual([{ id: 1 }])
  })

  test('is closed by the check for readiness, which then finds another', async () => {
    await sql`SET default_transaction_read_only = on`.execute(db)
    expect(await takesWrites(db)).toBe(true)
    await sql`INSERT INTO kept VALUES (2)`.execute(db)
  })
})
