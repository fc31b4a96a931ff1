import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { sealOf } from '../../support/lending/sealed.ts'

const now = new Date()
const { api, operators } = operatorApiForFile({ clock: () => now })

test('a payment without a final answer for an hour is listed with its amount, its last answer and when it is asked again', async () => {
  const { token } = await operators.addOperator('viewer')
  const { db, tenant } = api
  const [facilityId = ''] = await insertFacilities(db, tenant.id, [
    { positions: {}, principalCents: 0n, accruedAt: now },
  ])
  const of = { tenantId: tenant.id, facilityId }
  const account = await sealOf(db, of, 'a', 'destination')
  const addDraw = async (sentAt: Date | null) => {
    const id = newId('drw')
    await sql`INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units,
        debt_cents, destination, payout_sent_at, requested_at)
      VALUES (${tenant.id}, ${id}, ${facilityId}, 'PENDING', 'USD', 500000, 500000, ${account}, ${sentAt},
        ${addMs(now, -5 * HOUR_MS)})`.execute(db)
    return id
  }
  const addWork = (topic: string, id: string, attempts: number) =>
    sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts,
        failing_since, last_error)
      VALUES (${tenant.id}, ${topic}, ${id}, 'real', 1, ${addMs(now, HOUR_MS)}, ${attempts},
        ${attempts > 0 ? now : null}, ${attempts > 0 ? 'VendorFailure timeout' : null})`.execute(db)
  const since = addMs(now, -2 * HOUR_MS)
  const waiting = await addDraw(since)
  await addWork('release-draw', waiting, 0)
  await addDraw(addMs(now, -59 * MINUTE_MS))
  await addDraw(null)
  const refundId = newId('rfd')
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units,
      cents, destination, status, refusals, ordered, created_at)
    VALUES (${tenant.id}, ${refundId}, ${facilityId}, 'rep_1', 'USD', 50000, 50000,
      ${account}, 'PENDING', 1, 1, ${addMs(now, -HOUR_MS)})`.execute(db)
  await addWork('pay-refund', refundId, 3)
  const { items } = (await operators.send('/payments/waiting', { token })).json()
  const ids = { tenant_id: tenant.id, facility_id: facilityId }
  expect(items).toEqual([
    {
      ...{ id: waiting, ...ids, kind: 'draw', amount: { amount: '5000.00', asset: 'USD' } },
      ...{ since: since.toISOString(), asked_again_at: addMs(now, HOUR_MS).toISOString() },
      ...{ failures: 0, error: null },
    },
    {
      ...{ id: refundId, ...ids, kind: 'refund', amount: { amount: '500.00', asset: 'USD' } },
      ...{ since: addMs(now, -HOUR_MS).toISOString() },
      ...{ asked_again_at: addMs(now, HOUR_MS).toISOString() },
      ...{ failures: 3, error: 'VendorFailure timeout' },
    },
  ])
  // A tenant's clock that is ahead has waited longer.
  await sql`UPDATE tenants SET clock_offset_ms = 60000 WHERE tenant_id = ${tenant.id}`.execute(db)
  const later = (await operators.send('/payments/waiting', { token })).json().items
  expect(later).toHaveLength(3)
})
