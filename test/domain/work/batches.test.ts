import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { runBatch } from '../../../src/domain/work/run-work.ts'
import { settleAtOnce } from '../../../src/domain/work/settle.ts'
import { requestWorks } from '../../../src/domain/work/work.ts'
import { claimDue } from '../../support/deliveries/due-work.ts'
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

test('work that failed together is due again together', async () => {
  const { db } = database
  const tenantId = await addWorks(20)
  const claims = await claimDue(db, [TOPIC], START)
  expect(claims).toHaveLength(20)
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
  expect(rows[0]?.due_at.getTime()).toBeLessThanOrEqual(later.getTime())
  expect(await claimDue(db, [TOPIC], later)).toHaveLength(20)
})
