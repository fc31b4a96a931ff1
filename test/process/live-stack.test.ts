import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, DAY_MS, SECOND_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { readPriceSources } from '../../src/domain/operations/prices.ts'
import { listProcesses, listProviders } from '../../src/domain/operations/processes.ts'
import { refuseClaim } from '../../src/domain/repayments/contested.ts'
import { startReports } from '../../src/process/report-process.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import type { TestApi } from '../support/api/api.ts'
import { startLendingApi, waitUntil } from '../support/lending/lending-api.ts'
import { readEvents } from '../support/lending/onboarding.ts'
import { waitFor } from '../support/process/patience.ts'
import { startVendors, type Twist, type VendorServer } from '../support/servers/vendor-server.ts'

const STORY_MS = 120_000
const ONE_BTC = 100_000_000n

let owned: AsyncDisposableStack
let vendors: VendorServer
let api: TestApi
let logText = ''
let aheadMs = 0
const clock = () => addMs(new Date(), aheadMs)

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  vendors = owned.use(await startVendors(clock))
  const { prices } = vendors.books
  for (const [asset, price] of [
    ['BTC', '100000'],
    ['ETH', '4000'],
    ['USDC', '1'],
  ] as const) {
    prices.set(asset, price)
  }
  const constants = {
    priceRoundSeconds: 2,
    vendorLimits: {
      ...{ deadlineSeconds: 1, breakerFailures: 3, breakerWindowSeconds: 120, breakerSeconds: 1 },
    },
  }
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logText += String(chunk)
      done()
    },
  })
  const logger = createLogger({ logLevel: 'trace', stack: 'live', kind: 'api' }, sink)
  api = owned.use(await startLendingApi({ env: vendors.environment, constants, clock, logger }))
})
afterAll(() => owned.disposeAsync())

function script(operation: string, ...twists: Twist[]): void {
  vendors.next.set(operation, twists)
}

/** Waits until an operation was called so often. */
async function waitForCalls(operation: string, times: number) {
  return await waitFor(() => {
    const calls = vendors.calls.filter((call) => call.operation === operation)
    expect(calls.length).toBeGreaterThanOrEqual(times)
    return calls
  })
}

async function callBack(vendor: 'kyc' | 'custodian' | 'payments', callId: string, id?: string) {
  const callback = { tenantId: api.tenant.id, callId, ...(id && { id }) }
  return (await vendors.callBack(api.baseUrl, vendor, callback)).body.outcome
}

/** Makes waiting work due now, until it has come to what is expected. */
async function nudge(
  vendor: 'kyc' | 'custodian' | 'payments',
  callId: string,
  expected: () => unknown,
): Promise<void> {
  await waitFor(async () => {
    await callBack(vendor, callId)
    await expected()
  })
}

async function readBreaker(provider: string): Promise<number | undefined> {
  const { values } = await api.resources.metrics.providerBreaker.get()
  return values.find(({ labels }) => labels.provider === provider)?.value
}

/** Whether an accepted round of now holds this price. */
async function waitForPrice(dollars: bigint): Promise<void> {
  const { prices, db } = api.resources
  const since = clock()
  await waitFor(async () => {
    const latest = await prices.latest(db, api.tenant.id, clock())
    expect(latest.get('BTC')?.price).toBe(dollars * ONE_BTC)
    expect(latest.get('BTC')?.at.getTime()).toBeGreaterThanOrEqual(since.getTime())
  })
}

async function onboard(fullName: string): Promise<string> {
  const { client } = api.tenant
  const { id } = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'DE',
  })
  await client.submitSignature(id, {
    full_name: fullName,
    email: 'ada@example.com',
    ip_address: '203.0.113.9',
    signed_at: clock().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  })
  return id
}

async function apply(borrowerId: string, account: string, amount: string): Promise<string> {
  // Beside the collateral lies what is none, under a code of the custodian's own.
  const held = new Map([
    ['BTC', ONE_BTC],
    ['stETH', 10n ** 18n],
  ])
  vendors.books.holdings.set(account, held)
  await waitForPrice(100_000n)
  const positions = [{ asset: 'BTC', quantity: '1' }]
  await api.tenant.client.putPortfolio(borrowerId, { as_of: clock().toISOString(), positions })
  const { id } = await api.tenant.client.createFacility({
    borrower_id: borrowerId,
    limit: { amount, asset: 'USD' },
    custody_account: account,
  })
  return id
}

async function expectSound(): Promise<void> {
  expect(vendors.complaints).toEqual([])
  expect(await checkLedger(api.db)).toEqual([])
  const findings = await audit(api.db, { hasSimulation: false })
  expect(
    findings.flatMap(({ name, violations }) => violations.map((text) => [name, text])),
  ).toEqual([])
}

/** The tenant's events about a facility, in order. */
async function eventsOf(facilityId: string): Promise<string[]> {
  const events = await readEvents(api.db, api.tenant.id)
  return events.filter(({ data }) => data.facility_id === facilityId).map(({ type }) => type)
}

test(
  'a borrower is onboarded, draws, repays and closes, with vendors that answer late, twice, or not at all',
  async () => {
    const { tenant } = api
    // Onboarding: a check that failed is repeated a minute later, and decided only after an hour,
    // unless the vendor calls back.
    script('kyc/checks', 'error', 'pending long')
    const borrowerId = await onboard('Ada Lovelace')
    const [check] = await waitForCalls('kyc/checks', 1)
    await nudge('kyc', `${check?.id}`, () => {
      const calls = vendors.calls.filter(({ operation }) => operation === 'kyc/checks')
      expect(calls).toHaveLength(2)
    })
    expect(await callBack('kyc', `${check?.id}`.replace('chk_0', 'chk_1'))).toBe('ignored')
    const newsId = randomUUID()
    expect(await callBack('kyc', `${check?.id}`, newsId)).toBe('accepted')
    await waitUntil(tenant, `/v1/borrowers/${borrowerId}`, { eligible: true })
    expect(await callBack('kyc', `${check?.id}`, newsId)).toBe('duplicate')
    await waitFor(async () => {
      expect(await callBack('kyc', `${check?.id}`)).toBe('ignored')
    })

    // Underwriting: so is control of the account.
    script('custodian/controls', 'pending long')
    const id = await apply(borrowerId, 'acc-1', '40000.00')
    const [control] = await waitForCalls('custodian/controls', 1)
    await nudge('custodian', `${control?.id}`, () =>
      waitUntilNow(`/v1/facilities/${id}`, { state: 'APPROVED' }),
    )

    // No other borrower borrows against the same account.
    const other = await apply(await onboard('Grace Hopper'), 'acc-1', '40000.00')
    const reasons = ['control_not_confirmed']
    await waitUntil(tenant, `/v1/facilities/${other}`, {
      state: 'DECLINED',
      decline_reasons: reasons,
    })

    // Draw: the floor's answer is lost; then the payments provider is down until its breaker opens.
    script('custodian/floors', 'reset', 'truncated')
    vendors.down.add('payments')
    await waitForPrice(100_000n)
    const { id: drawId } = await tenant.client.requestDraw(id, {
      amount: '20000.00',
      asset: 'USD',
      destination: 'account-4711',
    })
    await nudge('payments', drawId, async () => expect(await readBreaker('payments')).toBe(2))
    expect(await callBack('custodian', `${id}.floor.9`)).toBe('accepted')
    vendors.down.delete('payments')
    // It has paid, and its answer is lost: the draw is neither failed nor paid twice.
    script('payments/payouts', 'hang', 'error', 'garbage')
    const draw = `/v1/facilities/${id}/draws/${drawId}`
    await nudge('payments', drawId, () => waitUntilNow(draw, { status: 'COMPLETED' }))
    expect(vendors.books.payouts).toEqual([
      {
        id: drawId,
        amount: { amount: '20000.00', asset: 'USD' },
        destination: 'account-4711',
      },
    ])
    expect(await readBreaker('payments')).toBe(0)
    expect(Number(vendors.books.floors.get('acc-1')?.floorUsd)).toBeGreaterThan(28_571)

    // Repayment: the transfer arrives late, and less than was claimed.
    aheadMs += DAY_MS
    await repay(id, '5000.00', { received: '4000.00', twists: ['busy', 'pending long'] })
    const { outstanding } = await readFacility(id)
    const total = outstanding.total
    expect(total).toMatch(/^1600\d\.\d\d$/)
    await repayByTheSameTransfer(id)
    await repay(id, total, { twists: ['wrong shape'] })

    // Close: the release's answer is lost too.
    script('custodian/releases', 'huge', 'pending long')
    await tenant.client.closeFacility(id)
    const [release] = await waitForCalls('custodian/releases', 1)
    await nudge('custodian', `${release?.id}`, () =>
      waitUntilNow(`/v1/facilities/${id}`, { state: 'CLOSED' }),
    )
    expect(vendors.books.floors.get('acc-1')?.floorUsd).toBe('0.00')
    expect(vendors.books.payouts).toHaveLength(1)
    const emitted = (await eventsOf(id)).filter((type) => type !== 'facility.floor_updated')
    expect(emitted).toEqual([
      'facility.decisioned',
      'draw.completed',
      'repayment.applied',
      'repayment.failed',
      'repayment.applied',
      'facility.closed',
    ])
    await expectSound()
  },
  STORY_MS,
)

async function readFacility(id: string) {
  return (await api.tenant.send('GET', `/v1/facilities/${id}`)).json()
}

/** One check: for callers that bring about the result themselves. */
async function waitUntilNow(target: string, wanted: object): Promise<void> {
  expect((await api.tenant.send('GET', target)).json()).toMatchObject(wanted)
}

async function repay(
  facilityId: string,
  amount: string,
  { received, twists }: { received?: string; twists: Twist[] },
): Promise<void> {
  const reference = randomUUID()
  if (received) vendors.books.received.set(reference, { amount: received, asset: 'USD' })
  script('payments/receipts', ...twists)
  const target = `/v1/facilities/${facilityId}/repayments`
  const asked = { amount, asset: 'USD' }
  const { id } = (await api.tenant.send('POST', target, { body: asked })).json()
  const before = vendors.calls.length
  const report = { status: 'completed', delivered: asked, reference }
  await api.tenant.send('POST', `${target}/${id}/execution`, { body: report })
  await waitFor(() => expect(vendors.calls.length).toBeGreaterThan(before))
  // News of an inquiry that is not made yet, and of the one that is, again and again.
  await callBack('payments', `${id}.7`)
  await nudge('payments', `${id}.1`, () =>
    waitUntilNow(`${target}/${id}`, {
      status: 'APPLIED',
      confirmed: { amount: received ?? amount, asset: 'USD' },
    }),
  )
}

/** A second report of the transfer that was just confirmed; the callback of the provider settles it. */
async function repayByTheSameTransfer(facilityId: string): Promise<void> {
  const { transfers, decided } = vendors.books
  const receipt = [...decided].findLast(([call]) => call.startsWith('payments/receipts/'))?.[1]
  const confirmed = String((receipt as { transfer_id?: string } | undefined)?.transfer_id)
  const reference = randomUUID()
  transfers.set(reference, confirmed)
  script('payments/receipts', 'pending long')
  const target = `/v1/facilities/${facilityId}/repayments`
  const body = { amount: '4000.00', asset: 'USD' }
  const { id } = (await api.tenant.send('POST', target, { body })).json()
  const report = { status: 'completed', delivered: body, reference }
  await api.tenant.send('POST', `${target}/${id}/execution`, { body: report })
  await nudge('payments', `${id}.1`, async () => {
    const { rows } = await sql`SELECT FROM repayments
      WHERE repayment_id = ${id} AND contested_transfer = ${confirmed}`.execute(api.db)
    expect(rows).toHaveLength(1)
  })
  // It has paid another: an operator decides.
  await waitUntilNow(`${target}/${id}`, { status: 'REPORTED' })
  const instant = { now: clock(), realNow: clock() }
  await inTransaction(api.db, (tx) => refuseClaim({ tx, tenantId: api.tenant.id, ...instant }, id))
  await waitUntilNow(`${target}/${id}`, { status: 'FAILED', failure: 'not_received' })
}

test(
  'a margin call is sold by a custodian that goes down meanwhile, each order once',
  async () => {
    const { tenant } = api
    vendors.next.clear()
    vendors.books.prices.set('BTC', '100000')
    const borrowerId = await onboard('Grace Hopper')
    await waitUntil(tenant, `/v1/borrowers/${borrowerId}`, { eligible: true })
    const id = await apply(borrowerId, 'acc-2', '48000.00')
    await waitUntil(tenant, `/v1/facilities/${id}`, { state: 'APPROVED' })
    const amount = { amount: '48000.00', asset: 'USD', destination: 'account-4711' }
    await waitForPrice(100_000n)
    const { id: drawId } = await tenant.client.requestDraw(id, amount)
    const draw = `/v1/facilities/${id}/draws/${drawId}`
    await waitUntil(tenant, draw, { status: 'COMPLETED' })

    // Bitcoin falls and stays down for more than a minute, while the custodian cannot be reached.
    vendors.down.add('custodian')
    vendors.books.prices.set('BTC', '59000')
    await waitForPrice(59_000n)
    for (let passed = 0; passed < 80; passed += 20) {
      aheadMs += 20 * SECOND_MS
      await waitForPrice(59_000n)
    }
    await waitUntil(tenant, `/v1/facilities/${id}/margin-warnings/1`, { status: 'OPEN', tier: 3 })
    const reading = `${id}.positions.1`
    await nudge('custodian', reading, async () => expect(await readBreaker('custodian')).toBe(2))
    // While it does not say what it holds nothing escalates and nothing is sold.
    await waitUntilNow(`/v1/facilities/${id}/margin-warnings/1`, { status: 'OPEN' })
    expect(vendors.books.sales).toEqual([])

    // It comes back, sells, and loses the answer; a later order's callback comes first.
    script('custodian/sales', 'hang', 'error', 'pending long')
    vendors.down.delete('custodian')
    const call = `/v1/facilities/${id}/margin-calls/1`
    await nudge('custodian', reading, () => expect(vendors.books.sales).toHaveLength(1))
    await callBack('custodian', `${id}.call.1.2`)
    await nudge('custodian', `${id}.call.1.1`, () => waitUntilNow(call, { status: 'COMPLETED' }))
    const [sale] = vendors.books.sales
    expect(vendors.books.sales).toHaveLength(1)
    expect((await tenant.send('GET', call)).json()).toMatchObject({
      outcome: 'partial',
      sold: [{ asset: 'BTC', quantity: sale?.quantity }],
      deficit_usd: '0.00',
    })
    const late = await Promise.all(
      [1, 2, 3].map(() => callBack('custodian', `${id}.call.1.1`, `late-${id}`)),
    )
    expect(late.filter((outcome) => outcome === 'duplicate')).toHaveLength(2)
    await waitUntil(tenant, `/v1/facilities/${id}/collateral`, { health: 'HEALTHY' })
    expect((await eventsOf(id)).filter((type) => type.startsWith('margin_'))).toEqual([
      'margin_warning.raised',
      'margin_warning.escalated',
      'margin_call.started',
      'margin_call.completed',
    ])
    await expectSound()
  },
  STORY_MS,
)

test('each provider is reported with its calls and its breaker, and each price with its sources', async () => {
  const reports = startReports({ ...api.resources, kind: 'worker' })
  const providers = await waitFor(async () => {
    const seen = listProviders(await listProcesses(api.db, clock()))
    expect(seen.length).toBeGreaterThan(0)
    return seen
  })
  await reports.end()
  expect(providers.map(({ provider }) => provider)).toEqual([
    ...['aml', 'bitfinex', 'bitstamp', 'coinbase', 'custodian', 'kraken', 'kyc', 'payments'],
  ])
  const kraken = providers.find(({ provider }) => provider === 'kraken')
  expect(kraken).toMatchObject({ breaker: 'closed', p50Ms: expect.any(Number) })
  expect(kraken?.answered).toBeGreaterThan(0)
  // Their breakers were open in the tests above.
  const failed = providers.filter(({ lastFailure }) => lastFailure)
  const names = failed.map(({ provider }) => provider)
  expect(names).toEqual(expect.arrayContaining(['custodian', 'payments']))

  const prices = await readPriceSources(api.db, clock())
  expect(prices.map(({ asset }) => asset)).toEqual(expect.arrayContaining(['BTC', 'ETH', 'USDC']))
  for (const { quotes } of prices) {
    const sources = quotes.map(({ source }) => source)
    expect(sources.length).toBeGreaterThanOrEqual(2)
    expect(['bitfinex', 'bitstamp', 'coinbase', 'kraken']).toEqual(expect.arrayContaining(sources))
  }
})

test('the log names the provider that failed and how, and has no secret and no personal datum', () => {
  expect(logText).toContain('payments, payouts: timeout')
  expect(logText).toContain('provider breaker opened')
  const secrets = Object.entries(vendors.environment).filter(([name]) =>
    /_(TOKEN|SECRET|SECRETS|API_KEY)$/.test(name),
  )
  expect(secrets).toHaveLength(10)
  for (const [, secret] of secrets) expect(logText).not.toContain(secret)
  for (const name of ['Lovelace', 'Hopper', 'ada@example.com', 'account-4711', 'sha256=']) {
    expect(logText).not.toContain(name)
  }
})
