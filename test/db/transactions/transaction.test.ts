import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createDatabase,
  type Db,
  inTransaction,
  readPool,
  runInSavepoint,
  type Tx,
} from '../../../src/db/database.ts'
import { isConnectionLost } from '../../../src/db/errors.ts'
import { builtOnce } from '../../../src/db/transactions/built-once.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import { describeFailure } from '../../../src/domain/work/failure.ts'
import { waitFor } from '../../support/process/patience.ts'
import { openProxied, type Proxied } from '../../support/stores/proxied-database.ts'

let { owned, database, proxy, db } = {} as Proxied
beforeAll(async () => {
  ;({ owned, database, proxy, db } = await openProxied({ maxConnections: 1 }))
  await sql`CREATE TABLE kept (id integer PRIMARY KEY)`.execute(database.db)
})
afterAll(() => owned.disposeAsync())
beforeEach(() => sql`TRUNCATE kept`.execute(database.db))

const insert = (id: number) => sql`INSERT INTO kept VALUES (${id})`
const keep = (on: Db, id: number) => insert(id).execute(on)
const divide = (by: number) => sql<{ n: number }>`SELECT 6 / ${by}::int AS n`

async function readKept(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM kept ORDER BY id`.execute(database.db)
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

/** What a connection that knows the statements sends for `run`. */
async function readSent(run: (tx: Tx) => Promise<unknown>) {
  const before = { statements: proxy.executed.length, packets: proxy.packets }
  await inTransaction(db, run)
  return {
    statements: proxy.executed.slice(before.statements),
    packets: proxy.packets - before.packets,
  }
}

test('what a transaction wrote is kept together, and undone together where it throws', async () => {
  await inTransaction(db, async (tx) => {
    await keep(tx, 1)
    tx.send(insert(2))
  })
  const failing = inTransaction(db, async (tx) => {
    await keep(tx, 3)
    tx.send(insert(4))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await readKept()).toEqual([1, 2])
})

describe('a transaction', () => {
  test('sends BEGIN with its first statement and COMMIT with what it hands over, in one packet', async () => {
    const { statements, packets } = await readSent(async (tx) => {
      tx.send(insert(1))
      tx.send(insert(2))
    })
    expect(statements).toEqual([
      'BEGIN',
      'INSERT INTO kept VALUES ($1)',
      'INSERT INTO kept VALUES ($1)',
      'COMMIT',
    ])
    expect(packets).toBe(1)
  })

  test('takes a round trip for each statement that it waits for, and one for the rest', async () => {
    const { packets } = await readSent(async (tx) => {
      await keep(tx, 1)
      await Promise.all([keep(tx, 2), execute(tx, insert(3)), divide(2).execute(tx)])
      tx.send(insert(4))
    })
    expect(packets).toBe(3)
    expect(await readKept()).toEqual([1, 2, 3, 4])
  })

  test('without a statement sends nothing', async () => {
    expect(await readSent(async () => 'nothing')).toEqual({ statements: [], packets: 0 })
  })

  test('gives statements that are asked at one time their own rows', async () => {
    const rows = await inTransaction(db, (tx) =>
      Promise.all([1, 2, 3, 6].map((by) => execute(tx, divide(by)))),
    )
    expect(rows).toEqual([[{ n: 6 }], [{ n: 3 }], [{ n: 2 }], [{ n: 1 }]])
  })

  test('has rows of what it hands over before the statements after it have ended', async () => {
    const heard: number[] = []
    let waiting: Promise<unknown> = Promise.resolve()
    await inTransaction(database.db, async (other) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(other)
      waiting = inTransaction(db, async (tx) => {
        tx.send(divide(3), (rows) => heard.push(...rows.map(({ n }) => n)))
        await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx)
      })
      await waitFor(() => expect(heard).toEqual([2]))
    })
    await waiting
  })

  test('takes one round trip for rows that its caller wants once it has committed', async () => {
    await keep(db, 1)
    const before = proxy.packets
    const { rows } = await inTransaction(db, async (tx) => {
      tx.send(insert(2))
      return tx.send(sql<{ id: number }>`SELECT id FROM kept ORDER BY id`)
    })
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
    expect(proxy.packets - before).toBe(1)
  })

  test('reports how many rows a change was, and nothing of a read', async () => {
    await keep(db, 1)
    await inTransaction(db, async (tx) => {
      const { numAffectedRows } = await sql`UPDATE kept SET id = id + 10`.execute(tx)
      expect(numAffectedRows).toBe(1n)
      expect((await sql`SELECT id FROM kept`.execute(tx)).numAffectedRows).toBeUndefined()
    })
  })
})

describe('a statement that fails', () => {
  test.each([0, 1, 2])(
    'fails the transaction with its own error, handed over as number %i of three',
    async (at) => {
      const failing = inTransaction(db, async (tx) => {
        for (const n of [0, 1, 2]) tx.send(n === at ? divide(0) : insert(n))
      })
      await expect(failing).rejects.toThrow('division by zero')
      expect(await readKept()).toEqual([])
      await inTransaction(db, (tx) => keep(tx, 1))
      expect(await readKept()).toEqual([1])
    },
  )

  test('is the failure of those after it', async () => {
    const failing = inTransaction(db, async (tx) => {
      tx.send(divide(0))
      expect(await failureOf(keep(tx, 1))).toMatchObject({ message: 'division by zero' })
      // It is new to the connection, so it is the failed transaction that keeps it from being prepared.
      const twice = () => sql`SELECT ${1}::int AS never_prepared`.execute(tx)
      for (const failed of await Promise.all([failureOf(twice()), failureOf(twice())])) {
        expect(failed).toMatchObject({ message: 'division by zero' })
      }
      await keep(tx, 2)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await readKept()).toEqual([])
  })

  test('leaves no transaction that seems to have committed, though its failure is passed over', async () => {
    const failing = inTransaction(db, async (tx) => {
      await keep(tx, 4)
      await divide(0)
        .execute(tx)
        .catch(() => undefined)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await readKept()).toEqual([])
  })

  test('tells which line of ours has asked for it', async () => {
    await keep(db, 5)
    const failing = [
      () => execute(db, insert(5)),
      () => inTransaction(db, async (tx) => void (await keep(tx, 5))),
      () => inTransaction(db, async (tx) => tx.send(insert(5))),
    ]
    for (const fail of failing) {
      expect(describeFailure(await failureOf(fail()))).toMatch(
        /^database error 23505 \(kept_pkey\) at db\/transactions\/transaction\.test\.ts:\d+$/,
      )
    }
  })

  test('at COMMIT fails the transaction, and its connection serves the next', async () => {
    await sql`CREATE TABLE checked_late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`.execute(
      database.db,
    )
    const add = (id: number) =>
      inTransaction(db, async (tx) => tx.send(sql`INSERT INTO checked_late VALUES (${id})`))
    await add(1)
    await expect(add(1)).rejects.toThrow('duplicate key')
    await add(2)
    const { rows } = await sql`SELECT id FROM checked_late ORDER BY id`.execute(db)
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })
})

test('a value that cannot be sent leaves nothing of what was handed over before and after it', async () => {
  const endless: { itself?: unknown } = {}
  endless.itself = [endless]
  const unsendable = sql`SELECT ${endless}::jsonb`
  const handedOver = inTransaction(db, async (tx) => {
    tx.send(insert(1))
    tx.send(unsendable)
    tx.send(insert(2))
  })
  await expect(handedOver).rejects.toThrow('circular')
  const awaited = inTransaction(db, async (tx) => {
    tx.send(insert(1))
    await execute(tx, unsendable)
  })
  await expect(awaited).rejects.toThrow('circular')
  await expect(execute(db, unsendable)).rejects.toThrow('circular')
  expect(await readKept()).toEqual([])
  expect(await execute(db, divide(1))).toEqual([{ n: 6 }])
})

test('a statement of a transaction that has ended is refused, and reaches no other', async () => {
  let ended: Tx | undefined
  await inTransaction(db, async (tx) => {
    await keep(tx, 5)
    ended = tx
  })
  const late = builtOnce((_db, { id }: { id: number }) => sql`INSERT INTO kept VALUES (${id})`)
  await inTransaction(db, async (tx) => {
    await keep(tx, 6)
    const after = ended ?? tx
    await expect(keep(after, 7)).rejects.toThrow('the transaction has ended before "INSERT')
    await expect(execute(after, late({ id: 8 }))).rejects.toThrow('has ended before')
    expect(() => after.send(late({ id: 9 }))).toThrow('has ended before')
  })
  expect(await readKept()).toEqual([5, 6])
})

test('a statement that nobody waited for when its transaction ended is kept or undone with it', async () => {
  const unawaited: Promise<unknown>[] = []
  await inTransaction(db, async (tx) => void unawaited.push(keep(tx, 1)))
  const failing = inTransaction(db, async (tx) => {
    unawaited.push(keep(tx, 2))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await Promise.all(unawaited)
  expect(await readKept()).toEqual([1])
})

test('what was handed over in a part fails the whole, also where the part is undone', async () => {
  for (const isKept of [true, false]) {
    const failing = inTransaction(db, async (tx) => {
      await keep(tx, 1)
      await runInSavepoint(tx, async () => {
        tx.send(divide(0))
        return isKept
      })
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await readKept()).toEqual([])
  }
})

test('locks and settings of a transaction are gone when its connection serves the next', async () => {
  const failing = inTransaction(db, async (tx) => {
    tx.limitStatements(60)
    tx.send(sql`SELECT pg_advisory_xact_lock(${7})`)
    throw new Error('changed my mind')
  })
  await failing.catch(() => undefined)
  const { rows } = await sql`
    SELECT current_setting('statement_timeout') AS limit,
      (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks
  `.execute(db)
  expect(rows).toEqual([{ limit: '10s', locks: 0 }])
})

describe('a connection on which someone has deallocated the prepared statements', () => {
  test.each(['BEGIN and all', 'what follows'])('keeps a change whole: %s', async () => {
    const change = (tx: Tx) => {
      tx.send(insert(1))
      tx.send(insert(2))
      return keep(tx, 3)
    }
    await inTransaction(db, change)
    await sql`TRUNCATE kept`.execute(database.db)
    await sql`DEALLOCATE ALL`.execute(db)
    await inTransaction(db, change)
    expect(await readKept()).toEqual([1, 2, 3])
  })

  test('undoes a change that it cannot repeat', async () => {
    await inTransaction(db, (tx) => keep(tx, 1))
    await sql`DEALLOCATE ALL`.execute(db)
    let runs = 0
    const failing = inTransaction(db, async (tx) => {
      runs += 1
      if (runs > 1) throw new Error('once is enough')
      tx.send(sql`INSERT INTO kept VALUES (2)`)
      tx.send(insert(3))
      tx.send(sql`INSERT INTO kept VALUES (4)`)
    })
    await expect(failing).rejects.toThrow('once is enough')
    expect(await readKept()).toEqual([1])
  })
})

describe('a connection that breaks', () => {
  test('within a transaction undoes it, and serves no other', async () => {
    const failing = inTransaction(db, async (tx) => {
      await keep(tx, 9)
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    expect(isConnectionLost(await failureOf(failing))).toBe(true)
    await keep(db, 10)
    expect(await readKept()).toEqual([10])
  })

  test.each([
    ['before', []],
    ['after', [1, 2]],
  ] as const)(
    '%s COMMIT is carried out leaves the change whole or not there at all',
    async (when, kept) => {
      const cut = proxy.arm({ at: /^COMMIT$/, when, effect: 'cut' })
      const failing = inTransaction(db, async (tx) => {
        await keep(tx, 1)
        tx.send(insert(2))
      })
      expect(isConnectionLost(await failureOf(failing))).toBe(true)
      await cut
      await waitFor(async () => expect(await readKept()).toEqual(kept))
      await keep(db, 3)
    },
  )

  test.each([1, 2, 3, 4, 5])(
    'before the answer to statement %i of five leaves the change whole or not there at all',
    async (at) => {
      const cut = proxy.arm({ at, when: 'after', effect: 'cut' })
      const failing = inTransaction(db, async (tx) => {
        for (const id of [1, 2, 3]) tx.send(insert(id))
      })
      expect(isConnectionLost(await failureOf(failing))).toBe(true)
      await cut
      await keep(db, 4)
      expect([[4], [1, 2, 3, 4]]).toContainEqual(await readKept())
    },
  )
})

test('a database that has begun nothing but transactions closes its connections', async () => {
  const own = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await inTransaction(own, async (tx) => tx.send(sql`SELECT 1`))
  expect(readPool(own).total).toBe(1)
  await own.destroy()
  expect(readPool(own).total).toBe(0)
  await own.destroy()
})
