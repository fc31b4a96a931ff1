import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type Db, inTransaction, type Tx } from '../../src/db/database.ts'
import {
  PLANNED_EACH_TIME,
  ROWS_WITH_NEXT,
  WITH_COMMIT,
  WITH_NEXT,
} from '../../src/db/known-statements.ts'
import { rowsBefore } from '../../src/db/prepared-query.ts'
import { createPreparingClient } from '../../src/db/preparing-client.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 })
  db = database.db
})

afterAll(() => database[Symbol.asyncDispose]())

const selectAll = (from: Db, table: string, id: number) =>
  sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} WHERE id = ${id}`.execute(from)

const preparedTexts = async () => {
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements ORDER BY prepare_time`.execute(db)
  return rows.map((row) => row.statement)
}

async function createTable(name: string): Promise<void> {
  await sql`CREATE TABLE ${sql.table(name)} (id integer)`.execute(db)
  await sql`INSERT INTO ${sql.table(name)} VALUES (1)`.execute(db)
}

test('a statement with parameters is prepared once, however often it runs', async () => {
  await createTable('often')
  for (const id of [1, 2, 1]) await selectAll(db, 'often', id)
  const prepared = (await preparedTexts()).filter((text) => text.includes('"often" WHERE'))
  expect(prepared).toHaveLength(1)
})

describe('begin and commit', () => {
  const preparedCommands = async () =>
    (await preparedTexts()).filter((text) => text === 'begin' || text === 'commit')
  const changeRow = (tx: Tx, table: string, by: number) =>
    sql`${sql.raw(WITH_NEXT)} UPDATE ${sql.table(table)} SET id = 6 / ${by}::int`.execute(tx)
  const readRow = async (table: string) =>
    (await sql<{ id: number }>`SELECT id FROM ${sql.table(table)} WHERE id > ${0}`.execute(db)).rows

  test('are prepared once, however many transactions there are', async () => {
    await createTable('begun')
    for (const by of [1, 2, 3]) await inTransaction(db, (tx) => changeRow(tx, 'begun', by))
    expect((await preparedCommands()).sort()).toEqual(['begin', 'commit'])
    expect(await readRow('begun')).toEqual([{ id: 2 }])
  })

  test('of a connection whose first transaction fails serve its next ones', async () => {
    await using other = await createTestDatabase({ maxConnections: 1 })
    await sql`CREATE TABLE refused (id integer)`.execute(other.db)
    const keep = (tx: Db, by: number) =>
      sql`${sql.raw(WITH_NEXT)} INSERT INTO refused VALUES (6 / ${by}::int)`.execute(tx)
    // It is parsed outside a transaction, so that the first one is a single message.
    await keep(other.db, 1)
    for (const by of [0, 2, 0, 3]) {
      const kept = inTransaction(other.db, (tx) => keep(tx, by))
      if (by === 0) await expect(kept).rejects.toThrow('division by zero')
      else await kept
    }
    const { rows } = await sql`SELECT id FROM refused`.execute(other.db)
    expect(rows).toEqual([{ id: 6 }, { id: 3 }, { id: 2 }])
  })

  test('of a transaction that fails with its commit serve the next', async () => {
    await sql`CREATE TABLE checked_late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`.execute(
      db,
    )
    const keep = (tx: Tx, id: number) =>
      sql`${sql.raw(WITH_NEXT)} INSERT INTO checked_late VALUES (${id}::int)`.execute(tx)
    for (const id of [1, 2]) await inTransaction(db, (tx) => keep(tx, id))
    await expect(inTransaction(db, (tx) => keep(tx, 2))).rejects.toThrow('duplicate key')
    await inTransaction(db, (tx) => keep(tx, 3))
    expect(await readRow('checked_late')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })
})

test('a statement is run again when its table has gained a column since it was prepared', async () => {
  await createTable('widened')
  await selectAll(db, 'widened', 1)
  await sql`ALTER TABLE widened ADD COLUMN note text`.execute(db)
  const { rows } = await selectAll(db, 'widened', 1)
  expect(rows).toEqual([{ id: 1, note: null }])
})

test('a transaction is run again when a table has gained a column since its plan was made', async () => {
  await createTable('widened_within')
  await selectAll(db, 'widened_within', 1)
  await sql`ALTER TABLE widened_within ADD COLUMN note text`.execute(db)
  const { rows } = await inTransaction(db, (tx) => selectAll(tx, 'widened_within', 1))
  expect(rows).toEqual([{ id: 1, note: null }])
})

// A pooler knows a statement by its text, and so does its plan.
test('a statement that is prepared again has another text than the one with the stale plan', async () => {
  await createTable('made_anew')
  await selectAll(db, 'made_anew', 1)
  await sql`ALTER TABLE made_anew ADD COLUMN note text`.execute(db)
  for (const _ of [1, 2, 3]) await selectAll(db, 'made_anew', 1)
  const texts = (await preparedTexts()).filter((text) => text.includes('"made_anew" WHERE'))
  expect(texts).toHaveLength(2)
  expect(new Set(texts).size).toBe(2)
  const [stale, prepared] = texts.map((text) => text.replace(/^\/\* [0-9a-f]{8} \*\/ /, ''))
  expect(prepared).toBe(stale)
})

// As behind a pooler, which gives a client a session where its statement was parsed later.
test('rows are read as the server describes them, when a statement has other columns than before', async () => {
  await createTable('described')
  await selectAll(db, 'described', 1)
  const { rows: prepared } = await sql<{ name: string }>`
    SELECT name FROM pg_prepared_statements WHERE statement LIKE '%"described" WHERE%'`.execute(db)
  const name = sql.id(prepared[0]?.name ?? '')
  await sql`DEALLOCATE ${name}`.execute(db)
  await sql`PREPARE ${name} (int) AS SELECT $1::text AS note, $1::bigint AS id`.execute(db)
  const { rows } = await selectAll(db, 'described', 1)
  expect(rows).toEqual([{ note: '1', id: 1n }])
})

test('of two columns of one name the last is read, also where it is null', async () => {
  const { rows } = await sql`SELECT ${1}::int AS n, NULL::int AS n`.execute(db)
  expect(rows).toEqual([{ n: null }])
})

test('a value that cannot be sent is refused, and its connection serves the next statement', async () => {
  const endless: { itself?: unknown } = {}
  endless.itself = endless
  await expect(sql`SELECT ${endless}::jsonb`.execute(db)).rejects.toThrow('circular')
  const { rows } = await sql`SELECT ${1}::int AS n`.execute(db)
  expect(rows).toEqual([{ n: 1 }])
})

test('a value that cannot be read is reported, and its connection serves the next statement', async () => {
  await expect(sql`SELECT ${'NaN'}::numeric AS n`.execute(db)).rejects.toThrow('BigInt')
  const { rows } = await sql`SELECT ${1}::int AS n`.execute(db)
  expect(rows).toEqual([{ n: 1 }])
})

test.each([
  ['2026-11-20 12:00:00+00', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20 12:00:00.289+00', '2026-11-20T12:00:00.289Z'],
  ['2026-11-20 12:00:00.123999+00', '2026-11-20T12:00:00.123Z'],
  ['0099-01-02 03:04:05.6+00', '0099-01-02T03:04:05.600Z'],
  ['12026-11-20 12:00:00+00', '+012026-11-20T12:00:00.000Z'],
])('the instant %s is read to the millisecond', async (text, instant) => {
  const { rows } = await sql<{ at: Date }>`SELECT ${text}::timestamptz AS at`.execute(db)
  expect(rows[0]?.at.toISOString()).toBe(instant)
})

test('an instant in another time zone is the same instant', async () => {
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL TIME ZONE 'Asia/Kolkata'`.execute(tx)
    const { rows } = await sql<{ at: Date }>`
      SELECT ${'2026-11-20 12:00:00.5+00'}::timestamptz AS at`.execute(tx)
    expect(rows[0]?.at.toISOString()).toBe('2026-11-20T12:00:00.500Z')
  })
})

test('a statement that fails for another reason is not run again', async () => {
  await sql`CREATE SEQUENCE runs`.execute(db)
  const failing = sql`SELECT nextval('runs'), 1 / ${0}::int`.execute(db)
  await expect(failing).rejects.toThrow('division by zero')
  const { rows } = await sql<{ last_value: bigint }>`SELECT last_value FROM runs`.execute(db)
  expect(rows).toEqual([{ last_value: 1n }])
})

test('a query with a callback is answered through the callback', async () => {
  const client = new (createPreparingClient())({ connectionString: database.url })
  await client.connect()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  client.query('SELECT $1::int AS n', [7], (_error, result) => resolve(result.rows))
  expect(await promise).toEqual([{ n: 7 }])
  await client.end()
})

test('a statement that asks to be planned each time is not prepared', async () => {
  await createTable('planned_each_time')
  for (const id of [1, 2]) {
    const { rows } = await sql`${sql.raw(PLANNED_EACH_TIME)}
      SELECT * FROM planned_each_time WHERE id = ${id}`.execute(db)
    expect(rows).toHaveLength(id === 1 ? 1 : 0)
  }
  expect((await preparedTexts()).filter((text) => text.includes('planned_each_time'))).toEqual([])
})

describe('the begin of a transaction, sent with its first statement', () => {
  const insert = (into: Db, table: string, id: number) =>
    sql`INSERT INTO ${sql.table(table)} VALUES (1 / ${id}::int)`.execute(into)
  const countRows = async (table: string) => {
    const { rows } = await sql`SELECT FROM ${sql.table(table)}`.execute(db)
    return rows.length
  }

  test.each(['new', 'prepared'])(
    'a %s first statement is undone with its transaction',
    async (kind) => {
      await createTable(`undone_${kind}`)
      if (kind === 'prepared') await insert(db, `undone_${kind}`, 1)
      const before = await countRows(`undone_${kind}`)
      const failing = inTransaction(db, async (tx) => {
        await insert(tx, `undone_${kind}`, 1)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await countRows(`undone_${kind}`)).toBe(before)
    },
  )

  test('a first statement without parameters is in its transaction', async () => {
    await createTable('plain_first')
    const failing = inTransaction(db, async (tx) => {
      await sql`INSERT INTO plain_first VALUES (2)`.execute(tx)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await countRows('plain_first')).toBe(1)
  })

  test('a first statement that fails is reported, and its connection serves the next transaction', async () => {
    await createTable('failing_first')
    await insert(db, 'failing_first', 1)
    const failing = inTransaction(db, async (tx) => {
      await insert(tx, 'failing_first', 0).catch(() => undefined)
      await insert(tx, 'failing_first', 1)
    })
    await expect(failing).rejects.toThrow('current transaction is aborted')
    await inTransaction(db, (tx) => insert(tx, 'failing_first', 1))
    expect(await countRows('failing_first')).toBe(3)
  })

  test('rows and the statements after the first are as ever', async () => {
    await createTable('as_ever')
    await selectAll(db, 'as_ever', 1)
    const read = await inTransaction(db, async (tx) => {
      const { rows: first } = await selectAll(tx, 'as_ever', 1)
      const { rows: second } = await selectAll(tx, 'as_ever', 2)
      const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM as_ever`.execute(tx)
      return [first, second, rows]
    })
    expect(read).toEqual([[{ id: 1 }], [], [{ n: 1 }]])
  })

  test('a transaction without a statement sends nothing and leaves the connection as it was', async () => {
    expect(await inTransaction(db, async () => 'nothing')).toBe('nothing')
    await insert(db, 'as_ever', 1)
    expect(await countRows('as_ever')).toBe(2)
  })
})

describe('the commit of a transaction, sent with its last statement', () => {
  const add = (into: Db, table: string, id: number) =>
    sql`INSERT INTO ${sql.table(table)} VALUES (1 / ${id}::int)`.execute(into)
  const addLast = (tx: Tx, table: string, id: number) =>
    sql<{ id: number }>`${sql.raw(WITH_COMMIT)}
      INSERT INTO ${sql.table(table)} VALUES (1 / ${id}::int) RETURNING id`.execute(tx)
  const countRows = async (table: string) => {
    const { rows } = await sql`SELECT FROM ${sql.table(table)}`.execute(db)
    return rows.length
  }

  test('is a commit: others see the whole transaction before the client asks for one', async () => {
    await createTable('seen')
    await using other = createDatabase({ connectionString: database.url, maxConnections: 1 })
    const seen = await inTransaction(db, async (tx) => {
      await add(tx, 'seen', 1)
      const { rows } = await addLast(tx, 'seen', 1)
      expect(rows).toEqual([{ id: 1 }])
      return (await sql`SELECT FROM seen`.execute(other)).rows.length
    })
    expect(seen).toBe(3)
  })

  test.each(['new', 'prepared'])('a %s last statement that fails undoes them all', async (kind) => {
    const table = `failing_last_${kind}`
    await createTable(table)
    if (kind === 'prepared') await inTransaction(db, (tx) => addLast(tx, table, 1))
    const before = await countRows(table)
    const failing = inTransaction(db, async (tx) => {
      await add(tx, table, 1)
      await addLast(tx, table, 0)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await countRows(table)).toBe(before)
  })

  test('a commit that fails is the failure of the transaction, and its connection serves the next', async () => {
    await createTable('at_commit')
    await sql`ALTER TABLE at_commit ADD CONSTRAINT once UNIQUE (id) DEFERRABLE INITIALLY DEFERRED`.execute(
      db,
    )
    const failing = inTransaction(db, (tx) => addLast(tx, 'at_commit', 1))
    await expect(failing).rejects.toThrow('duplicate key')
    expect(await countRows('at_commit')).toBe(1)
    await sql`DELETE FROM at_commit`.execute(db)
    await inTransaction(db, (tx) => addLast(tx, 'at_commit', 1))
    expect(await countRows('at_commit')).toBe(1)
  })

  test('the only statement of a transaction commits it', async () => {
    await createTable('alone')
    await inTransaction(db, (tx) => addLast(tx, 'alone', 1))
    expect(await countRows('alone')).toBe(2)
  })

  test('outside a transaction it is a statement as any other', async () => {
    await createTable('outside')
    await addLast(db as Tx, 'outside', 1)
    await add(db, 'outside', 1)
    expect(await countRows('outside')).toBe(3)
  })

  test('a statement after it is refused instead of running in no transaction', async () => {
    await createTable('after')
    const failing = inTransaction(db, async (tx) => {
      await addLast(tx, 'after', 1)
      await add(tx, 'after', 1)
    })
    await expect(failing).rejects.toThrow('a transaction was committed before')
    expect(await countRows('after')).toBe(2)
  })

  test('a failure after it is reported as one that undid nothing', async () => {
    await createTable('too_late')
    const failing = inTransaction(db, async (tx) => {
      await addLast(tx, 'too_late', 1)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('a transaction was committed before')
    expect(await countRows('too_late')).toBe(2)
  })
})

describe('a statement that is sent with the next one', () => {
  const addLater = (tx: Db, table: string, id: number) =>
    sql`${sql.raw(WITH_NEXT)} INSERT INTO ${sql.table(table)} VALUES (1 / ${id}::int)`.execute(tx)
  const addLast = (tx: Tx, table: string, id: number) =>
    sql`${sql.raw(WITH_COMMIT)} INSERT INTO ${sql.table(table)} VALUES (1 / ${id}::int)`.execute(tx)
  const select = (from: Db, table: string) =>
    sql<{ id: number }>`SELECT id FROM ${sql.table(table)} WHERE id >= ${1}::int`.execute(from)
  const countRows = async (table: string) => {
    const { rows } = await sql`SELECT FROM ${sql.table(table)}`.execute(db)
    return rows.length
  }

  /** As the statements of a connection that has them all prepared, or none. */
  async function prepareTable(kind: string, name: string): Promise<string> {
    const table = `${name}_${kind}`
    await createTable(table)
    if (kind === 'new') return table
    await inTransaction(db, async (tx) => {
      await select(tx, table)
      await addLater(tx, table, 1)
      await addLast(tx, table, 1)
    })
    await sql`DELETE FROM ${sql.table(table)}`.execute(db)
    await sql`INSERT INTO ${sql.table(table)} VALUES (1)`.execute(db)
    return table
  }

  describe.each(['new', 'prepared'])('and is %s', (kind) => {
    test('is committed with its transaction', async () => {
      const table = await prepareTable(kind, 'kept')
      await inTransaction(db, async (tx) => {
        await select(tx, table)
        await addLater(tx, table, 1)
      })
      expect(await countRows(table)).toBe(2)
    })

    test('precedes the next statement, which has its own rows', async () => {
      const table = await prepareTable(kind, 'preceding')
      const rows = await inTransaction(db, async (tx) => {
        await select(tx, table)
        await addLater(tx, table, 1)
        await addLater(tx, table, 1)
        return (await select(tx, table)).rows
      })
      expect(rows).toEqual([{ id: 1 }, { id: 1 }, { id: 1 }])
    })

    test('is in order among others that are, and committed with them', async () => {
      const table = await prepareTable(kind, 'several')
      await inTransaction(db, async (tx) => {
        await select(tx, table)
        for (let count = 0; count < 3; count += 1) await addLater(tx, table, 1)
        await addLast(tx, table, 1)
      })
      expect(await countRows(table)).toBe(5)
    })

    test.each([0, 1, 2])('fails the statement that commits, as number %i of three', async (at) => {
      const table = await prepareTable(kind, `failing_${at}`)
      const failing = inTransaction(db, async (tx) => {
        await select(tx, table)
        for (const n of [0, 1, 2]) await addLater(tx, table, n === at ? 0 : 1)
        await addLast(tx, table, 1)
      })
      await expect(failing).rejects.toThrow('division by zero')
      expect(await countRows(table)).toBe(1)
      await inTransaction(db, (tx) => addLast(tx, table, 1))
      expect(await countRows(table)).toBe(2)
    })

    test('precedes a statement without parameters and one that commits', async () => {
      const table = await prepareTable(kind, 'two')
      await inTransaction(db, async (tx) => {
        await select(tx, table)
        await addLater(tx, table, 1)
        const { rows } = await sql`SELECT FROM ${sql.table(table)}`.execute(tx)
        expect(rows).toHaveLength(2)
        await addLater(tx, table, 1)
        await addLast(tx, table, 1)
      })
      expect(await countRows(table)).toBe(4)
    })

    test('is undone with its transaction', async () => {
      const table = await prepareTable(kind, 'undone_later')
      const failing = inTransaction(db, async (tx) => {
        await select(tx, table)
        await addLater(tx, table, 1)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await countRows(table)).toBe(1)
    })

    test.each(['nothing', 'another statement', 'one that commits'])(
      'fails the transaction with its own error before %s',
      async (next) => {
        const table = await prepareTable(kind, `failing_before_${next.replaceAll(' ', '_')}`)
        const failing = inTransaction(db, async (tx) => {
          await select(tx, table)
          await addLater(tx, table, 0)
          if (next === 'another statement') await select(tx, table)
          if (next === 'one that commits') await addLast(tx, table, 1)
        })
        await expect(failing).rejects.toThrow('division by zero')
        expect(await countRows(table)).toBe(1)
        await inTransaction(db, (tx) => addLast(tx, table, 1))
        expect(await countRows(table)).toBe(2)
      },
    )
  })

  test('is run again with its transaction when its table has gained a column', async () => {
    const table = await prepareTable('prepared', 'widened_later')
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN note text`.execute(db)
    const { rows } = await inTransaction(db, async (tx) => {
      await sql`SELECT ${1}::int`.execute(tx)
      await addLater(tx, table, 1)
      return await selectAll(tx, table, 1)
    })
    expect(rows).toHaveLength(2)
  })

  test('as the first of a transaction begins it, and outside of one it is sent at once', async () => {
    await createTable('at_once')
    await addLater(db, 'at_once', 1)
    expect(await countRows('at_once')).toBe(2)
    await inTransaction(db, (tx) => addLater(tx, 'at_once', 1))
    const failing = inTransaction(db, (tx) => addLater(tx, 'at_once', 0))
    await expect(failing).rejects.toThrow('division by zero')
    expect(await countRows('at_once')).toBe(3)
  })
})

describe('rows of a statement that is sent with the next one', () => {
  const selectFirst = (tx: Db, id: number) =>
    sql`${sql.raw(ROWS_WITH_NEXT)} SELECT 'first' AS place, 24 / ${id}::int AS n`.execute(tx)
  const add = (tx: Db, id: number) =>
    sql`${sql.raw(WITH_NEXT)} INSERT INTO between_rows VALUES (${id}::int)`.execute(tx)
  const selectLast = (tx: Db) =>
    sql<{ id: number }>`SELECT id FROM between_rows WHERE id > ${1}::int`.execute(tx)

  beforeAll(() => createTable('between_rows'))

  // At first each statement is new to the connection, then all are sent in one message.
  test.each([2, 3, 4])('are found by those of the next, as number %i', async (n) => {
    const [first, last] = await inTransaction(db, async (tx) => {
      await selectFirst(tx, n)
      await add(tx, n)
      await selectFirst(tx, 2 * n)
      const { rows } = await selectLast(tx)
      return [rowsBefore<{ place: string; n: number }>(rows), rows]
    })
    expect(first).toEqual([[{ place: 'first', n: 24 / n }], [{ place: 'first', n: 24 / (2 * n) }]])
    expect(last.at(-1)).toEqual({ id: n })
  })

  test('are none of a statement that was sent alone', async () => {
    expect(rowsBefore((await selectLast(db)).rows)).toEqual([])
  })

  test('a failure of the first is that of the next, and nothing of the transaction is kept', async () => {
    const before = (await selectLast(db)).rows
    const failing = inTransaction(db, async (tx) => {
      await selectFirst(tx, 0)
      await add(tx, 9)
      await selectLast(tx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect((await selectLast(db)).rows).toEqual(before)
  })

  test('a transaction that is given up before anything was sent leaves the connection as it was', async () => {
    const failing = inTransaction(db, async (tx) => {
      await add(tx, 9)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect((await selectLast(db)).rows).not.toContainEqual({ id: 9 })
  })
})

test('a login without the password that the server asks for leaves no connection open', async () => {
  const url = new URL(database.appUrl)
  const { port, hostname } = url
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => server[Symbol.asyncDispose]())
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url.password = ''
  const nameless = createDatabase({ connectionString: url.href, maxConnections: 1 })
  cleanup.defer(() => nameless.destroy())

  const connected = once(server, 'connection')
  await expect(sql`SELECT 1`.execute(nameless)).rejects.toThrow('password')
  const [socket] = (await connected) as [Socket]
  await waitFor(() => expect(socket.closed).toBe(true))
})
