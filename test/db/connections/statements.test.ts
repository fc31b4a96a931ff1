import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, inTransaction } from '../../../src/db/database.ts'
import { execute, unprepared } from '../../../src/db/transactions/execute.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { openProxied, type Proxied } from '../../support/stores/proxied-database.ts'
import { startWireProxy } from '../../support/stores/wire-proxy.ts'

let { owned, database, proxy, db } = {} as Proxied
beforeAll(async () => {
  ;({ owned, database, proxy, db } = await openProxied({ maxConnections: 1 }))
})
afterAll(() => owned.disposeAsync())

const selectAll = (table: string, id: number) =>
  sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} WHERE id = ${id}`

async function readPrepared(part: string): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements ORDER BY prepare_time`.execute(db)
  return rows.map(({ statement }) => statement).filter((text) => text.includes(part))
}

async function createTable(name: string): Promise<void> {
  await sql`CREATE TABLE ${sql.table(name)} (id integer)`.execute(database.db)
  await sql`INSERT INTO ${sql.table(name)} VALUES (1)`.execute(database.db)
}

const widen = (table: string) =>
  sql`ALTER TABLE ${sql.table(table)} ADD COLUMN note text`.execute(database.db)

test('a statement with parameters is prepared once, however often it runs', async () => {
  await createTable('often')
  for (const id of [1, 2, 1]) await execute(db, selectAll('often', id))
  expect(await readPrepared('"often" WHERE')).toHaveLength(1)
})

test('a statement that is executed unprepared is not prepared', async () => {
  await createTable('planned_each_time')
  for (const id of [1, 2]) {
    const rows = await execute(db, unprepared(selectAll('planned_each_time', id)))
    expect(rows).toHaveLength(id === 1 ? 1 : 0)
  }
  await inTransaction(db, async (tx) => tx.send(unprepared(selectAll('planned_each_time', 1))))
  expect(await readPrepared('planned_each_time')).toEqual([])
})

test('of thousands of statements a connection prepares a few hundred', async () => {
  await using own = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await inTransaction(own, async (tx) => {
    for (let at = 0; at < 1_000; at += 1) tx.send(sql`SELECT ${at}::int AS ${sql.ref(`n${at}`)}`)
  })
  const { rows } = await sql`SELECT FROM pg_prepared_statements`.execute(own)
  expect(rows).toHaveLength(500)
})

describe.each(['English', 'another language'])('with messages in %s', (language) => {
  const name = (table: string) => `${table}_${language === 'English' ? 'en' : 'other'}`
  beforeEach(() => {
    proxy.translatesErrors = language !== 'English'
    return () => {
      proxy.translatesErrors = false
    }
  })

  test('a statement is run again when its table has gained a column since it was prepared', async () => {
    const table = name('widened')
    await createTable(table)
    await execute(db, selectAll(table, 1))
    await widen(table)
    expect(await execute(db, selectAll(table, 1))).toEqual([{ id: 1, note: null }])
  })

  test('a transaction is run again when a table has gained a column since its plan was made', async () => {
    const table = name('widened_within')
    await createTable(table)
    await execute(db, selectAll(table, 1))
    await widen(table)
    let runs = 0
    const rows = await inTransaction(db, async (tx) => {
      runs += 1
      tx.send(sql`UPDATE ${sql.table(table)} SET id = id + 1 WHERE id < ${100}`)
      return await execute(tx, selectAll(table, 2))
    })
    expect(rows).toEqual([{ id: 2, note: null }])
    await widenAgain(table)
    await inTransaction(db, async (tx) => tx.send(selectAll(table, 2)))
    expect(runs).toBe(2)
  })

  const widenAgain = (table: string) =>
    sql`ALTER TABLE ${sql.table(table)} ADD COLUMN other text`.execute(database.db)

  test('a statement that fails for another reason is not run again', async () => {
    const runs = name('runs')
    await sql`CREATE SEQUENCE ${sql.table(runs)}`.execute(database.db)
    const failing = sql`SELECT nextval(${sql.lit(runs)}), 1 / ${0}::int`
    await expect(execute(db, failing)).rejects.toMatchObject({ code: '22012' })
    const { rows } = await sql`SELECT last_value FROM ${sql.table(runs)}`.execute(db)
    expect(rows).toEqual([{ last_value: 1n }])
  })
})

// A pooler knows a statement by its text, and so does its plan.
test('a statement that is prepared again has another text than the one with the stale plan', async () => {
  await createTable('made_again')
  await execute(db, selectAll('made_again', 1))
  await widen('made_again')
  for (const _ of [1, 2, 3]) await execute(db, selectAll('made_again', 1))
  const texts = await readPrepared('"made_again" WHERE')
  expect(texts).toHaveLength(2)
  expect(new Set(texts).size).toBe(2)
})

test('a statement that someone has deallocated is prepared again', async () => {
  await createTable('deallocated')
  await execute(db, selectAll('deallocated', 1))
  await sql`DEALLOCATE ALL`.execute(db)
  expect(await execute(db, selectAll('deallocated', 1))).toEqual([{ id: 1 }])
})

// PgBouncer knows its name from then on, and refuses to have it prepared again on that connection.
test('a statement that would have been prepared in a transaction that had failed is prepared later', async () => {
  await using pooled = await createTestDatabase({ maxConnections: 1 })
  const late = sql<{ late: number }>`SELECT ${1}::int AS late`
  const failing = inTransaction(pooled.db, async (tx) => {
    tx.send(sql`SELECT 1 / ${0}::int`)
    await execute(tx, late)
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await execute(pooled.db, late)).toEqual([{ late: 1 }])
})

// As behind a pooler, which gives a client a session where its statement was parsed later.
test('rows are read as the server describes them, when a statement has other columns than before', async () => {
  await createTable('described')
  await execute(db, selectAll('described', 1))
  const { rows: prepared } = await sql<{ name: string }>`
    SELECT name FROM pg_prepared_statements WHERE statement LIKE '%"described" WHERE%'`.execute(db)
  const name = sql.id(prepared[0]?.name ?? '')
  await sql`DEALLOCATE ${name}`.execute(db)
  await sql`PREPARE ${name} (int) AS SELECT $1::text AS note, $1::bigint AS id`.execute(db)
  expect(await execute(db, selectAll('described', 1))).toEqual([{ note: '1', id: 1n }])
})

describe('a value', () => {
  test('of the last of two columns of one name is read, also where it is null', async () => {
    const { rows } = await sql`SELECT ${1}::int AS n, NULL::int AS n`.execute(db)
    expect(rows).toEqual([{ n: null }])
  })

  test('that cannot be read is reported, and its connection serves the next statement', async () => {
    await expect(sql`SELECT ${'NaN'}::numeric AS n`.execute(db)).rejects.toThrow('BigInt')
    const { rows } = await sql`SELECT ${1}::int AS n`.execute(db)
    expect(rows).toEqual([{ n: 1 }])
  })

  test.each([
    [['a "quoted" \\ text', null, 'NULL', ''], 'text[]'],
    [[{ a: 'x"y' }, { b: [1, 2] }], 'jsonb[]'],
    [{ a: [{ b: null }], c: 'x' }, 'jsonb'],
    [Buffer.from([0, 1, 255]), 'bytea'],
    [[Buffer.from([0, 1]), Buffer.from([255])], 'bytea[]'],
    [[true, false], 'boolean[]'],
    [12_345_678_901_234_567_890n, 'numeric'],
  ])('%o comes back as it was sent', async (value, type) => {
    const { rows } = await sql`SELECT ${value}::${sql.raw(type)} AS value`.execute(db)
    expect(rows).toEqual([{ value }])
  })

  test.each([
    ['2026-11-20 12:00:00+00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20 12:00:00.289+00', '2026-11-20T12:00:00.289Z'],
    ['2026-11-20 12:00:00.123999+00', '2026-11-20T12:00:00.123Z'],
    ['0099-01-02 03:04:05.6+00', '0099-01-02T03:04:05.600Z'],
    ['12026-11-20 12:00:00+00', '+012026-11-20T12:00:00.000Z'],
  ])('%s is read to the millisecond', async (text, instant) => {
    const { rows } = await sql<{ at: Date }>`SELECT ${text}::timestamptz AS at`.execute(db)
    expect(rows[0]?.at.toISOString()).toBe(instant)
  })

  test('in another time zone is the same instant', async () => {
    await inTransaction(db, async (tx) => {
      await sql`SET LOCAL TIME ZONE 'Asia/Kolkata'`.execute(tx)
      const { rows } = await sql<{ at: Date }>`
        SELECT ${'2026-11-20 12:00:00.5+00'}::timestamptz AS at`.execute(tx)
      expect(rows[0]?.at.toISOString()).toBe('2026-11-20T12:00:00.500Z')
    })
  })
})

test('a login without the password that the server asks for leaves no connection open', async () => {
  await using login = await startWireProxy(database.appUrl)
  const url = new URL(login.url)
  url.password = ''
  const nameless = createDatabase({ connectionString: url.href, maxConnections: 1 })
  await expect(sql`SELECT 1`.execute(nameless)).rejects.toThrow('password')
  await waitFor(() => expect(login.countConnections()).toBe(0))
  await nameless.destroy()
})
