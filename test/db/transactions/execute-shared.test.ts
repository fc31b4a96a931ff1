import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConnectionSlots } from '../../../src/db/connections/connection-slots.ts'
import { createDatabase, inTransaction, readPool } from '../../../src/db/database.ts'
import { isConnectionLost } from '../../../src/db/errors.ts'
import { builtOnce } from '../../../src/db/transactions/built-once.ts'
import { executeShared } from '../../../src/db/transactions/execute.ts'
import { openProxied, type Proxied } from '../../support/stores/proxied-database.ts'

let { owned, database, proxy, db } = {} as Proxied
beforeAll(async () => {
  ;({ owned, database, proxy, db } = await openProxied({ maxConnections: 4 }))
})
afterAll(() => owned.disposeAsync())

type Asked = { by: number }
type Row = { n: number; pid: number }
const divide = builtOnce(
  (_db, { by }: Asked) => sql<Row>`SELECT 24 / ${by}::int AS n, pg_backend_pid() AS pid`,
)
const read = async (tenantId: string, by: number, from = db) => {
  const [row] = await executeShared(from, tenantId, divide({ by }))
  return row ?? { n: 0, pid: 0 }
}
const connectionsOf = (rows: readonly Row[]) => new Set(rows.map(({ pid }) => pid)).size

test('reads of a tenant that come at once share a connection and a packet, and each gets its own row', async () => {
  await read('a', 1)
  const before = proxy.packets
  const rows = await Promise.all([1, 2, 3, 4].map((by) => read('a', by)))
  expect(rows.map(({ n }) => n)).toEqual([24, 12, 8, 6])
  expect(connectionsOf(rows)).toBe(1)
  expect(proxy.packets - before).toBe(1)
  expect(readPool(db)).toMatchObject({ waiting: 0 })
})

test('reads of different tenants share nothing', async () => {
  const rows = await Promise.all(['a', 'b'].map((tenantId) => read(tenantId, 1)))
  expect(connectionsOf(rows)).toBe(2)
})

test('of many reads at once no connection has more than eight', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, () => read('a', 1)))
  const counts = [...Map.groupBy(rows, ({ pid }) => pid).values()].map(({ length }) => length)
  expect(counts.toSorted((a, b) => a - b)).toEqual([4, 8, 8])
})

test('a read that fails fails alone', async () => {
  const results = await Promise.allSettled([1, 0, 2].map((by) => read('a', by)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code: '22012' } })
})

test('reads whose table has changed since are run again', async () => {
  await sql`CREATE TABLE grown (id integer)`.execute(database.db)
  await sql`INSERT INTO grown VALUES (1)`.execute(database.db)
  const find = builtOnce((_db, { id }: { id: number }) => sql`SELECT * FROM grown WHERE id = ${id}`)
  const findBoth = () => Promise.all([1, 1].map((id) => executeShared(db, 'a', find({ id }))))
  expect(await findBoth()).toEqual([[{ id: 1 }], [{ id: 1 }]])
  await sql`ALTER TABLE grown ADD COLUMN note text`.execute(database.db)
  const grown = [{ id: 1, note: null }]
  expect(await findBoth()).toEqual([grown, grown])
})

test('a read within a transaction sees what it has written', async () => {
  await sql`CREATE TABLE written (id integer)`.execute(database.db)
  const count = builtOnce(
    (_db, { least }: { least: number }) =>
      sql<{ n: number }>`SELECT count(*)::int AS n FROM written WHERE id >= ${least}`,
  )
  const [seen, outside] = await inTransaction(db, async (tx) => {
    tx.send(sql`INSERT INTO written VALUES (${1})`)
    const within = await executeShared(tx, 'a', count({ least: 0 }))
    return [within, await executeShared(db, 'a', count({ least: 0 }))]
  })
  expect([seen, outside]).toEqual([[{ n: 1 }], [{ n: 0 }]])
})

test('reads whose connection is lost fail for that, and later ones get another', async () => {
  const cut = proxy.arm({ at: 2, when: 'before', effect: 'cut' })
  const results = await Promise.allSettled([1, 2, 3].map((by) => read('a', by)))
  await cut
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(failures.length).toBeGreaterThanOrEqual(2)
  for (const failure of failures) expect(isConnectionLost(failure)).toBe(true)
  expect(await read('a', 1)).toMatchObject({ n: 24 })
})

test('reads that get no connection fail with its error, and later ones are served', async () => {
  const limits = { total: 1, perName: 1, waitMs: 50 }
  const slots = createConnectionSlots(limits)
  const own = owned.use(createDatabase({ connectionString: proxy.url, maxConnections: 1, slots }))
  const released = Promise.withResolvers<void>()
  const holding = slots.run('a', () =>
    inTransaction(own, async (tx) => {
      await sql`SELECT 1`.execute(tx)
      await released.promise
    }),
  )
  const refused = await Promise.allSettled(
    [1, 2].map((by) => slots.run('a', () => read('a', by, own))),
  )
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  released.resolve()
  await holding
  expect(await slots.run('a', () => read('a', 1, own))).toMatchObject({ n: 24 })
})
