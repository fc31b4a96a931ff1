import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { Claim } from '../../../src/domain/work/claim.ts'
import { createSettler } from '../../../src/domain/work/settle.ts'
import { requestWork, requestWorks } from '../../../src/domain/work/work.ts'
import { claimDue } from '../../support/deliveries/due-work.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const LATER = addMs(NOW, MINUTE_MS)
const TOPIC = 'push-floor'

let database: TestDatabase
let tenantId: string
let claims: Claim[]
beforeAll(async () => {
  database = await createTestDatabase()
  tenantId = await openTenant(database.db, NOW)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.db.deleteFrom('work').execute()
  const works = ['a', 'b', 'c', 'd'].map((subjectId) => ({ topic: TOPIC, subjectId }) as const)
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, NOW))
  claims = await claimDue(database.db, [TOPIC], NOW)
})

const read = () =>
  database.db
    .selectFrom('work')
    .select(['subject_id', 'ready', 'lease', 'due_at', 'attempts', 'last_error'])
    .orderBy('subject_id')
    .execute()

const claimOf = (subjectId: string) => {
  const found = claims.find((claim) => claim.subjectId === subjectId)
  if (!found) throw new Error(`${subjectId} was not claimed`)
  return found
}

test('items that end together are settled together, each by its own outcome', async () => {
  const settle = createSettler(database.db)
  const again = { tenantId, topic: TOPIC, subjectId: 'd' } as const
  await inTransaction(database.db, (tx) => requestWork(tx, again, NOW))
  await Promise.all([
    settle({ claim: claimOf('a'), now: NOW, outcome: { kind: 'done' } }),
    settle({ claim: claimOf('b'), now: NOW, outcome: { kind: 'again', at: LATER } }),
    settle({ claim: claimOf('c'), now: NOW, outcome: { kind: 'failed', at: LATER, error: 'Oh' } }),
    settle({ claim: claimOf('d'), now: NOW, outcome: { kind: 'done' } }),
  ])
  const waiting = { lease: null, ready: false, due_at: LATER }
  expect(await read()).toEqual([
    { subject_id: 'b', ...waiting, attempts: 0, last_error: null },
    { subject_id: 'c', ...waiting, attempts: 1, last_error: 'Oh' },
    // It was asked for again during its run.
    { subject_id: 'd', lease: null, ready: true, due_at: NOW, attempts: 0, last_error: null },
  ])
})

test('an item that a request holds locked does not delay the settling of others', async () => {
  const settle = createSettler(database.db)
  const committing = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const asking = inTransaction(database.db, async (tx) => {
    await requestWork(tx, { tenantId, topic: TOPIC, subjectId: 'a' }, NOW)
    // The request is sent with the next statement.
    await sql`SELECT 1`.execute(tx)
    locked.resolve()
    await committing.promise
  })
  await locked.promise
  const settled = ['a', 'b'].map((subjectId) =>
    settle({ claim: claimOf(subjectId), now: NOW, outcome: { kind: 'done' } }),
  )
  const subjects = async () => (await read()).map((row) => row.subject_id)
  await waitFor(async () => expect(await subjects()).toEqual(['a', 'c', 'd']))
  committing.resolve()
  await Promise.all([asking, ...settled])
  // Asked for again by the transaction that committed first.
  expect(await read()).toMatchObject([{ subject_id: 'a', lease: null, ready: true }, {}, {}])
})

test('items that end with a locked one, or later, do not wait for it', async () => {
  const settle = createSettler(database.db)
  const committing = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const asking = inTransaction(database.db, async (tx) => {
    await requestWork(tx, { tenantId, topic: TOPIC, subjectId: 'a' }, NOW)
    // The request is sent with the next statement.
    await sql`SELECT 1`.execute(tx)
    locked.resolve()
    await committing.promise
  })
  await locked.promise
  const end = (subjectId: string) =>
    settle({ claim: claimOf(subjectId), now: NOW, outcome: { kind: 'done' } })
  const [a, b] = [end('a'), end('b')]
  await b
  await end('c')
  expect((await read()).map((row) => row.subject_id)).toEqual(['a', 'd'])
  committing.resolve()
  await Promise.all([asking, a])
  expect(await read()).toMatchObject([{ subject_id: 'a', lease: null, ready: true }, {}])
})

test('work with a deleted subject is settled without effect', async () => {
  const settle = createSettler(database.db)
  await sql`DELETE FROM work WHERE subject_id = 'a'`.execute(database.db)
  await settle({ claim: claimOf('a'), now: NOW, outcome: { kind: 'again', at: LATER } })
  expect((await read()).map((row) => row.subject_id)).toEqual(['b', 'c', 'd'])
})
