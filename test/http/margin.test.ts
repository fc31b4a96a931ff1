import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CONSTANTS } from '../../src/config/constants.ts'
import { inTransaction } from '../../src/db/database.ts'
import { lockFacilityRow } from '../../src/domain/facilities/queries.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { startTestApi, type TestKey } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  addEligible,
  lendingApiForFile,
  push,
  startLendingApi,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

const HOUR_SECONDS = 3_600
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const dollars = expect.stringMatching(/^\d+\.\d{2}$/)
const ltv = expect.stringMatching(/^0\.\d{6}$/)

/** A tenant of its own, with its own clock and prices, and 48,000.00 owed over 1 BTC. */
async function borrowAs(key: TestKey): Promise<string> {
  const borrowerId = await addEligible(key)
  await push(key, borrowerId)
  const limit = { amount: '48000.00', asset: 'USD' }
  const body = { borrower_id: borrowerId, limit }
  const { id } = (await key.send('POST', '/v1/facilities', { body })).json()
  await waitUntil(key, `/v1/facilities/${id}`, { state: 'APPROVED' })
  await addDraw(key, id, '48000.00')
  return id
}

async function advance(key: TestKey, seconds: number): Promise<void> {
  const body = { advance_seconds: seconds }
  expect((await key.send('POST', '/v1/sandbox/clock', { body })).status).toBe(200)
}

/** Bitcoin goes to a price and stays there for long enough to count. */
async function holdPrice(key: TestKey, price: string): Promise<void> {
  const body = { asset: 'BTC', price_usd: price }
  expect((await key.send('POST', '/v1/sandbox/prices', { body })).status).toBe(200)
  await advance(key, 61)
}

async function read(key: TestKey, target: string) {
  const answer = await key.send('GET', target)
  expect(answer.status).toBe(200)
  return answer.json()
}

const eventsOf = async (key: TestKey, facilityId: string): Promise<string[]> => {
  const { items } = await read(key, '/v1/events?limit=500')
  return items
    .filter(({ data }: { data: { facility_id?: string } }) => data.facility_id === facilityId)
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => type.startsWith('margin_'))
}

test('a facility is healthy, warned, worse, escalated and sold, then warned again under the next number', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  const facility = `/v1/facilities/${id}`
  expect(await read(tenant, `${facility}/collateral`)).toEqual({
    positions: [
      { asset: 'BTC', quantity: '1', price_usd: '100000', haircut: '0.03', value_usd: '97000.00' },
    ],
    collateral_value_usd: '97000.00',
    debt_usd: dollars,
    required_floor_usd: dollars,
    ltv,
    health: 'HEALTHY',
    valued_at: timestamp,
    valuation_status: 'FRESH',
  })
  expect(await read(tenant, `${facility}/margin-warnings`)).toMatchObject({ items: [] })

  await holdPrice(tenant, '68000')
  const warning = await read(tenant, `${facility}/margin-warnings/1`)
  expect(warning).toEqual({
    facility_id: id,
    number: 1,
    tier: 1,
    status: 'OPEN',
    cure_amount_usd: dollars,
    cure_collateral_usd: dollars,
    cure_additions: expect.arrayContaining([
      { asset: 'BTC', quantity: expect.stringMatching(/^0\.\d+$/), market_usd: dollars },
    ]),
    cure_deadline: timestamp,
    window_deadline: timestamp,
    ltv_at_raise: ltv,
    latest_ltv: ltv,
    raised_at: timestamp,
    extended_seconds: 0,
    if_escalated: { sale_usd: dollars, target_ltv: '0.55' },
    raises: [
      { event_id: expect.stringMatching(/^evt_/), raised_at: warning.raised_at, notices: [] },
    ],
  })
  expect(await read(tenant, `${facility}/collateral`)).toMatchObject({
    collateral_value_usd: '65960.00',
    health: 'WARNING',
  })
  // Over 0.60 now, not over 0.70: what is owed is 48,000.00 and interest of minutes.
  const { required_floor_usd: floor } = await read(tenant, facility)
  expect(floor).toMatch(/^8000\d\.\d\d$/)

  await holdPrice(tenant, '59000')
  const call = await waitUntil(tenant, `${facility}/margin-calls/1`, { status: 'COMPLETED' })
  expect(call).toEqual({
    facility_id: id,
    number: 1,
    margin_warning_number: 1,
    status: 'COMPLETED',
    outcome: 'partial',
    target_ltv: '0.55',
    planned: [{ asset: 'BTC', quantity: expect.stringMatching(/^0\.\d+$/) }],
    sold: [{ asset: 'BTC', quantity: expect.stringMatching(/^0\.\d+$/), proceeds_usd: dollars }],
    costs_usd: dollars,
    allocation: {
      interest: { amount: dollars, asset: 'USD' },
      principal: { amount: dollars, asset: 'USD' },
      refund_due: { amount: '0.00', asset: 'USD' },
    },
    surplus_usd: '0.00',
    deficit_usd: '0.00',
    started_at: timestamp,
    completed_at: timestamp,
  })
  expect(await read(tenant, `${facility}/margin-warnings/1`)).toMatchObject({
    status: 'ESCALATED',
    tier: 3,
    escalated_at: timestamp,
  })
  expect(await read(tenant, `${facility}/collateral`)).toMatchObject({ health: 'HEALTHY' })

  await holdPrice(tenant, '43000')
  const page = await read(tenant, `${facility}/margin-warnings?limit=1`)
  expect(page.items).toMatchObject([{ number: 2, status: 'OPEN' }])
  expect(page.has_more).toBe(true)
  const next = await read(tenant, `${facility}/margin-warnings?limit=1&from=${page.next_cursor}`)
  expect(next.items).toMatchObject([{ number: 1, status: 'ESCALATED' }])
  expect(next.has_more).toBe(false)
  expect((await read(tenant, `${facility}/margin-calls`)).items).toEqual([call])
  expect(await eventsOf(tenant, id)).toEqual([
    'margin_warning.raised',
    'margin_warning.raised',
    'margin_warning.escalated',
    'margin_call.started',
    'margin_call.completed',
    'margin_warning.raised',
  ])
})

test('dollars held are shown like all dollars, with two decimals, wherever a quantity is', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  const facility = `/v1/facilities/${id}`
  const { borrower_id: borrowerId } = await read(tenant, facility)
  const { now } = await read(tenant, '/v1/sandbox/clock')
  const positions = [
    { asset: 'BTC', quantity: '1.50' },
    { asset: 'USD', quantity: '10.5' },
  ]
  const pushed = await tenant.send('PUT', `/v1/borrowers/${borrowerId}/portfolio`, {
    body: { as_of: now, positions },
  })
  expect(pushed.json()).toMatchObject({ applied: true })
  const shown = [
    { asset: 'BTC', quantity: '1.5' },
    { asset: 'USD', quantity: '10.50' },
  ]
  expect(await read(tenant, `${facility}/collateral`)).toMatchObject({ positions: shown })

  await holdPrice(tenant, '38000')
  const { sold, planned } = await waitUntil(tenant, `${facility}/margin-calls/1`, {
    status: 'COMPLETED',
  })
  expect(planned).toContainEqual({ asset: 'USD', quantity: '10.50' })
  expect(sold).toContainEqual({ asset: 'USD', quantity: '10.50', proceeds_usd: '10.50' })
  const { items } = await read(tenant, `${facility}/margin-warnings/1/decisions`)
  expect(items[0].facts.positions).toMatchObject(shown)
  const log = await read(tenant, '/v1/events?type=margin_call.completed')
  expect(log.items[0].data.sold).toEqual(sold)
})

test('each decision is on record with the prices, positions and terms it was made from', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  await holdPrice(tenant, '68000')
  await holdPrice(tenant, '90000')
  const target = `/v1/facilities/${id}/margin-warnings/1`
  const warning = await read(tenant, target)
  expect(warning).toMatchObject({
    ...{ status: 'CURED', cured_by: 'price', cured_at: timestamp },
    ...{ cure_amount_usd: '0.00', cure_collateral_usd: '0.00' },
  })
  expect(warning.if_escalated).toBeUndefined()
  const { items } = await read(tenant, `${target}/decisions`)
  expect(items).toMatchObject([
    { number: 1, kind: 'raise', decided_at: warning.raised_at },
    { number: 2, kind: 'cure', decided_at: warning.cured_at },
  ])
  const [raised, cured] = items.map(({ facts }: { facts: unknown }) => facts)
  expect(raised).toEqual({
    outcome: { tier: 1, cure_deadline: warning.cure_deadline },
    trigger: 'price',
    push: { received_at: timestamp },
    debt: {
      ...{ principal_usd: '48000.00', interest_usd: dollars, total_usd: dollars },
      rate: '0.1',
    },
    values: { highest_usd: '65960.00', lowest_usd: '65960.00', latest_usd: '65960.00' },
    positions: [{ asset: 'BTC', quantity: '1', haircut: '0.03', value_usd: '65960.00' }],
    rounds: expect.arrayContaining([
      expect.arrayContaining([
        { asset: 'BTC', price_usd: '68000', accepted_at: timestamp, sources: [] },
      ]),
    ]),
    reported: [],
    policy: {
      ...{ version: '2026-11', floor_ltv: '0.7', cure_ltv: '0.6', critical_ltv: '0.83' },
      tiers: [
        { tier: 1, above_ltv: '0.7', cure_seconds: 48 * HOUR_SECONDS },
        { tier: 2, above_ltv: '0.75', cure_seconds: 12 * HOUR_SECONDS },
        { tier: 3, above_ltv: '0.8', cure_seconds: 2 * HOUR_SECONDS },
      ],
      ...{ confirm_seconds: 60, flicker_seconds: 600, least_usd: '10.00' },
    },
  })
  expect(cured).toMatchObject({
    outcome: { cured_by: 'price' },
    warning: {
      tier: 1,
      ...{ cure_deadline: warning.cure_deadline, window_deadline: warning.cure_deadline },
    },
    values: { latest_usd: '87300.00' },
  })
})

test('a deadline passes while the clock is set ahead, and everything it leads to has happened then', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  await holdPrice(tenant, '68000')
  const target = `/v1/facilities/${id}/margin-warnings/1`
  const { cure_deadline: deadline } = await read(tenant, target)
  await advance(tenant, 72 * HOUR_SECONDS)
  const escalated = await read(tenant, target)
  expect(escalated.status).toBe('ESCALATED')
  const call = await read(tenant, `/v1/facilities/${id}/margin-calls/1`)
  expect(call.status).toBe('COMPLETED')
  // By the clock as it passed the deadline, a day before where it stands now.
  for (const at of [escalated.escalated_at, call.started_at, call.completed_at]) {
    expect(Date.parse(at)).toBeGreaterThan(Date.parse(deadline))
    expect(Date.parse(at)).toBeLessThan(Date.parse(deadline) + HOUR_SECONDS * 1_000)
  }
})

test('a clock is refused for the moment while a facility’s lock is held, and the retry arrives', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  const body = { asset: 'BTC', price_usd: '68000' }
  await tenant.send('POST', '/v1/sandbox/prices', { body })
  const ahead = { body: { advance_seconds: 61 }, idempotencyKey: randomUUID() }
  const goAhead = () => tenant.send('POST', '/v1/sandbox/clock', ahead)
  await inTransaction(api.db, async (tx) => {
    await lockFacilityRow(tx, tenant.id, id, new Date(0))
    const refused = await goAhead()
    expectProblem(refused, 503, 'unavailable')
    expect(refused.headers['retry-after']).toBe('1')
  })
  expect((await goAhead()).status).toBe(200)
  expect(await eventsOf(tenant, id)).toEqual(['margin_warning.raised'])
})

test('a clock set ahead past a deadline while no worker is there leaves the time that was lost, and goes on', async () => {
  await using house = await startTestApi()
  const { tenant, resources } = house
  const jobs = startJobs(resources)
  const id = await borrowAs(tenant)
  await holdPrice(tenant, '68000')
  await jobs.drain()
  const target = `/v1/facilities/${id}/margin-warnings/1`
  const { cure_deadline: deadline } = await read(tenant, target)
  const gone = new Date(Date.now() - 120_000)
  await resources.db.updateTable('worker_heartbeat').set({ beaten_at: gone }).execute()
  await resources.db
    .updateTable('margin_warnings')
    .set({ counted_from: new Date(0) })
    .execute()

  await advance(tenant, 72 * HOUR_SECONDS)
  const escalated = await read(tenant, target)
  expect(escalated.status).toBe('ESCALATED')
  expect(escalated.extended_seconds).toBeGreaterThanOrEqual(120)
  const lateMs = Date.parse(escalated.escalated_at) - Date.parse(deadline)
  expect(lateMs).toBeGreaterThanOrEqual(120_000)
  // By what was lost, in real time, and not by what the clock was set ahead.
  expect(lateMs).toBeLessThan(HOUR_SECONDS * 1_000)
})

test('the collateral view is STALE while an asset is held that has no price, and FRESH once it is not', async () => {
  const sandboxMarket = new Map(CONSTANTS.sandboxMarket)
  sandboxMarket.delete('ETH')
  await using noEther = await startLendingApi({ constants: { sandboxMarket } })
  const { tenant } = noEther
  const { id, borrowerId } = await addApproved(tenant)
  const target = `/v1/facilities/${id}/collateral`
  const bitcoin = { asset: 'BTC', quantity: '1' }
  const pushed = async (...positions: object[]) => {
    const body = { as_of: new Date().toISOString(), positions }
    const answer = await tenant.send('PUT', `/v1/borrowers/${borrowerId}/portfolio`, { body })
    expect(answer.json()).toMatchObject({ applied: true })
    return await read(tenant, target)
  }
  expect(await pushed(bitcoin, { asset: 'ETH', quantity: '1' })).toMatchObject({
    valuation_status: 'STALE',
    collateral_value_usd: '97000.00',
  })
  expect(await pushed(bitcoin)).toMatchObject({ valuation_status: 'FRESH' })
})

test('the collateral view is read of approved facilities alone', async () => {
  const { tenant } = api
  const borrowerId = await addEligible(tenant)
  const limit = { amount: '40000.00', asset: 'USD' }
  const body = { borrower_id: borrowerId, limit }
  const { id } = (await tenant.send('POST', '/v1/facilities', { body })).json()
  const answer = await tenant.send('GET', `/v1/facilities/${id}/collateral`)
  const { detail } = expectProblem(answer, 409, 'facility_not_approved')
  expect(detail).toBe('The facility is PENDING: wait for facility.decisioned.')
})

test('a warning and a call are found by their number alone, in no other form of it', async () => {
  const tenant = await api.addTenant()
  const id = await borrowAs(tenant)
  for (const number of ['1', '0', '-1', '01', '1.0', '1e0', 'one', '99999999999999999999']) {
    for (const kind of ['margin-warnings', 'margin-calls']) {
      const answer = await tenant.send('GET', `/v1/facilities/${id}/${kind}/${number}`)
      expectProblem(answer, 404, 'not_found')
    }
  }
  const cursor = await tenant.send('GET', `/v1/facilities/${id}/margin-warnings?from=nonsense`)
  expectProblem(cursor, 400, 'cursor_invalid')
})
