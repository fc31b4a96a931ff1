import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/time.ts'
import type { TestTenant } from '../support/api/api.ts'
import {
  addDraw,
  addEligible,
  lendingApiForFile,
  push,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

/** A facility with a warning's deadline that passed an hour ago, not evaluated since. */
async function addOverdue(tenant: TestTenant): Promise<{ target: string; repayment: string }> {
  const borrowerId = await addEligible(tenant)
  await push(tenant, borrowerId)
  const body = { borrower_id: borrowerId, limit: { amount: '48000.00', asset: 'USD' } }
  const { id } = (await tenant.send('POST', '/v1/facilities', { body })).json()
  const target = `/v1/facilities/${id}`
  await waitUntil(tenant, target, { state: 'APPROVED' })
  await addDraw(tenant, id, '48000.00')
  const price = { asset: 'BTC', price_usd: '68000' }
  await tenant.send('POST', '/v1/sandbox/prices', { body: price })
  await tenant.send('POST', '/v1/sandbox/clock', { body: { advance_seconds: 61 } })
  await waitUntil(tenant, `${target}/margin-warnings/1`, { status: 'OPEN' })
  const announced = await announce(tenant, target, '9000.00')
  await api.db
    .updateTable('margin_warnings')
    .set({ cure_deadline: new Date(Date.now() - HOUR_MS) })
    .where('facility_id', '=', id)
    .execute()
  return { target, repayment: `${target}/repayments/${announced.json().id}` }
}

const announce = (tenant: TestTenant, target: string, amount: string) =>
  tenant.send('POST', `${target}/repayments`, { body: { amount, asset: 'USD' } })

test('a repayment that is announced after the deadline finds the warning evaluated', async () => {
  const tenant = await api.addTenant()
  const { target } = await addOverdue(tenant)
  expect((await announce(tenant, target, '9000.00')).status).toBe(201)
  await waitUntil(tenant, `${target}/margin-warnings/1`, { status: 'ESCALATED' })
  await waitUntil(tenant, `${target}/margin-calls/1`, { status: 'COMPLETED' })
})

test('a report of too little after the deadline does not put it off', async () => {
  const tenant = await api.addTenant()
  const { target, repayment } = await addOverdue(tenant)
  await tenant.send('POST', '/v1/sandbox/payments', { body: { next: 'delay' } })
  const reported = await tenant.send('POST', `${repayment}/execution`, {
    body: {
      status: 'completed',
      delivered: { amount: '100.00', asset: 'USD' },
      reference: randomUUID(),
    },
  })
  expect(reported.status).toBe(200)
  const ended = await waitUntil(tenant, `${target}/margin-warnings/1`, { status: 'ESCALATED' })
  // The treasury takes three seconds; no request has waited for it.
  const applied = await waitUntil(tenant, repayment, { status: 'APPLIED' })
  expect(Date.parse(ended.escalated_at)).toBeLessThan(Date.parse(applied.applied_at))
})
