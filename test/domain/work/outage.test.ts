import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction, type Wake } from '../../../src/db/database.ts'
import { runWork } from '../../../src/domain/work/run-work.ts'
import { retryAfterOutage } from '../../../src/domain/work/stuck.ts'
import type { WorkTopic } from '../../../src/domain/work/topics.ts'
import { requestWork } from '../../../src/domain/work/work.ts'
import {
  VendorFailure,
  type VendorFailureReason,
} from '../../../src/providers/vendors/vendor-failure.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const BEFORE = new Date('2026-11-20T10:00:00.000Z')
const SINCE = addMs(BEFORE, HOUR_MS)
const BACK = addMs(SINCE, 20 * SECOND_MS)

let database: TestDatabase
const wakes: Wake[] = []
beforeAll(async () => {
  database = await createTestDatabase({ onCommit: (committed) => wakes.push(...committed) })
})
afterAll(() => database[Symbol.asyncDispose]())

async function failAt(topic: WorkTopic, subjectId: string, at: Date, error: unknown) {
  const item = { tenantId: await openTenant(database.db), topic, subjectId }
  await inTransaction(database.db, (tx) => requestWork(tx, item, at))
  const run = () => Promise.reject(error)
  await expect(runWork(database.db, item, () => at, run)).rejects.toThrow()
}

const failure = (provider: string, reason: VendorFailureReason) =>
  new VendorFailure({ provider, operation: 'receipts' }, reason)

test('what began to fail by the outage of a provider is due when it is back, and nothing else', async () => {
  await failAt('confirm-repayment', 'rep_down', SINCE, failure('payments', 'status_5xx'))
  await failAt('confirm-repayment', 'rep_held', BACK, failure('payments', 'breaker_open'))
  await failAt('release-draw', 'drw_away', BACK, failure('payments', 'timeout'))
  await failAt('confirm-repayment', 'rep_bad', BEFORE, failure('payments', 'status_5xx'))
  await failAt('push-floor', 'fac_other', BACK, failure('custodian', 'timeout'))
  await failAt('confirm-repayment', 'rep_broken', BACK, new TypeError('x is not a function'))
  wakes.length = 0
  await retryAfterOutage(database.db, { provider: 'payments', since: SINCE }, BACK)
  const ready = await database.db
    .selectFrom('work')
    .select(['subject_id', 'attempts'])
    .where('ready', '=', true)
    .where('due_at', '<=', BACK)
    .orderBy('subject_id')
    .execute()
  expect(ready).toEqual(
    ['drw_away', 'rep_down', 'rep_held'].map((id) => ({ subject_id: id, attempts: 1 })),
  )
  const woken = wakes.flatMap((wake) => (wake.kind === 'work' ? [wake] : []))
  expect(woken.map(({ topic, subjectId }) => `${topic} ${subjectId}`).toSorted()).toEqual([
    'confirm-repayment rep_down',
    'confirm-repayment rep_held',
    'release-draw drw_away',
  ])
})
