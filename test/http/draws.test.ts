import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()
let facilityId: string
beforeAll(async () => {
  facilityId = (await addApproved(api.tenant)).id
})

const DRAW = { amount: '1000', asset: 'USD', destination: 'account-4711' }

const request = (body: unknown, options = {}) =>
  api.tenant.send('POST', `/v1/facilities/${facilityId}/draws`, { body, ...options })

const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

test('a draw is answered PENDING, and read back with its reference once it is paid', async () => {
  const answer = await request(DRAW)
  expect(answer.status).toBe(201)
  const pending = {
    id: expect.stringMatching(/^drw_[0-9a-z]{26}$/),
    facility_id: facilityId,
    status: 'PENDING',
    ...DRAW,
    amount: '1000.00',
    requested_at: timestamp,
  }
  expect(answer.json()).toEqual(pending)
  const { id } = answer.json()
  const target = `/v1/facilities/${facilityId}/draws/${id}`
  expect(await waitUntil(api.tenant, target, { status: 'COMPLETED' })).toEqual({
    ...pending,
    status: 'COMPLETED',
    reference: expect.any(String),
    completed_at: timestamp,
  })
})

test('a payment that the provider refuses fails the draw, which shows it', async () => {
  await api.tenant.send('POST', '/v1/sandbox/payments', { body: { next: 'fail' } })
  const { id } = (await request(DRAW)).json()
  const target = `/v1/facilities/${facilityId}/draws/${id}`
  const failed = await waitUntil(api.tenant, target, { status: 'FAILED' })
  expect(failed.failure).toEqual({ code: 'sandbox_refused', retryable: true })
  expect(failed.completed_at).toBeUndefined()
})

test('a draw sent twenty times under one key is one draw', async () => {
  const { id } = await addApproved(api.tenant)
  const idempotencyKey = randomUUID()
  const target = `/v1/facilities/${id}/draws`
  const send = () => api.tenant.send('POST', target, { body: DRAW, idempotencyKey })
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  expect(new Set(answers.map(({ status }) => status)).has(201)).toBe(true)
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect((await api.tenant.send('GET', target)).json().items).toHaveLength(1)
})

test.each([
  ['/amount', 'validation_failed', { ...DRAW, amount: '0' }],
  ['/amount', 'validation_failed', { ...DRAW, amount: '1.001' }],
  ['/amount', 'validation_failed', { ...DRAW, amount: 1 }],
  ['/amount', 'validation_failed', { ...DRAW, asset: 'USDC', amount: '0.0000001' }],
  ['/destination', 'validation_failed', { ...DRAW, destination: '' }],
  ['/destination', 'validation_failed', { ...DRAW, destination: 'a\u0007b' }],
  ['/destination', 'validation_failed', { ...DRAW, destination: 'account-4711\u200b' }],
  ['/memo', 'validation_failed', { ...DRAW, memo: 'x' }],
])('a draw is refused with a fault at %s', async (pointer, code, body) => {
  const { errors = [] } = expectProblem(await request(body), 422, code)
  expect(errors.map((error) => error.pointer)).toContain(pointer)
})

test('a draw is refused in another asset, above the limit, and above the loan-to-value', async () => {
  expectProblem(await request({ ...DRAW, asset: 'BTC' }), 422, 'unsupported_asset')
  expectProblem(await request({ ...DRAW, asset: 'constructor' }), 422, 'unsupported_asset')
  const { detail } = expectProblem(
    await request({ ...DRAW, amount: '40000.01' }),
    422,
    'credit_limit_exceeded',
  )
  expect(detail).toMatch(/; \d+\.\d\d USD of the limit is left\.$/)
  const body = { asset: 'BTC', price_usd: '20000' }
  await api.tenant.send('POST', '/v1/sandbox/prices', { body })
  expectProblem(await request({ ...DRAW, amount: '30000' }), 409, 'draws_blocked')
  await api.tenant.send('POST', '/v1/sandbox/prices', { body: { ...body, price_usd: null } })
})

test('the list of draws runs newest first, page by page, and is of its facility alone', async () => {
  const { id } = await addApproved(api.tenant)
  const ids: string[] = []
  for (const amount of ['1.00', '2.00', '3.00']) {
    ids.unshift((await addDraw(api.tenant, id, amount)).id)
  }
  const read = async (query: string) =>
    (await api.tenant.send('GET', `/v1/facilities/${id}/draws?${query}`)).json()
  const first = await read('limit=2')
  const rest = await read(`limit=2&from=${encodeURIComponent(first.next_cursor)}`)
  expect([...first.items, ...rest.items].map((item) => item.id)).toEqual(ids)
  expect([first.has_more, rest.has_more]).toEqual([true, false])
  const elsewhere = `/v1/facilities/${facilityId}/draws/${ids[0]}`
  expectProblem(await api.tenant.send('GET', elsewhere), 404, 'not_found')
})
