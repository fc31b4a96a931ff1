import { newId } from '../../../src/core/ids.ts'
import { createTestBorrower, type TestApi, type TestTenant } from '../../support/api/api.ts'
import { addEstate, type Estate } from '../../support/api/estate.ts'
import {
  addApproved,
  addDraw,
  addEligible,
  LIMIT,
  waitUntil,
} from '../../support/lending/lending-api.ts'
import type { Ids } from './arbitraries.ts'

const NONE: Estate = {
  borrowerId: newId('bor'),
  webhookId: newId('whk'),
  eventId: newId('evt'),
  facilityId: newId('fac'),
  drawId: newId('drw'),
  repaymentId: newId('rep'),
}

/**
 * Gives the API's tenant, who has a worker, something of every kind that any operation can be asked
 * for; and the ids of all that, of another tenant's things and unknown ones, each under the names that
 * paths and bodies have for it.
 */
export async function openFuzzedHouse(api: TestApi): Promise<Ids> {
  const { tenant } = api
  const registered = await tenant.client.registerWebhook({ url: 'http://127.0.0.1:9/' })
  const webhookId = String(registered)
  const sold = await addSold(tenant)
  const own = await addLoan(tenant, webhookId)
  const pending = await addPending(tenant)
  const free = await addEligible(tenant)
  const inReview = await addInReview(tenant)
  const others = await addEstate(api, await api.addTenant())

  const all = (kind: keyof Estate, ...more: string[]) => {
    return [own[kind], ...more, others[kind], NONE[kind]]
  }
  const webhooks = all('webhookId', own.webhookId)
  const events = all('eventId', own.eventId)
  return {
    borrower_id: all('borrowerId', free, inReview),
    facility_id: all('facilityId', pending, sold),
    draw_id: all('drawId', own.drawId),
    repayment_id: all('repaymentId', own.repaymentId),
    payment_id: all('repaymentId', own.repaymentId, own.drawId),
    webhook_id: webhooks,
    event_id: events,
    id: [...webhooks, ...events],
    cursor: [...(await readCursors(tenant, webhookId)), 'AAAA'],
  }
}

/** A loan that was warned and partly sold out; its facility. */
async function addSold(tenant: TestTenant): Promise<string> {
  const { client } = tenant
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '35000.00')
  await client.setSandboxPrice('BTC', '41500')
  await client.advanceSandboxClock(120)
  await waitUntil(tenant, `/v1/facilities/${id}/margin-calls/1`, { status: 'COMPLETED' })
  await client.setSandboxPrice('BTC', null)
  return id
}

/** A loan under way, of which something is to be repaid. */
async function addLoan(tenant: TestTenant, webhookId: string): Promise<Estate> {
  const { client } = tenant
  const { id: facilityId, borrowerId } = await addApproved(tenant)
  const { id: drawId } = await addDraw(tenant, facilityId, '5000.00')
  const money = { amount: '100.00', asset: 'USD' }
  const { id: repaymentId } = await client.createRepayment(facilityId, money)
  const eventId = (await client.listEvents()).items[0]?.id ?? ''
  return { borrowerId, webhookId, eventId, facilityId, drawId, repaymentId }
}

/** A facility that waits for a portfolio that is never pushed. */
async function addPending(tenant: TestTenant): Promise<string> {
  const borrowerId = await addEligible(tenant)
  const { id } = await tenant.client.createFacility({ borrower_id: borrowerId, limit: LIMIT })
  return id
}

/** A borrower with checks that wait for a decision. */
async function addInReview(tenant: TestTenant): Promise<string> {
  const borrowerId = await createTestBorrower(tenant)
  await tenant.client.submitSignature(borrowerId, {
    full_name: 'Grace Hopper',
    email: 'grace+review@example.com',
    ip_address: '203.0.113.9',
    signed_at: new Date().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  })
  return borrowerId
}

async function readCursors(tenant: TestTenant, webhookId: string): Promise<string[]> {
  const lists = ['/v1/events', `/v1/webhooks/${webhookId}/events`, '/v1/facilities']
  const pages = await Promise.all(lists.map((list) => tenant.send('GET', `${list}?limit=1`)))
  return pages.map((page) => page.json().next_cursor)
}
