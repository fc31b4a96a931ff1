import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../src/core/time.ts'
import { createSandboxPayments } from '../../src/providers/sandbox/payments-sandbox.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { databaseForFile } from '../support/stores/database.ts'

const database = databaseForFile()

test('a receipt that is asked about again is final when it was first said to be', async () => {
  const payments = createSandboxPayments(database.db, async () => new Date())
  const realNow = new Date('2026-11-20T12:00:00Z')
  const call = {
    ...{ tenantId: await openTenant(database.db), callId: 'rep_1/1', realNow },
    ...{ reference: 'card-1+revocable', claimed: { asset: 'USD', units: 100n } },
  }
  const first = await payments.confirmReceipt(call)
  expect(first).toMatchObject({ receipt: { finalAt: addMs(realNow, 60 * DAY_MS) } })
  const later = { ...call, realNow: addMs(realNow, HOUR_MS) }
  expect(await payments.confirmReceipt(later)).toEqual(first)
})

test('nothing was received where more than anyone can have is asked for', async () => {
  const payments = createSandboxPayments(database.db, async () => new Date())
  const answer = await payments.confirmReceipt({
    ...{ tenantId: await openTenant(database.db), callId: 'rep_2/1', realNow: new Date() },
    ...{ reference: 'wire+over999999999999999', claimed: { asset: 'USD', units: 100n } },
  })
  expect(answer).toEqual({ status: 'done', receipt: undefined })
})
