import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import {
  createDatabase,
  type Db,
  inStatement,
  inTransaction,
  type Tx,
  type Wake,
  wakeAfterCommit,
} from '../../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'
import { untilOneWaits } from '../../support/stores/waiting-sessions.ts'

const RETRIES = 3

let owned: AsyncDisposableStack
let database: TestDatabase
/** As the service connects, but that no two who change the same row at once can both be right. */
let strict: Db
const wakes: Wake[] = []
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  // A pooler does not pass on what a session asks for.
  database = owned.use(
    await createTestDatabase({ isDirect: true, onCommit: (committed) => wakes.push(...committed) }),
  )
  await sql`CREATE TABLE things (id text PRIMARY KEY, changes integer NOT NULL)`.execute(
    database.db,
  )
  const url = new URL(database.url)
  url.searchParams.set('options', '-c default_transaction_isolation=serializable')
  strict = createDatabase({ connectionString: url.href, maxConnections: 2 })
  owned.defer(() => strict.destroy())
})
afterAll(() => owned.disposeAsync())
beforeEach(async () => {
  await sql`TRUNCATE things`.execute(database.db)
  await sql`INSERT INTO things VALUES ('a', 0), ('b', 0)`.execute(database.db)
  wakes.length = 0
})

async function change(db: Db, id: string): Promise<void> {
  await sql`UPDATE things SET changes = changes + 1 WHERE id = ${id}`.execute(db)
}

async function readChanges(): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: string; changes: number }>`
    SELECT id, changes FROM things`.execute(database.db)
  return Object.fromEntries(rows.map(({ id, changes }) => [id, changes]))
}

/** Changes what another session has changed since the statement began, which commits meanwhile. */
async function changeTooLate(db: Db): Promise<void> {
  const late = await inTransaction(database.db, async (other) => {
    await change(other, 'a')
    // Within an object, or the transaction would wait for it too.
    const waiting = { change: change(db, 'a') }
    await Promise.race([untilOneWaits(database.db), waiting.change])
    return waiting
  })
  await late.change
}

test('two transactions that wait for each other are both done, each once, and wake once each', async () => {
  const bothHaveOne = Promise.withResolvers<void>()
  const oneIsDone = Promise.withResolvers<void>()
  let runs = 0
  let holding = 0
  const changeBoth = (first: string, second: string) =>
    inTransaction(database.db, async (tx) => {
      runs += 1
      wakeAfterCommit(tx, { kind: 'deliveries', tenantId: first, webhookId: second })
      // The repeated one could take its row before the other, which waits for it, is awake.
      if (runs > 2) await oneIsDone.promise
      await change(tx, first)
      holding += 1
      if (holding === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      await change(tx, second)
    }).then(oneIsDone.resolve)
  await Promise.all([changeBoth('a', 'b'), changeBoth('b', 'a')])
  expect(await readChanges()).toEqual({ a: 2, b: 2 })
  expect(runs).toBe(3)
  const woken = wakes.map((wake) => (wake.kind === 'deliveries' ? wake.tenantId : wake.kind))
  expect(woken.sort()).toEqual(['a', 'b'])
})

type Run = (db: Db, run: (db: Db) => Promise<void>) => Promise<void>

describe.each<[string, Run]>([
  ['a transaction', (db, run) => inTransaction(db, (tx: Tx) => run(tx))],
  ['a statement', inStatement],
])('%s', (_name, repeatedly) => {
  test.each([1, RETRIES])(
    'work that cannot be serialised %i times is done by the next try',
    async (times) => {
      let runs = 0
      await repeatedly(strict, async (db) => {
        runs += 1
        await (runs <= times ? changeTooLate(db) : change(db, 'b'))
      })
      expect(runs).toBe(times + 1)
      expect(await readChanges()).toEqual({ a: times, b: 1 })
    },
  )

  test('work that can never be serialised fails after three repetitions', async () => {
    let runs = 0
    const givenUp = repeatedly(strict, async (db) => {
      runs += 1
      await changeTooLate(db)
    })
    await expect(givenUp).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(1 + RETRIES)
    // Of the others alone.
    expect(await readChanges()).toEqual({ a: 1 + RETRIES, b: 0 })
  })

  test.each<[string, string, (db: Db) => Promise<unknown>]>([
    ['finds a row taken', '23505', (db) => sql`INSERT INTO things VALUES ('a', 0)`.execute(db)],
    ['is a syntax error', '42601', (db) => sql`NONSENSE`.execute(db)],
    [
      'asks for what the server does not support',
      '0A000',
      (db) => sql`SELECT count(*) FROM things FOR UPDATE`.execute(db),
    ],
    [
      'waited long enough for a lock',
      '55P03',
      (db) =>
        inTransaction(database.db, async (other) => {
          await change(other, 'a')
          await sql`SELECT FROM things WHERE id = 'a' FOR UPDATE NOWAIT`.execute(db)
        }),
    ],
    [
      'is refused',
      'limit_reached',
      async () => {
        throw new Refusal('limit_reached', 'No.')
      },
    ],
  ])('work that %s is not repeated', async (_how, code, fail) => {
    let runs = 0
    const failed = repeatedly(database.db, async (db) => {
      runs += 1
      await fail(db)
    })
    await expect(failed).rejects.toMatchObject({ code })
    expect(runs).toBe(1)
  })
})
