import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestBorrower } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  addEligible,
  LIMIT,
  lendingApiForFile,
  push,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

const apply = (body: unknown, options = {}) =>
  api.tenant.send('POST', '/v1/facilities', { body, ...options })

const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

test('a loan goes from the application to the release of the lien', async () => {
  const { tenant } = api
  const borrowerId = await addEligible(tenant)
  await push(tenant, borrowerId)
  const created = await apply({ borrower_id: borrowerId, limit: LIMIT })
  expect(created.status).toBe(201)
  const { id } = created.json()
  expect(created.json()).toEqual({
    id: expect.stringMatching(/^fac_[0-9a-z]{26}$/),
    borrower_id: borrowerId,
    state: 'PENDING',
    limit: LIMIT,
    rate: '0.1',
    outstanding: { principal: '0.00', interest: '0.00', reserved: '0.00', total: '0.00' },
    collateral_value_usd: '97000.00',
    required_floor_usd: '0.00',
    custodian_floor_usd: '0.00',
    ltv: '0.000000',
    health: 'HEALTHY',
    created_at: timestamp,
    updated_at: timestamp,
  })
  const target = `/v1/facilities/${id}`
  const approved = await waitUntil(tenant, target, { state: 'APPROVED' })
  expect(approved.decisioned_at).toEqual(timestamp)

  await addDraw(tenant, id, '20000.00')
  await tenant.send('POST', '/v1/sandbox/clock', { body: { advance_seconds: 30 * 86_400 } })
  const drawn = (await tenant.send('GET', target)).json()
  // 20,000 · 0.10 · 30 / 365 = 164.383561…, and what the seconds of this test add: 0.00006 each.
  expect(drawn.outstanding).toEqual({
    principal: '20000.00',
    interest: '164.39',
    reserved: '0.00',
    total: '20164.39',
  })
  expect(drawn).toMatchObject({ required_floor_usd: '28806.28', ltv: '0.207881' })

  const announced = await tenant.send('POST', `${target}/repayments`, {
    body: { amount: '20170.00', asset: 'USD' },
  })
  const repayment = `${target}/repayments/${announced.json().id}`
  await tenant.send('POST', `${repayment}/execution`, {
    body: {
      status: 'completed',
      delivered: { amount: '20170.00', asset: 'USD' },
      reference: randomUUID(),
    },
  })
  const applied = await waitUntil(tenant, repayment, { status: 'APPLIED' })
  expect(applied.allocation).toEqual({
    interest: { amount: '164.39', asset: 'USD' },
    principal: { amount: '20000.00', asset: 'USD' },
    refund_due: { amount: '5.61', asset: 'USD' },
  })
  const closing = await tenant.send('POST', `${target}/close`)
  expect(closing.status).toBe(200)
  expect(closing.json().state).toBe('CLOSING')
  const closed = await waitUntil(tenant, target, { state: 'CLOSED' })
  expect(closed).toMatchObject({ outstanding: { total: '0.00' }, custodian_floor_usd: '0.00' })
  expect(closed.refund_due).toBeUndefined()

  const events = (await tenant.send('GET', '/v1/events?limit=500')).json().items
  const emitted = events.filter((event: { data: { facility_id?: string } }) => {
    return event.data.facility_id === id && !('required_floor_usd' in event.data)
  })
  expect(emitted.map((event: { type: string }) => event.type)).toEqual([
    'facility.decisioned',
    'draw.completed',
    'repayment.applied',
    'facility.closed',
  ])
})

test.each([
  ['/borrower_id', { limit: LIMIT }],
  ['/limit', { borrower_id: 'bor_x' }],
  ['/limit/amount', { borrower_id: 'bor_x', limit: { amount: '0.00', asset: 'USD' } }],
  ['/limit/amount', { borrower_id: 'bor_x', limit: { amount: '1.001', asset: 'USD' } }],
  ['/limit/amount', { borrower_id: 'bor_x', limit: { amount: '-1', asset: 'USD' } }],
  ['/limit/amount', { borrower_id: 'bor_x', limit: { amount: 1000, asset: 'USD' } }],
  ['/limit/asset', { borrower_id: 'bor_x', limit: { amount: '1000', asset: 'USDC' } }],
  ['/limit/asset', { borrower_id: 'bor_x', limit: { amount: '1000', asset: 'constructor' } }],
  ['/limit/note', { borrower_id: 'bor_x', limit: { ...LIMIT, note: 'x' } }],
  ['/custody_account', { borrower_id: 'bor_x', limit: LIMIT, custody_account: '' }],
  ['/custody_account', { borrower_id: 'bor_x', limit: LIMIT, custody_account: 'acc-1 ' }],
  ['/margin', { borrower_id: 'bor_x', limit: LIMIT, margin: true }],
])('an application with a fault at %s is refused', async (pointer, body) => {
  const { errors = [] } = expectProblem(await apply(body), 422, 'validation_failed')
  expect(errors.map((error) => error.pointer)).toContain(pointer)
})

test('an application is refused to a borrower not eligible, unknown, or with a facility', async () => {
  const pending = await createTestBorrower(api.tenant)
  const bodyOf = (borrower_id: string) => ({ borrower_id, limit: LIMIT })
  const refused = expectProblem(await apply(bodyOf(pending)), 409, 'borrower_not_eligible')
  expect(refused.detail).toMatch(
    /^The borrower is not eligible yet\. Not signed yet \(.*\): \w+ \d{4}-\d\d.*Wait for borrower\.eligible/,
  )
  expectProblem(await apply(bodyOf('bor_unknown')), 404, 'not_found')
  const stranger = await api.addTenant()
  const theirs = await createTestBorrower(stranger)
  expectProblem(await apply(bodyOf(theirs)), 404, 'not_found')
  const { borrowerId } = await addApproved(api.tenant)
  expectProblem(await apply(bodyOf(borrowerId)), 409, 'facility_exists')
})

test('an application sent twice under one key is one application, answered alike', async () => {
  const borrowerId = await addEligible(api.tenant)
  const idempotencyKey = randomUUID()
  const body = { borrower_id: borrowerId, limit: LIMIT }
  const first = await apply(body, { idempotencyKey })
  const again = await apply(body, { idempotencyKey })
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
})

test('an application that is declined shows the reasons', async () => {
  const borrowerId = await addEligible(api.tenant)
  await push(api.tenant, borrowerId, '0.01')
  const { id } = (await apply({ borrower_id: borrowerId, limit: LIMIT })).json()
  const declined = await waitUntil(api.tenant, `/v1/facilities/${id}`, { state: 'DECLINED' })
  expect(declined.decline_reasons).toEqual(['insufficient_collateral'])
})

test('closing with debt is refused, and a closed facility is closed once', async () => {
  const { id } = await addApproved(api.tenant)
  await addDraw(api.tenant, id, '1000.00')
  const close = () => api.tenant.send('POST', `/v1/facilities/${id}/close`)
  expectProblem(await close(), 409, 'outstanding_balance')
  const other = await addApproved(api.tenant)
  await api.tenant.send('POST', `/v1/facilities/${other.id}/close`)
  await waitUntil(api.tenant, `/v1/facilities/${other.id}`, { state: 'CLOSED' })
  const again = await api.tenant.send('POST', `/v1/facilities/${other.id}/close`)
  const { detail } = expectProblem(again, 409, 'facility_not_approved')
  expect(detail).toBe('The facility is CLOSED: to borrow again, apply for a new one.')
})

test('the list of facilities runs newest first, page by page, and by borrower and state', async () => {
  const tenant = await api.addTenant()
  const borrowers: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const borrowerId = await addEligible(tenant)
    const body = { borrower_id: borrowerId, limit: LIMIT }
    await tenant.send('POST', '/v1/facilities', { body })
    borrowers.unshift(borrowerId)
  }
  const read = async (query: string) => (await tenant.send('GET', `/v1/facilities?${query}`)).json()
  const first = await read('limit=2')
  expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  const rest = await read(`limit=2&from=${encodeURIComponent(first.next_cursor)}`)
  expect(rest).toMatchObject({ has_more: false })
  expect(rest.next_cursor).toBeUndefined()
  const seen = [...first.items, ...rest.items].map((item) => item.borrower_id)
  expect(seen).toEqual(borrowers)
  const ofOne = await read(`borrower_id=${borrowers[1]}`)
  expect(ofOne.items.map((item: { borrower_id: string }) => item.borrower_id)).toEqual([
    borrowers[1],
  ])
  expect((await read('state=PENDING')).items).toHaveLength(3)
  expect((await read('state=CLOSED')).items).toEqual([])
  const foreign = await api.tenant.send(
    'GET',
    `/v1/facilities?from=${encodeURIComponent(first.next_cursor)}`,
  )
  expectProblem(foreign, 400, 'cursor_invalid')
  expectProblem(await tenant.send('GET', '/v1/facilities?state=OPEN'), 422, 'validation_failed')
})
