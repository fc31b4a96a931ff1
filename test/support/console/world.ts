import { expect } from 'vitest'
import type { EventType } from '../../../src/client/resources/resources.ts'
import { addApproved, addDraw, waitUntil } from '../lending/lending-api.ts'
import { waitFor } from '../process/patience.ts'
import { type Endpoint, startEndpoint } from '../servers/endpoint.ts'
import type { ConsoleApi } from './console-api.ts'
import { type DeskOperations, furnishOperations } from './desk-operations.ts'
import { furnishDesk } from './desk-world.ts'
import { addSold, type SoldLoan } from './margin-world.ts'

/** Ids of what the pages show. */
export type ConsoleWorld = {
  keyId: string
  borrowerId: string
  facilityId: string
  /** Of a loan with an open warning and a cure that was announced. */
  warnedId: string
  tenantId: string
  /** Of another tenant, with a margin call that has ended. */
  sold: SoldLoan
  repaymentId: string
  webhookId: string
  failingWebhookId: string
  eventId: string
  refusedRequestId: string
  /** Of a proposal that waits. */
  approvalId: string
} & DeskOperations

/** A tenant with two loans, an endpoint that accepts, one that fails, and requests of each kind. */
export async function furnish(
  api: ConsoleApi,
  cleanup: AsyncDisposableStack,
): Promise<ConsoleWorld> {
  const { tenant } = api
  const accepting = cleanup.use(await startEndpoint())
  const failing = cleanup.use(
    await startEndpoint(() => ({ status: 503, body: '{"error":"the queue is full"}' })),
  )
  await tenant.client.createSigningSecret()
  const webhookId = await register(api, accepting, 'Production')
  const failingWebhookId = await register(api, failing, 'Staging', ['draw.completed'])
  const { id: facilityId, borrowerId } = await addApproved(tenant)
  await addDraw(tenant, facilityId, '12500.00')
  const refused = await tenant.send('GET', '/v1/documents', {
    headers: { 'x-svc-signature': Buffer.alloc(64).toString('base64') },
  })
  await tenant.send('POST', '/v1/borrowers', { body: { type: 'individual' } })
  const eventId = await untilDelivered(api, failing)
  const repaymentId = await repay(api, facilityId)
  const warnedId = await addWarned(api)
  const approvalId = await furnishDesk(api)
  const operations = await furnishOperations(api)
  const sold = await addSold(api)
  return {
    keyId: tenant.keyId,
    borrowerId,
    facilityId,
    warnedId,
    tenantId: tenant.id,
    sold,
    repaymentId,
    webhookId,
    failingWebhookId,
    eventId,
    approvalId,
    refusedRequestId: String(refused.headers['x-svc-request-id']),
    ...operations,
  }
}

async function register(
  { tenant }: ConsoleApi,
  { url }: Endpoint,
  label: string,
  types: EventType[] = [],
): Promise<string> {
  return await tenant.client.registerWebhook({ url, label, event_types: types })
}

/** The event that the failing endpoint has seen. */
async function untilDelivered({ tenant }: ConsoleApi, failing: Endpoint): Promise<string> {
  return await waitFor(async () => {
    const [first] = failing.seen
    expect(first).toBeDefined()
    const { deliveries } = await tenant.client.getEvent(first?.eventId ?? '')
    expect(deliveries.every(({ attempts }) => attempts.length > 0)).toBe(true)
    return first?.eventId ?? ''
  })
}

/** Applied, with its waterfall. */
async function repay({ tenant }: ConsoleApi, facilityId: string): Promise<string> {
  const { client } = tenant
  const delivered = { amount: '1500.00', asset: 'USD' }
  const { id } = await client.createRepayment(facilityId, delivered)
  const report = { status: 'completed' as const, delivered, reference: 'wire-2211' }
  await client.reportExecution(facilityId, id, report)
  await waitUntil(tenant, `/v1/facilities/${facilityId}/repayments/${id}`, { status: 'APPLIED' })
  return id
}

/** At tier 1 by a price that the tenant has set. */
async function addWarned({ tenant }: ConsoleApi): Promise<string> {
  const { client } = tenant
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '40000.00')
  await client.setSandboxPrice('BTC', '56000')
  await client.advanceSandboxClock(61)
  await waitUntil(tenant, `/v1/facilities/${id}/margin-warnings/1`, { status: 'OPEN' })
  const cure = { amount: '9000.00', asset: 'USD', margin_warning_number: 1 }
  await client.createRepayment(id, cure)
  return id
}
