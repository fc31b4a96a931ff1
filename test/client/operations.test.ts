import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { ROUTES } from '../../src/client/generated/routes.ts'
import { ProblemError } from '../../src/client/problem-error.ts'
import type { ReceiptKeys } from '../../src/client/receipts/receipt.ts'
import { verifyReceipt } from '../../src/client/receipts/verify-receipt.ts'
import type { TestApi } from '../support/api/api.ts'
import { startLendingApi } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { type Receiver, startReceiver } from '../support/servers/endpoint.ts'

const HOUR_SECONDS = 3_600
const dollars = (amount: string) => ({ amount, asset: 'USD' })

const LINES = ['tier_1', 'tier_2', 'tier_3', 'critical', 'sale']

const called = new Set<string>()
let api: TestApi
let client: Client
let receiver: Receiver
beforeAll(async () => {
  api = await startLendingApi()
  receiver = await startReceiver()
  const { keyId, privateKeyPem } = api.tenant
  const { baseUrl } = api
  client = createClient({ baseUrl, keyId, privateKeyPem, fetch: recordingFetch })
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

test('a key finds out what it is', async () => {
  const { keyId, id } = api.tenant
  expect(await client.whoami()).toMatchObject({ key_id: keyId, tenant_id: id, stack: 'sandbox' })
})

test('a borrower is onboarded', async () => {
  const documents = await client.listDocuments()
  const { id } = await addBorrower()
  for (const { contract_type, contract_version } of documents) {
    const signed_at = new Date().toISOString()
    const signed = { ...SIGNER, signed_at, contract_type, contract_version }
    expect(await client.submitSignature(id, signed)).toBeUndefined()
  }
  expect(await client.listSignatures(id)).toMatchObject([{ full_name: SIGNER.full_name }])
  await waitFor(async () => {
    expect(await client.getBorrower(id)).toMatchObject({ eligible: true })
  })
})

test('a borrower’s open checks are decided on the sandbox', async () => {
  const { id } = await addBorrower({ kyc_attested: false })
  const [document] = await client.listDocuments()
  const { contract_type = '', contract_version = '' } = document ?? {}
  const signed_at = new Date().toISOString()
  await client.submitSignature(id, { ...SIGNER, signed_at, contract_type, contract_version })
  const { decided } = await waitFor(() => client.setSandboxCompliance(id, 'pass'))
  expect(decided).toBeGreaterThan(0)
})

test('the portfolio source is chosen and read', async () => {
  expect(await client.setPortfolioSource('custodian')).toEqual({ mode: 'custodian' })
  expect(await client.getPortfolioSource()).toEqual({ mode: 'custodian' })
  await client.setPortfolioSource('push')
})

test('borrowers and their portfolios are read, and the prices of the sandbox', async () => {
  const { id } = await addBorrower()
  expect((await client.listBorrowers({ eligible: false, limit: 1 })).items).toMatchObject([{ id }])
  const positions = [{ asset: 'BTC', quantity: '1' }]
  await client.putPortfolio(id, { as_of: new Date().toISOString(), positions })
  expect(await client.getPortfolio(id)).toMatchObject({ positions })
  expect(await client.listSandboxPrices()).toContainEqual({
    asset: 'ETH',
    price_usd: '4000',
    source: 'market',
  })
})

test('webhooks are registered, simulated, delivered to, tried again, replayed and removed', async () => {
  expect(await client.createSigningSecret()).toMatch(/^whsec_/)
  const id = await client.registerWebhook({ url: receiver.url, label: 'test' })
  expect(await client.listWebhooks()).toMatchObject([{ id, label: 'test' }])
  expect(await client.getWebhook(id)).toMatchObject({ id, state: 'active' })

  const data = { borrower_id: 'bor_1' }
  const simulation = { webhook_id: id, event_type: 'borrower.eligible', data } as const
  const simulated = await client.simulateDelivery(simulation)
  expect(simulated.response).toEqual({ status: 204, body: '', error: null })

  const facilityId = await openFacility()
  const delivered = await waitFor(async () => {
    const [delivery] = (await client.listDeliveries(id, { state: 'delivered' })).items
    if (!delivery) throw new Error('Nothing is delivered yet.')
    return delivery
  })
  await client.retryDelivery(id, delivered.event_id)
  const attempts = await client.listDeliveryAttempts(id, delivered.event_id)
  expect(attempts.items.at(-1)).toMatchObject({ number: 1, status: 204 })

  const since = new Date(0).toISOString()
  expect(await client.recoverWebhook(id, { since })).toMatchObject({ webhook_id: id })

  const event = await client.getEvent(delivered.event_id)
  expect(event.deliveries).toMatchObject([{ webhook_id: id }])
  const replayed: string[] = []
  for await (const { id: eventId } of client.replayEvents(id, { limit: 1 })) replayed.push(eventId)
  expect(replayed).toContain(delivered.event_id)
  const logged: string[] = []
  for await (const { type } of client.listEvents({ limit: 2 })) logged.push(type)
  expect(logged.length).toBeGreaterThan(2)

  expect(await client.deleteWebhook(id)).toBeUndefined()
  expect(await client.listWebhooks()).toEqual([])
  await client.closeFacility(facilityId)
})

test('a loan is drawn, repaid and closed', async () => {
  const facilityId = await openFacility()
  const drawId = await draw(facilityId, '1000.00')
  expect((await client.listDraws(facilityId)).items).toMatchObject([{ id: drawId }])

  const { outstanding } = await client.getFacility(facilityId)
  const { id } = await client.createRepayment(facilityId, dollars(outstanding.total))
  const delivered = dollars(outstanding.total)
  const report = { status: 'completed', delivered, reference: `wire-${id}` } as const
  expect(await client.reportExecution(facilityId, id, report)).toMatchObject({ status: 'REPORTED' })
  await waitFor(async () => {
    expect(await client.getRepayment(facilityId, id)).toMatchObject({ status: 'APPLIED' })
  })
  expect((await client.listRepayments(facilityId)).items).toMatchObject([{ id }])
  await client.closeFacility(facilityId)
  await waitFor(async () => {
    expect(await client.getFacility(facilityId)).toMatchObject({ state: 'CLOSED' })
  })
})

test('a warning and the sale it leads to are read with the decisions about them', async () => {
  const facilityId = await openFacility()
  await draw(facilityId, '48000.00')
  const { lines, closing } = await client.getStatement(facilityId)
  expect(lines[0]).toMatchObject({ type: 'draw', principal: '48000.00' })
  expect(await client.getStatementCsv(facilityId)).toContain(',closing,')
  expect((await client.getPayoff(facilityId)).principal).toBe(closing.principal)
  const { levels } = await client.getMarginLevels(facilityId)
  expect(levels.map(({ line }) => line)).toEqual(LINES)
  const fall = { prices: [{ asset: 'BTC' as const, price_usd: '68000' }] }
  expect(await client.previewFacility(facilityId, fall)).toMatchObject({ health: 'WARNING' })
  expect(await client.previewFacility(facilityId)).toMatchObject({ health: 'HEALTHY' })
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(61)
  const { health } = await client.getCollateral(facilityId)
  expect(health).toBe('WARNING')
  const warning = await client.getMarginWarning(facilityId, 1)
  expect(warning).toMatchObject({ tier: 1, status: 'OPEN', raises: [{ notices: [] }] })
  const [raise] = warning.raises ?? []
  const notice = { channel: 'email', sent_at: raise?.raised_at ?? '', reference: 'mail-1' } as const
  const event_id = raise?.event_id ?? ''
  expect(await client.reportNotice(facilityId, 1, { event_id, ...notice })).toMatchObject({
    ...{ channel: 'email', at: raise?.raised_at, reference: 'mail-1' },
  })
  expect((await client.listMarginWarnings(facilityId)).items).toMatchObject([{ number: 1 }])
  const [decision] = await client.listMarginDecisions(facilityId, 1)
  expect(decision).toMatchObject({ kind: 'raise' })

  const { now } = await client.advanceSandboxClock(49 * HOUR_SECONDS)
  expect(await client.getSandboxClock().then((clock) => clock.now >= now)).toBe(true)
  await waitFor(async () => {
    expect(await client.getMarginCall(facilityId, 1)).toMatchObject({ status: 'COMPLETED' })
  })
  expect((await client.listMarginCalls(facilityId)).items).toMatchObject([{ number: 1 }])
  const file = await client.getReceipt(facilityId, 1)
  expect(await client.getReceipt(facilityId, 1)).toBe(file)
  const published = await fetch(`${api.baseUrl}/.well-known/receipt-keys.json`)
  expect(await verifyReceipt(file, (await published.json()) as ReceiptKeys)).toMatchObject({
    ...{ ok: true, receipt: { facility_id: facilityId, margin_call_number: 1 } },
  })
  await client.setSandboxPrice('BTC', null)
})

test('the sandbox’s providers are set to answer the next call in a chosen way', async () => {
  for (const next of ['fail', 'succeed'] as const) {
    expect(await client.setSandboxCustodian(next)).toEqual({ next })
    expect(await client.setSandboxPayments(next)).toEqual({ next })
  }
})

test('the sandbox’s custodian holds what is set for a borrower', async () => {
  const { id } = await client.createBorrower({
    ...{ type: 'individual', kyc_attested: true, residency_country: 'DE' },
  })
  const positions = [{ asset: 'BTC', quantity: '0.5' }]
  const options = { lateSeconds: 120 }
  expect(await client.setSandboxCustodianPositions(id, positions, options)).toEqual({
    ...{ borrower_id: id, positions, late_seconds: 120 },
  })
  expect(await client.setSandboxCustodianPositions(id, null)).toEqual({
    ...{ borrower_id: id, positions: null, late_seconds: 0 },
  })
})

test('a repayment is taken back on the sandbox, which answers a second call as the first', async () => {
  const facilityId = await openFacility()
  const id = await draw(facilityId, '100.00')
  await waitFor(async () => {
    expect((await client.getDraw(facilityId, id)).status).toBe('COMPLETED')
  })
  const repaid = await client.createRepayment(facilityId, { amount: '40.00', asset: 'USD' })
  const unpaid = { repayment_id: repaid.id, code: 'recalled' }
  await expect(client.returnSandboxPayment(unpaid)).rejects.toMatchObject({
    code: 'nothing_to_return',
  })
  const listed = await client.makeSandboxBreak({ kind: 'other_day', draw_id: id })
  expect(listed).toMatchObject({ kind: 'other_day', transfer_id: `sandbox-${id}` })
  const back = await client.returnSandboxPayment({ draw_id: id, code: 'account_closed' })
  expect(back).toMatchObject({ draw_id: id, code: 'account_closed' })
  expect(await client.returnSandboxPayment({ draw_id: id, code: 'other' })).toEqual(back)
  await waitFor(async () => {
    expect(await client.getDraw(facilityId, id)).toMatchObject({
      status: 'RETURNED',
      returned: { amount: { amount: '100.00', asset: 'USD' }, code: 'account_closed' },
    })
  })
})

test('a facility is corrected on the sandbox, and shows the forbearance until its end', async () => {
  const facilityId = await openFacility()
  const { now } = await client.getSandboxClock()
  const until = new Date(Date.parse(now) + 86_400_000).toISOString()
  const correction = await client.correctSandboxFacility(facilityId, { kind: 'forbearance', until })
  expect(correction).toMatchObject({ facility_id: facilityId, kind: 'forbearance', until })
  expect((await client.getFacility(facilityId)).forbearance).toEqual({ until })
  const rate = { kind: 'rate' as const, rate: '0.08' }
  await expect(client.correctSandboxFacility(facilityId, rate)).rejects.toMatchObject({
    ...{ code: 'validation_failed', errors: [{ pointer: '/from', code: 'required' }] },
  })
})

test('a facility is held on the sandbox, which refuses draws until it is released', async () => {
  const facilityId = await openFacility()
  const { on_hold: hold } = await client.setSandboxHold(facilityId, true)
  expect(hold?.since).toBeDefined()
  expect((await client.getFacility(facilityId)).on_hold).toEqual(hold)
  await expect(draw(facilityId, '100.00')).rejects.toMatchObject({ code: 'facility_on_hold' })
  expect(await client.setSandboxHold(facilityId, false)).toEqual({ facility_id: facilityId })
  expect((await client.getFacility(facilityId)).on_hold).toBeUndefined()
})

test('the terms of a facility are amended on the sandbox: a lower rate binds, a higher one waits', async () => {
  const facilityId = await openFacility()
  const lower = await client.amendSandboxFacility(facilityId, { rate: '0.08' })
  expect(lower).toMatchObject({ facility_id: facilityId, terms: { rate: '0.08', version: 0 } })
  expect(lower.next_terms).toBeUndefined()
  const higher = await client.amendSandboxFacility(facilityId, { rate: '0.12' })
  expect(higher.next_terms).toMatchObject({ terms: { rate: '0.12', version: 0 } })
  expect(await client.getFacility(facilityId)).toMatchObject({
    ...{ rate: '0.08', terms: lower.terms, next_terms: higher.next_terms },
  })
})

test('a refusal of the service is thrown as a typed exception', async () => {
  const error = await client.getBorrower('bor_unknown').catch((caught: unknown) => caught)
  if (!(error instanceof ProblemError)) return expect.unreachable('It was not refused.')
  expect(error.is('not_found')).toBe(true)
  expect(error.requestId).toMatch(/^req_/)
})

test('the client corrects a wrong clock by the service’s answer', async () => {
  const { keyId, privateKeyPem } = api.tenant
  const late = createClient({
    baseUrl: api.baseUrl,
    keyId,
    privateKeyPem,
    now: () => new Date(Date.now() - HOUR_SECONDS * 1_000),
  })
  expect(await late.listDocuments()).not.toEqual([])
})

test('the tests of the client have called every operation of the service', () => {
  expect([...called].sort()).toEqual(Object.keys(ROUTES).sort())
  expect(Object.keys(client)).toEqual(expect.arrayContaining(Object.keys(ROUTES)))
})

const SIGNER = { full_name: 'Ada Example', email: 'ada@example.com', ip_address: '203.0.113.7' }

const recordingFetch: typeof fetch = async (input, init) => {
  const { pathname } = new URL(String(input))
  const matches = Object.entries(ROUTES).filter(([, [method, path]]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return method === init?.method && pattern.test(pathname)
  })
  // A fixed path wins over one with a parameter, as in the service.
  const [first] = matches.sort(
    ([, [, a]], [, [, b]]) => Number(a.includes('{')) - Number(b.includes('{')),
  )
  called.add(first?.[0] ?? pathname)
  return fetch(input, init)
}

function addBorrower(change: { kyc_attested?: boolean } = {}) {
  const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' } as const
  return client.createBorrower({ ...borrower, ...change })
}

/** An approved facility of a new borrower with one bitcoin. */
async function openFacility(): Promise<string> {
  const { id: borrowerId } = await addBorrower()
  const [document] = await client.listDocuments()
  const { contract_type = '', contract_version = '' } = document ?? {}
  const signed_at = new Date().toISOString()
  await client.submitSignature(borrowerId, {
    ...SIGNER,
    signed_at,
    contract_type,
    contract_version,
  })
  await waitFor(async () => {
    expect(await client.getBorrower(borrowerId)).toMatchObject({ eligible: true })
  })
  const { now } = await client.getSandboxClock()
  const positions = [{ asset: 'BTC', quantity: '1' }]
  expect(await client.putPortfolio(borrowerId, { as_of: now, positions })).toMatchObject({
    applied: true,
  })
  const { id } = await client.createFacility({
    borrower_id: borrowerId,
    limit: dollars('48000.00'),
  })
  await waitFor(async () => {
    expect(await client.getFacility(id)).toMatchObject({ state: 'APPROVED' })
  })
  expect((await client.listFacilities({ borrower_id: borrowerId })).items).toHaveLength(1)
  return id
}

/** A draw that is paid out; its id. */
async function draw(facilityId: string, amount: string): Promise<string> {
  const wanted = { ...dollars(amount), destination: 'account-4711' }
  const { id } = await client.requestDraw(facilityId, wanted)
  await waitFor(async () => {
    expect(await client.getDraw(facilityId, id)).toMatchObject({ status: 'COMPLETED' })
  })
  return id
}
