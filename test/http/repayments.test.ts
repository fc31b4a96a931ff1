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
let target: string
beforeAll(async () => {
  const { id } = await addApproved(api.tenant)
  await addDraw(api.tenant, id, '20000.00')
  target = `/v1/facilities/${id}/repayments`
})

const AMOUNT = { amount: '100.00', asset: 'USD' }
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

async function announce(amount = AMOUNT): Promise<string> {
  return (await api.tenant.send('POST', target, { body: amount })).json().id
}

const completed = (reference: string = randomUUID()) => ({
  status: 'completed',
  delivered: AMOUNT,
  reference,
})

const report = (id: string, body: unknown, options = {}) =>
  api.tenant.send('POST', `${target}/${id}/execution`, { body, ...options })

test('a repayment is announced with its instructions, reported, confirmed and applied', async () => {
  const answer = await api.tenant.send('POST', target, { body: AMOUNT })
  expect(answer.status).toBe(201)
  const pending = {
    id: expect.stringMatching(/^rep_[0-9a-z]{26}$/),
    facility_id: target.split('/')[3],
    status: 'PENDING',
    ...AMOUNT,
    instructions: [{ operation: 'transfer', source: 'borrower', destination: 'clc', ...AMOUNT }],
    requested_at: timestamp,
  }
  expect(answer.json()).toEqual(pending)
  const { id } = answer.json()
  const reference = randomUUID()
  const reported = await report(id, completed(reference))
  expect(reported.status).toBe(200)
  expect(reported.json()).toEqual({
    ...pending,
    status: 'REPORTED',
    delivered: AMOUNT,
    reference,
    reported_at: timestamp,
  })
  const applied = await waitUntil(api.tenant, `${target}/${id}`, { status: 'APPLIED' })
  expect(applied).toEqual({
    ...reported.json(),
    status: 'APPLIED',
    confirmed: AMOUNT,
    allocation: {
      interest: expect.any(Object),
      principal: expect.any(Object),
      refund_due: { amount: '0.00', asset: 'USD' },
    },
    applied_at: timestamp,
    value_date: reported.json().reported_at,
  })
})

test('a report of failure ends a repayment, with or without a reference', async () => {
  for (const body of [
    { status: 'failed' },
    { status: 'failed', delivered: AMOUNT, reference: randomUUID() },
  ]) {
    const id = await announce()
    const answer = await report(id, body)
    expect(answer.json()).toMatchObject({
      ...body,
      ...{ status: 'FAILED', failure: 'reported_failed' },
      reported_at: timestamp,
    })
    const read = await api.tenant.send('GET', `${target}/${id}`)
    expect(read.json()).toEqual(answer.json())
    expectProblem(await report(id, completed()), 409, 'execution_already_reported')
  }
})

test('a repayment that never arrived fails', async () => {
  const id = await announce()
  await api.tenant.send('POST', '/v1/sandbox/payments', { body: { next: 'fail' } })
  await report(id, completed())
  const failed = await waitUntil(api.tenant, `${target}/${id}`, { status: 'FAILED' })
  expect(failed.failure).toBe('not_received')
})

test('a report sent 20 times at once under different keys executes once', async () => {
  const id = await announce()
  const body = completed()
  const answers = await Promise.all(Array.from({ length: 20 }, () => report(id, body)))
  const [taken, refused] = [200, 409].map((status) =>
    answers.filter((answer) => answer.status === status),
  )
  expect(taken).toHaveLength(1)
  expect(refused).toHaveLength(19)
  for (const answer of refused ?? []) expectProblem(answer, 409, 'execution_already_reported')
})

test('a report repeated under its key is answered alike', async () => {
  const id = await announce()
  const idempotencyKey = randomUUID()
  const body = completed()
  const first = await report(id, body, { idempotencyKey })
  await waitUntil(api.tenant, `${target}/${id}`, { status: 'APPLIED' })
  const again = await report(id, body, { idempotencyKey })
  expect(again.text).toBe(first.text)
})

test('a report is refused under a reference that was used for another repayment', async () => {
  const reference = randomUUID()
  await report(await announce(), completed(reference))
  const id = await announce()
  expectProblem(await report(id, completed(reference)), 409, 'duplicate_reference')
  const failed = { status: 'failed', reference }
  expectProblem(await report(id, failed), 409, 'duplicate_reference')
  expect((await report(id, { status: 'failed' })).status).toBe(200)
})

test.each([
  ['a blank after it', (reference: string) => `${reference} `, 'an outer blank'],
  ['a zero-width space', (reference: string) => `${reference}\u200b`, 'U+200B'],
])('a report is refused under a reference with %s, which is named', async (_, alter, found) => {
  const reference = randomUUID()
  await report(await announce(), completed(reference))
  const id = await announce()
  for (const body of [completed(alter(reference)), { status: 'failed', reference: alter('x') }]) {
    const { errors } = expectProblem(await report(id, body), 422, 'validation_failed')
    expect(errors).toEqual([
      {
        pointer: '/reference',
        code: 'forbidden_character',
        detail: `Expected text without leading or trailing blanks, invisible characters, or blanks other than a plain space. It has ${found}. Example: "wire-20261125-0001".`,
      },
    ])
  }
  expect((await report(id, completed())).status).toBe(200)
})

test('a report is refused under a reference that was reported to have failed', async () => {
  const reference = randomUUID()
  await report(await announce(), { status: 'failed', reference })
  expectProblem(await report(await announce(), completed(reference)), 409, 'duplicate_reference')
})

test('a report is refused for a repayment of another facility, or none', async () => {
  const id = await announce()
  const other = await addApproved(api.tenant)
  const elsewhere = `/v1/facilities/${other.id}/repayments/${id}`
  const body = completed()
  expectProblem(await api.tenant.send('POST', `${elsewhere}/execution`, { body }), 404, 'not_found')
  expectProblem(await api.tenant.send('GET', elsewhere), 404, 'not_found')
})

test.each([
  ['/status', { status: 'done' }],
  ['/delivered', { status: 'completed', reference: 'x' }],
  ['/reference', { status: 'completed', delivered: AMOUNT }],
  ['/reference', { ...completed(), reference: '' }],
  ['/delivered/asset', { ...completed(), delivered: { amount: '100', asset: 'USDC' } }],
  ['/delivered/amount', { ...completed(), delivered: { amount: '0', asset: 'USD' } }],
  ['/note', { ...completed(), note: 'x' }],
])('a report is refused with a fault at %s', async (pointer, body) => {
  const answer = await report(await announce(), body)
  const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
  expect(errors.map((error) => error.pointer)).toContain(pointer)
})

test.each([
  ['/amount', { ...AMOUNT, amount: '0.00' }],
  ['/amount', { ...AMOUNT, amount: '1e3' }],
  ['/margin_warning_number', { ...AMOUNT, margin_warning_number: 0 }],
  ['/margin_warning_nunber', { ...AMOUNT, margin_warning_nunber: 1 }],
])('an announcement is refused with a fault at %s', async (pointer, body) => {
  const answer = await api.tenant.send('POST', target, { body })
  const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
  expect(errors.map((error) => error.pointer)).toContain(pointer)
})

test('an announcement is refused in another asset, as a cure of nothing, and before anything was drawn', async () => {
  const send = (body: unknown, at = target) => api.tenant.send('POST', at, { body })
  expectProblem(await send({ ...AMOUNT, asset: 'BTC' }), 422, 'unsupported_asset')
  const cure = { ...AMOUNT, margin_warning_number: 1 }
  expectProblem(await send(cure), 409, 'margin_warning_not_open')
  const fresh = await addApproved(api.tenant)
  const undrawn = `/v1/facilities/${fresh.id}/repayments`
  const refused = expectProblem(await send(AMOUNT, undrawn), 409, 'facility_not_approved')
  expect(refused.detail).toBe('Nothing was drawn on the facility yet: there is nothing to repay.')
})

test('the list of repayments runs newest first, page by page', async () => {
  const all = (await api.tenant.send('GET', target)).json().items
  const ids: string[] = all.map((item: { id: string }) => item.id)
  expect(ids).toEqual([...ids].sort().reverse())
  const first = (await api.tenant.send('GET', `${target}?limit=3`)).json()
  const from = encodeURIComponent(first.next_cursor)
  const second = (await api.tenant.send('GET', `${target}?limit=3&from=${from}`)).json()
  const seen = [...first.items, ...second.items].map((item) => item.id)
  expect(seen).toEqual(ids.slice(0, 6))
})
