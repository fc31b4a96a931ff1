import { beforeAll, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { preferredType } from '../../src/http/preferred-type.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()
let facility: string
let drawId: string
beforeAll(async () => {
  const { id } = await addApproved(api.tenant)
  facility = `/v1/facilities/${id}`
  drawId = (await addDraw(api.tenant, id, '20000.00')).id
  await api.tenant.client.advanceSandboxClock(3 * 86_400)
})

const get = (part: string, headers: Record<string, string> = {}) =>
  api.tenant.send('GET', `${facility}/${part}`, { headers })

test('a statement begins at nothing and ends with the debt', async () => {
  const answer = await get('statement')
  expect(answer.status).toBe(200)
  const { opening, lines, closing } = answer.json()
  expect(opening).toEqual({ principal: '0.00', interest: '0.00', total: '0.00' })
  expect(lines).toMatchObject([
    {
      type: 'draw',
      draw_id: drawId,
      principal: '20000.00',
      interest: '0.00',
      paid: { amount: '20000.00', asset: 'USD' },
      posted_at: expect.any(String),
    },
    { type: 'interest', principal: '0.00', interest: expect.stringMatching(/^16\.4\d$/) },
  ])
  expect(lines.at(-1).balance).toEqual(closing)
})

test('as CSV a statement has the same lines between its balances', async () => {
  const to = (await get('statement')).json().to
  const json = (await get(`statement?to=${to}&interest=day`)).json()
  const answer = await get(`statement?to=${to}&interest=day`, { accept: 'text/csv' })
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [header = '', ...rows] = answer.text.trimEnd().split('\r\n')
  const columns = header.split(',')
  const table = rows.map((row) => {
    const fields = row.split(',')
    expect(fields).toHaveLength(columns.length)
    return Object.fromEntries(columns.map((column, at) => [column, fields[at]]))
  })
  expect(table[0]).toMatchObject({ type: 'opening', value_date: json.from, balance: '0.00' })
  expect(table.at(-1)).toMatchObject({ type: 'closing', balance: json.closing.total })
  const inner = table.slice(1, -1)
  expect(inner.map(({ type, balance }) => [type, balance])).toEqual(
    json.lines.map((line: { type: string; balance: { total: string } }) => [
      line.type,
      line.balance.total,
    ]),
  )
  expect(inner[0]).toMatchObject({ reference: drawId, paid: '20000.00', asset: 'USD' })
})

test('a statement is read page by page, and the balances on each are those of the period', async () => {
  const whole = (await get('statement?interest=day')).json()
  expect(whole.has_more).toBe(false)
  expect(whole).not.toHaveProperty('next_cursor')
  const query = `to=${whole.to}&interest=day&limit=2`
  const first = (await get(`statement?${query}`)).json()
  expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  expect(first.lines).toEqual(whole.lines.slice(0, 2))
  const second = (await get(`statement?${query}&cursor=${first.next_cursor}`)).json()
  expect(second.lines).toEqual(whole.lines.slice(2, 4))
  const { opening, closing, from, to } = whole
  expect(second).toMatchObject({ opening, closing, from, to })
  const other = `statement?to=${whole.to}&limit=2&cursor=${first.next_cursor}`
  expectProblem(await get(other), 400, 'cursor_invalid')

  const { client } = api.tenant
  const id = facility.split('/').at(-1) ?? ''
  const lines: unknown[] = []
  const listing = client.getStatement(id, { interest: 'day', limit: 2 })
  for await (const line of listing) lines.push(line)
  expect(lines.length).toBeGreaterThanOrEqual(whole.lines.length)
  expect((await listing).lines).toEqual(lines.slice(0, 2))
})

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv, application/json', true],
  ['application/json, text/csv', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/csv;q=0.5, */*', false],
  ['text/csv;q=0', false],
  ['text/html, text/csv;q=0.9, */*;q=0.8', true],
])('Accept: %s prefers CSV: %s', (accept, expected) => {
  expect(preferredType(accept, ['application/json', 'text/csv']) === 'text/csv').toBe(expected)
})

test('a refused statement is a problem, whatever was to be accepted', async () => {
  const tomorrow = addMs(new Date(), 30 * DAY_MS).toISOString()
  const cases: [query: string, pointer: string][] = [
    [`to=${tomorrow}`, '?to'],
    ['from=2020-01-01T00:00:00Z', '?from'],
    ['from=yesterday', '?from'],
    ['interest=hour', '?interest'],
    ['limit=501', '?limit'],
    ['interest=day&from=2020-01-01T00:00:00Z', '?from'],
  ]
  for (const [query, pointer] of cases) {
    const answer = await get(`statement?${query}`, { accept: 'text/csv' })
    const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
    expect(errors.map((error) => error.pointer)).toContain(pointer)
  }
})

test('the payoff of now is the debt, that of later is more by its days, and that of the past is refused', async () => {
  const now = (await get('payoff')).json()
  expect(now).toMatchObject({ principal: '20000.00', per_day: '5.48', reserved: '0.00' })
  expect(now.rises_at > now.at).toBe(true)
  const later = addMs(new Date(now.at), 10 * DAY_MS).toISOString()
  const ahead = (await get(`payoff?at=${later}`)).json()
  expect(ahead.at).toBe(later)
  const more = Number(ahead.total) - Number(now.total)
  expect(more).toBeGreaterThan(54.78)
  expect(more).toBeLessThan(54.81)
  for (const days of [-1, 367]) {
    const at = addMs(new Date(now.at), days * DAY_MS).toISOString()
    const { errors } = expectProblem(await get(`payoff?at=${at}`), 422, 'validation_failed')
    expect(errors).toMatchObject([{ pointer: '?at', code: 'out_of_range' }])
  }
})

test('a payoff reported at its instant leaves nothing, and the statement closes at nothing', async () => {
  const { id } = await addApproved(api.tenant)
  await addDraw(api.tenant, id, '10000.00')
  const { client } = api.tenant
  await client.advanceSandboxClock(86_400)
  const { total: amount } = await client.getPayoff(id)
  const { id: repaymentId } = await client.createRepayment(id, { amount, asset: 'USD' })
  await client.reportExecution(id, repaymentId, {
    status: 'completed',
    delivered: { amount, asset: 'USD' },
    reference: `wire-${repaymentId}`,
  })
  await waitUntil(api.tenant, `/v1/facilities/${id}/repayments/${repaymentId}`, {
    status: 'APPLIED',
  })
  const { lines, closing } = await client.getStatement(id)
  // The clock ran on between the two requests: a cent may have come.
  expect(Number(closing.total)).toBeLessThanOrEqual(0.01)
  expect(lines.find(({ type }) => type === 'repayment')).toMatchObject({
    repayment_id: repaymentId,
    received: { amount, asset: 'USD' },
  })
  const csv = await client.getStatementCsv(id, { interest: 'day' })
  expect(csv).toMatch(/^value_date,posted_at,type,/)
  expect(csv).toContain(repaymentId)
})

test('a facility without a draw has an empty statement and nothing to pay off', async () => {
  const { id } = await addApproved(api.tenant)
  const { client } = api.tenant
  expect(await client.getStatement(id)).toMatchObject({ lines: [], closing: { total: '0.00' } })
  const payoff = await client.getPayoff(id)
  expect(payoff).toMatchObject({ total: '0.00', per_day: '0.00' })
  expect(payoff).not.toHaveProperty('rises_at')
})
