import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { type Claim, claimWork, markWorkDue } from '../../../src/domain/work/claim.ts'
import { runBatch } from '../../../src/domain/work/run-work.ts'
import { settleAtOnce } from '../../../src/domain/work/settle.ts'
import { requestWorks } from '../../../src/domain/work/work.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const TOPIC = 'read-positions' as const
const START = new Date('2026-11-20T10:00:00.000Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** A tenant with so much work that is due. */
async function addWorks(count: number): Promise<string> {
  const { db } = database
  const tenantId = await openTenant(db)
  const works = Array.from({ length: count }, (_, at) => ({
    topic: TOPIC,
    subjectId: `thing_${at}`,
  }))
  await inTransaction(db, (tx) => requestWorks(tx, tenantId, works, START))
  return tenantId
}

async function claim(demand: { after: string; most: number; batch: number; share: number }) {
  const all = { priority: 'readings' as const, holds: [], ...demand }
  const { claims, next } = await claimWork(database.db, [TOPIC], [all], START)
  return { claims, next: next.get('readings')?.after }
}

const countByTenant = (claims: readonly Claim[]) =>
  Object.fromEntries(
    [...Map.groupBy(claims, ({ tenantId }) => tenantId)].map(([id, of]) => [id, of.length]),
  )

test('tenants get whole batches one after the other, not a part of one each', async () => {
  const tenants = [await addWorks(3), await addWorks(3), await addWorks(3)].sort()
  const [first = '', second = '', third = ''] = tenants
  const one = await claim({ after: '', most: 7, batch: 3, share: 3 })
  expect(countByTenant(one.claims)).toEqual({ [first]: 3, [second]: 3 })
  expect(one.next).toBe(second)
  const rest = await claim({ after: one.next ?? '', most: 3, batch: 3, share: 3 })
  expect(countByTenant(rest.claims)).toEqual({ [third]: 3 })
})

test('a single tenant gets as many whole batches as its share', async () => {
  const tenantId = await addWorks(10)
  const { claims } = await claim({ after: '', most: 8, batch: 2, share: 4 })
  expect(countByTenant(claims)).toEqual({ [tenantId]: 4 })
  await database.db.deleteFrom('work').execute()
})

test('work that failed together is due again together', async () => {
  const { db } = database
  const tenantId = await addWorks(20)
  const { claims } = await claim({ after: '', most: 20, batch: 20, share: 20 })
  const context = { db, clock: () => START, settle: settleAtOnce(db) }
  await runBatch(context, claims, () => Promise.reject(new Error('the custodian is down')))
  const rows = await db
    .selectFrom('work')
    .select('due_at')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .execute()
  expect(rows).toHaveLength(1)
  const later = addMs(START, 5 * SECOND_MS)
  await markWorkDue(db, [TOPIC], later)
  expect(rows[0]?.due_at.getTime()).toBeLessThanOrEqual(later.getTime())
})
