import { newId } from '../../../src/core/ids.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { ensureBorrowerKey } from '../../../src/domain/personal/borrower-key.ts'
import { createTestBorrower, type TestApi, type TestTenant } from './api.ts'

/** One of each resource of a tenant, by its id; the facility has warning 1 and call 1. */
export type Estate = {
  borrowerId: string
  webhookId: string
  /** An event that has a delivery at the webhook. */
  eventId: string
  facilityId: string
  drawId: string
  repaymentId: string
}

/** Gives a tenant one of each. The webhook comes first, so that the event is delivered to it. */
export async function addEstate(api: TestApi, tenant: TestTenant): Promise<Estate> {
  const registered = await tenant.send('POST', '/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/' },
  })
  const borrowerId = await createTestBorrower(tenant)
  const lent = await inTransaction(api.db, async (tx) => {
    const made = await insertLoan(tx, tenant.id, borrowerId)
    appendEvents(tx, tenant.id, [
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrowerId },
        occurredAt: new Date(),
        data: { borrower_id: borrowerId },
      },
    ])
    return made
  })
  const eventId = (await tenant.send('GET', '/v1/events')).json().items[0].id
  return { borrowerId, webhookId: registered.json().id, eventId, ...lent }
}

/** A facility that is open, with a draw and a repayment under way, as rows: ids are all we need. */
async function insertLoan(tx: Tx, tenantId: string, borrowerId: string) {
  const [facilityId, drawId, repaymentId] = [newId('fac'), newId('drw'), newId('rep')]
  const now = new Date()
  const facility = { tenant_id: tenantId, facility_id: facilityId }
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId })
  const amount = { asset: 'USD', amount_units: 100n, status: 'PENDING', requested_at: now } as const
  await tx
    .insertInto('facilities')
    .values({
      ...facility,
      borrower_id: borrowerId,
      state: 'APPROVED',
      limit_cents: 1_000_000n,
      rate_ppm: 100_000,
      accrued_at: now,
      created_at: now,
      updated_at: now,
      decisioned_at: now,
    })
    .execute()
  await tx
    .insertInto('draws')
    .values({
      ...facility,
      ...amount,
      draw_id: drawId,
      debt_cents: 100n,
      destination: key.seal('account', 'destination'),
    })
    .execute()
  await tx
    .insertInto('repayments')
    .values({ ...facility, ...amount, repayment_id: repaymentId })
    .execute()
  await insertEscalation(tx, facility, now)
  return { facilityId, drawId, repaymentId }
}

/** Warning 1 and call 1 of a facility. */
async function insertEscalation(
  tx: Tx,
  facility: { tenant_id: string; facility_id: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('margin_warnings')
    .values({
      ...{ ...facility, number: 1, tier: 1, status: 'ESCALATED', ltv_at_raise: '0.710000' },
      ...{ raised_at: now, cure_deadline: now, escalated_at: now },
      ...{ cure_amount_cents: 0n, cure_collateral_cents: 0n },
    })
    .execute()
  await tx
    .insertInto('margin_calls')
    .values({
      ...{ ...facility, number: 1, margin_warning_number: 1, status: 'COMPLETED' },
      ...{ outcome: 'not_needed', created_at: now, completed_at: now },
    })
    .execute()
}
