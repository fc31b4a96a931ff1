import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { TestApi, TestTenant } from '../support/api/api.ts'
import { addEligible, push, startLendingApi } from '../support/lending/lending-api.ts'
import { type Endpoint, startEndpoint } from '../support/servers/endpoint.ts'
import { cutOff, reconnect } from '../support/stores/citus.ts'

const PATIENT = { timeout: 40_000, interval: 100 }

const nodes = inject('citusNodes')

let open: AsyncDisposableStack
let api: TestApi
/** Of the node that is lost, and of another. */
let away: TestTenant
let there: TestTenant
let lostNode: string
let database: string
let endpoint: Endpoint
beforeAll(async () => {
  open = new AsyncDisposableStack()
  endpoint = open.use(await startEndpoint())
  api = open.use(await startLendingApi())
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(api.db)
  database = rows[0]?.name ?? ''
  away = api.tenant
  const lostPort = await readPort(away.id)
  do there = await api.addTenant()
  while ((await readPort(there.id)) === lostPort)
  for (const { client } of [away, there]) await client.registerWebhook({ url: endpoint.url })
  lostNode = nodes.find((url) => new URL(url).port === String(lostPort)) ?? ''
  open.defer(() => reconnect([lostNode], database))
})
afterAll(() => open.disposeAsync())

async function readPort(tenantId: string): Promise<number> {
  const { rows } = await sql<{ port: number }>`
    SELECT nodeport AS port FROM citus_shards
    WHERE shardid = get_shard_id_for_distribution_column('tenants', ${tenantId}::text)`.execute(
    api.db,
  )
  return rows[0]?.port ?? 0
}

const receivedOf = (borrowerId: string) =>
  endpoint.seen.filter(({ rawBody }) => rawBody.includes(borrowerId)).length

async function onboard(tenant: TestTenant): Promise<void> {
  const borrowerId = await addEligible(tenant)
  await push(tenant, borrowerId)
  const { client } = tenant
  const facility = await client.createFacility({
    borrower_id: borrowerId,
    limit: { amount: '10000.00', asset: 'USD' },
  })
  await vi.waitFor(async () => {
    expect((await tenant.send('GET', `/v1/facilities/${facility.id}`)).json()).toMatchObject({
      state: 'APPROVED',
    })
    expect(receivedOf(facility.id)).toBeGreaterThan(0)
    expect(receivedOf(borrowerId)).toBeGreaterThan(0)
  }, PATIENT)
}

const statusOf = async (tenant: TestTenant) => (await tenant.send('GET', '/v1/webhooks')).status

test('while a node is away its tenants are answered 503, and the others are served whole', async () => {
  await onboard(away)
  await cutOff([lostNode], database)
  await vi.waitFor(async () => expect(await statusOf(away)).toBe(503), PATIENT)
  // Requests, checks by the worker, prices, the valuation, a decision, and deliveries of their events.
  await onboard(there)
  expect(await statusOf(away)).toBe(503)
  expect(await statusOf(there)).toBe(200)
  await reconnect([lostNode], database)
  await vi.waitFor(async () => expect(await statusOf(away)).toBe(200), PATIENT)
  await onboard(away)
})
