import { beforeAll, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { purgeCallbacks, receiveCallback } from '../../../src/domain/callbacks/receive-callback.ts'
import { EVALUATE_BORROWER } from '../../../src/domain/onboarding/borrowers.ts'
import { scheduleWorks } from '../../../src/domain/work/work.ts'
import { claimDue } from '../../support/deliveries/due-work.ts'
import { addBorrower, evaluate, openTenant, sign } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

const database = databaseForFile()
let tenantId: string
beforeAll(async () => {
  tenantId = await openTenant(database.db)
})

const receive = (callId: string, id: string, now = NOW) =>
  inTransaction(database.db, (tx) =>
    receiveCallback(tx, { provider: 'kyc', id, tenantId, callId }, now),
  )

test('a callback about a check has its borrower evaluated now', async () => {
  const { db } = database
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId, { tag: 'slow' })
  await evaluate(db, tenantId, borrowerId)
  await db.deleteFrom('work').execute()
  const item = { topic: EVALUATE_BORROWER, subjectId: borrowerId }
  const later = { ...item, dueAt: addMs(NOW, DAY_MS) }
  await inTransaction(db, (tx) => scheduleWorks(tx, tenantId, [later]))
  const { check_id: checkId } = await db
    .selectFrom('compliance_checks')
    .select('check_id')
    .where('kind', '=', 'kyc')
    .executeTakeFirstOrThrow()

  expect(await receive(checkId, 'first')).toBe('accepted')
  expect(await claimDue(db, [EVALUATE_BORROWER], NOW)).toMatchObject([item])
})

test('a callback with a failed transaction was not accepted, and is accepted when it is sent again', async () => {
  const callback = { provider: 'kyc', id: 'again', tenantId, callId: 'chk_unknown' } as const
  const failed = inTransaction(database.db, async (tx) => {
    await receiveCallback(tx, callback, NOW)
    throw new Error('the database went away')
  })
  await expect(failed).rejects.toThrow('went away')
  expect(await receive(callback.callId, callback.id)).toBe('ignored')
  expect(await receive(callback.callId, callback.id)).toBe('duplicate')
})

test('callbacks are deleted after 30 days, and no sooner', async () => {
  await receive('chk_unknown', 'old', addMs(NOW, -30 * DAY_MS - 1))
  await receive('chk_unknown', 'young', addMs(NOW, -30 * DAY_MS))
  expect(await purgeCallbacks(database.db, NOW)).toBe(1)
  expect(await receive('chk_unknown', 'young')).toBe('duplicate')
  expect(await receive('chk_unknown', 'old')).toBe('ignored')
})
