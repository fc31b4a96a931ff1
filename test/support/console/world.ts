import { expect, vi } from 'vitest'
import type { EventType } from '../../../src/client/resources/resources.ts'
import { addApproved, addDraw } from '../lending/lending-api.ts'
import { type Endpoint, startEndpoint } from '../servers/endpoint.ts'
import type { ConsoleApi } from './console-api.ts'

/** Ids of what the pages show. */
export type ConsoleWorld = {
  keyId: string
  borrowerId: string
  facilityId: string
  webhookId: string
  failingWebhookId: string
  eventId: string
  refusedRequestId: string
}

const PATIENT = { timeout: 20_000, interval: 50 }

/** A tenant with a loan, an endpoint that accepts, one that fails, and requests of each kind. */
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
  return {
    keyId: tenant.keyId,
    borrowerId,
    facilityId,
    webhookId,
    failingWebhookId,
    eventId,
    refusedRequestId: String(refused.headers['x-svc-request-id']),
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
  return await vi.waitFor(async () => {
    const [first] = failing.seen
    expect(first).toBeDefined()
    const { deliveries } = await tenant.client.getEvent(first?.eventId ?? '')
    expect(deliveries.every(({ attempts }) => attempts.length > 0)).toBe(true)
    return first?.eventId ?? ''
  }, PATIENT)
}
