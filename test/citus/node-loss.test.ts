import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { audit } from '../../src/domain/audit/audit.ts'
import { createDatabaseCli } from '../cli/database-cli.ts'
import type { TestApi, TestTenant } from '../support/api/api.ts'
import { addApproved, addDraw, startLendingApi, waitUntil } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { type Endpoint, startEndpoint } from '../support/servers/endpoint.ts'
import { cutOff, findNodeOf, readDatabaseName, reconnect } from '../support/stores/citus.ts'

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
  database = await readDatabaseName(api.db)
  away = api.tenant
  lostNode = await findNodeOf(api.db, nodes, away.id)
  do there = await api.addTenant()
  while ((await findNodeOf(api.db, nodes, there.id)) === lostNode)
  for (const { client } of [away, there]) await client.registerWebhook({ url: endpoint.url })
  open.defer(() => reconnect([lostNode], database))
})
afterAll(() => open.disposeAsync())

const receivedOf = (borrowerId: string) =>
  endpoint.seen.filter(({ rawBody }) => rawBody.includes(borrowerId)).length

async function onboard(tenant: TestTenant): Promise<void> {
  const facility = await addApproved(tenant)
  await waitFor(() => {
    expect(receivedOf(facility.id)).toBeGreaterThan(0)
    expect(receivedOf(facility.borrowerId)).toBeGreaterThan(0)
  }, PATIENT)
}

const statusOf = async (tenant: TestTenant) => (await tenant.send('GET', '/v1/webhooks')).status

async function post(tenant: TestTenant, target: string, body: object) {
  const answer = await tenant.send('POST', target, { body })
  expect(answer.status).toBeLessThan(300)
  return answer.json()
}

/** Bitcoin goes to a price and stays there for long enough to count. */
async function holdPrice(tenant: TestTenant, dollars: string): Promise<void> {
  await post(tenant, '/v1/sandbox/prices', { asset: 'BTC', price_usd: dollars })
  await post(tenant, '/v1/sandbox/clock', { advance_seconds: 61 })
}

/** Its path; treasury is still to find the money. */
async function reportRepayment(tenant: TestTenant, facilityId: string): Promise<string> {
  const repayments = `/v1/facilities/${facilityId}/repayments`
  const amount = { amount: '1000.00', asset: 'USD' }
  const { id } = await post(tenant, repayments, amount)
  const report = { status: 'completed', delivered: amount, reference: `wire ${id}` }
  await post(tenant, `${repayments}/${id}/execution`, report)
  return `${repayments}/${id}`
}

const DRAW = { amount: '500.00', asset: 'USD', destination: 'account-4711' }

/** Every event of the tenant's log has arrived at its endpoint. */
async function untilDelivered(tenant: TestTenant): Promise<void> {
  await waitFor(async () => {
    const { items } = (await tenant.send('GET', '/v1/events?limit=500')).json()
    const arrived = new Set(endpoint.seen.map(({ eventId }) => eventId))
    const missing = items.filter(({ id }: { id: string }) => !arrived.has(id))
    expect(missing.map(({ type }: { type: string }) => type)).toEqual([])
  }, PATIENT)
}

test('while a node is away its tenants are answered 503, and the others are served whole', async () => {
  await onboard(away)
  await cutOff([lostNode], database)
  await waitFor(async () => expect(await statusOf(away)).toBe(503), PATIENT)
  // Requests, checks by the worker, prices, the valuation, a decision, and deliveries of their events.
  await onboard(there)
  expect(await statusOf(away)).toBe(503)
  expect(await statusOf(there)).toBe(200)
  await reconnect([lostNode], database)
  await waitFor(async () => expect(await statusOf(away)).toBe(200), PATIENT)
  await onboard(away)
})

test('while a node is away loans of the others are repaid, warned, escalated and sold, and afterwards nothing of its own tenants is lost', async () => {
  const own = await addApproved(away)
  await addDraw(away, own.id, '20000.00')
  const repaid = await addApproved(there)
  await addDraw(there, repaid.id, '20000.00')
  const sold = await addApproved(there)
  await addDraw(there, sold.id, '38000.00')
  const ownRepayment = await reportRepayment(away, own.id)
  const ownDraw = await post(away, `/v1/facilities/${own.id}/draws`, DRAW)
  await cutOff([lostNode], database)

  const repayment = await reportRepayment(there, repaid.id)
  await waitUntil(there, repayment, { status: 'APPLIED' })
  await holdPrice(there, '55000')
  await waitUntil(there, `/v1/facilities/${sold.id}/margin-warnings/1`, { status: 'OPEN' })
  await holdPrice(there, '46500')
  await waitUntil(there, `/v1/facilities/${sold.id}/margin-warnings/1`, { status: 'ESCALATED' })
  await waitUntil(there, `/v1/facilities/${sold.id}/margin-calls/1`, { status: 'COMPLETED' })
  await untilDelivered(there)
  expect(await statusOf(away)).toBe(503)

  await reconnect([lostNode], database)
  await waitFor(async () => expect(await statusOf(away)).toBe(200), PATIENT)
  await waitFor(async () => {
    expect((await away.send('GET', ownRepayment)).json()).toMatchObject({ status: 'APPLIED' })
    const draw = await away.send('GET', `/v1/facilities/${own.id}/draws/${ownDraw.id}`)
    expect(draw.json()).toMatchObject({ status: 'COMPLETED' })
  }, PATIENT)
  await untilDelivered(away)
  const findings = await audit(api.db, { hasSimulation: true })
  expect(findings.filter(({ timedOut }) => timedOut)).toEqual([])
  expect(findings.flatMap(({ violations }) => violations)).toEqual([])
}, 120_000)

test('what reads all tenants is refused while a node is away, in a sentence that names the cause', async () => {
  const cli = createDatabaseCli(api.resources.config.databaseUrl)
  await cutOff([lostNode], database)
  for (const command of ['tenants list', 'audit', 'refunds list']) {
    const { code, message } = await cli.fail(command)
    expect(code).toBe('unavailable')
    expect(message).toMatch(/^A node of the database does not answer \(127\.0\.0\.1:\d+\), /)
  }
  const { detail } = (await away.send('GET', '/v1/webhooks')).json()
  expect(detail).toBe('A node of the database is not available.')
  await reconnect([lostNode], database)
  expect(await cli.show('tenants list')).toContain(there.id)
})
