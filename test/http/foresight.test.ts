import { expect, test } from 'vitest'
import { takeSnapshot } from '../attacks/fuzz/snapshot.ts'
import type { TestKey, TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  addEligible,
  lendingApiForFile,
  push,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

const HOUR_SECONDS = 3_600

/** A tenant of its own, with 40,000.00 owed over 1 BTC. */
async function borrow(): Promise<{ key: TestTenant; at: string; borrowerId: string }> {
  const key = await api.addTenant()
  const { id, borrowerId } = await addApproved(key)
  await addDraw(key, id, '40000.00')
  return { key, borrowerId, at: `/v1/facilities/${id}` }
}

async function send(key: TestKey, target: string, body?: object) {
  const answer = await key.send(body ? 'POST' : 'GET', target, { ...(body && { body }) })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.json()
}

async function holdPrice(key: TestKey, price_usd: string): Promise<void> {
  await send(key, '/v1/sandbox/prices', { asset: 'BTC', price_usd })
  await send(key, '/v1/sandbox/clock', { advance_seconds: 61 })
}

type Priced = { line: string; prices: { price_usd: string }[] }[]
const priceOf = (levels: Priced, line: string) =>
  levels.find((level) => level.line === line)?.prices[0]?.price_usd ?? ''

test('at the price that a level shows the warning is raised, as the preview of it shows', async () => {
  const { key, at } = await borrow()
  const { levels, ltv, health } = await send(key, `${at}/margin-levels`)
  expect({ ltv, health }).toEqual({ ltv: expect.stringMatching(/^0\.41237\d$/), health: 'HEALTHY' })
  // A dollar below, because a cent of interest may come before the prices have held.
  const price = String(Number(priceOf(levels, 'tier_2').split('.')[0]) - 1)
  const shown = await send(key, `${at}/preview`, { prices: [{ asset: 'BTC', price_usd: price }] })
  expect(shown).toMatchObject({
    health: 'WARNING',
    warning: { number: 1, tier: 2 },
    events: [{ type: 'margin_warning.raised', data: { tier: 2 } }],
  })
  await holdPrice(key, price)
  const warning = await send(key, `${at}/margin-warnings/1`)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 2 })
  const now = await send(key, `${at}/margin-levels`)
  expect(now.levels.slice(0, 3).map((level: { reached: boolean }) => level.reached)).toEqual([
    true,
    true,
    false,
  ])
  expect(now.levels.at(-1)).toMatchObject({
    line: 'sale',
    ltv: '0.6',
    from: warning.window_deadline,
  })
})

test('a preview changes nothing, and ignores whatever idempotency key comes with it', async () => {
  const { key, at } = await borrow()
  const tenantId = key.id
  const body = {
    draw: { amount: '50000', asset: 'USD' },
    repayment: { amount: '1000.5', asset: 'USDC' },
    deposit: [{ asset: 'ETH', quantity: '2' }],
    withdrawal: [{ asset: 'BTC', quantity: '0.9' }],
    prices: [{ asset: 'BTC', price_usd: '50000' }],
    days: 400,
  }
  await send(key, `${at}/margin-levels`)
  const before = await takeSnapshot(api.db, tenantId)
  for (const idempotencyKey of ['x', '']) {
    const answer = await key.send('POST', `${at}/preview`, { body, idempotencyKey })
    expect(answer.status).toBe(200)
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(answer.json().refusals).toMatchObject([
      { act: 'withdrawal', code: 'below_floor' },
      { act: 'draw', code: 'credit_limit_exceeded' },
    ])
  }
  expect(await takeSnapshot(api.db, tenantId)).toEqual(before)
})

test('a preview that ends in a margin call shows its plan, and nothing after its beginning', async () => {
  const { key, at } = await borrow()
  const prices = [{ asset: 'BTC', price_usd: '57000' }]
  const { health, sale, events, ...shown } = await send(key, `${at}/preview`, { prices, days: 30 })
  expect({ health, warning: shown.warning }).toEqual({ health: 'MARGIN_CALL', warning: undefined })
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'margin_warning.raised',
    'margin_warning.escalated',
  ])
  expect(shown.at).toBe(events[1].occurred_at)
  expect(sale).toMatchObject({ planned: [{ asset: 'BTC' }], target_ltv: '0.55' })
  await send(key, '/v1/sandbox/clock', { advance_seconds: HOUR_SECONDS })
  const now = await send(key, `${at}/preview`, {})
  expect(now).toMatchObject({ health: 'HEALTHY', refusals: [], events: [] })
})

test.each([
  [{ draw: { amount: '1', asset: 'BTC' } }, '/draw/asset', 'unknown_value'],
  [{ repayment: { amount: '0', asset: 'USD' } }, '/repayment/amount', 'out_of_range'],
  [{ deposit: [{ asset: 'btc', quantity: '1' }] }, '/deposit/0/asset', 'wrong_format'],
  [{ withdrawal: [{ asset: 'BTC', quantity: '-1' }] }, '/withdrawal/0/quantity', 'wrong_format'],
  [{ prices: [{ asset: 'USD', price_usd: '1' }] }, '/prices/0/asset', 'unknown_value'],
  [{ prices: [{ asset: 'BTC', price_usd: '0' }] }, '/prices/0/price_usd', 'out_of_range'],
  [
    { prices: ['1', '2'].map((price_usd) => ({ asset: 'BTC', price_usd })) },
    '/prices/1/asset',
    'duplicate',
  ],
  [{ days: 401 }, '/days', 'out_of_range'],
  [{ day: 1 }, '/day', 'unknown_member'],
])('a preview of %j is refused at %s', async (body, pointer, code) => {
  const target = '/v1/facilities/fac_x/preview'
  const problem = expectProblem(
    await api.tenant.send('POST', target, { body }),
    422,
    'validation_failed',
  )
  expect(problem.errors).toMatchObject([{ pointer, code }])
})

test('levels and previews need an approved facility of the tenant itself', async () => {
  const { at, key } = await borrow()
  const borrowerId = await addEligible(key)
  await push(key, borrowerId)
  const limit = { amount: '900.00', asset: 'USD' }
  const { id } = await key.client.createFacility({ borrower_id: borrowerId, limit })
  const other = await api.addTenant()
  for (const [who, target, status, code] of [
    [key, `/v1/facilities/${id}`, 409, 'facility_not_approved'],
    [other, at, 404, 'not_found'],
    [other, '/v1/facilities/x', 404, 'not_found'],
  ] as const) {
    expectProblem(await who.send('GET', `${target}/margin-levels`), status, code)
    expectProblem(await who.send('POST', `${target}/preview`, { body: {} }), status, code)
  }
})
