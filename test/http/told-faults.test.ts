import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { expectProblem } from '../support/expect-problem.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
const DRAW = { amount: '1', asset: 'USD', destination: 'account-4711' }
const WEBHOOK = { url: 'https://example.com/' }
const nines = (count: number) => '9'.repeat(count)
const WHOLE_DIGITS = 'Is too large: at most 18 digits before the point.'

const LISTS = ['/v1/events', '/v1/facilities', '/v1/facilities/x/draws', '/v1/webhooks/x/events']

test.each(
  LISTS.flatMap((list) => ['0', '501', '', '1e2', '-1'].map((limit) => [list, limit] as const)),
)('%s?limit=%s is told from what to what a limit goes', async (list, limit) => {
  const answer = await api.tenant.send('GET', `${list}?limit=${limit}`)
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  const detail = 'Must be a whole number from 1 to 500.'
  expect(errors).toMatchObject([{ pointer: '?limit', detail }])
})

test.each([
  ['', 'A JSON body is needed, and it must be an object.', 'borrowers', undefined],
  ['', 'A JSON body is needed, and it must be an object.', 'borrowers', 'null'],
  ['', 'A JSON body is needed, and it must be an object.', 'borrowers', [BORROWER]],
  ['/type', 'Must be `individual` or `business`.', 'borrowers', { ...BORROWER, type: 'robot' }],
  ['/kyc_attested', 'Must be true or false.', 'borrowers', { ...BORROWER, kyc_attested: 'yes' }],
  [
    '/residency_country',
    'Must have at most 2 characters.',
    'borrowers',
    { ...BORROWER, residency_country: 'DEU' },
  ],
  ['/residency_country', 'Must not be empty.', 'borrowers', { ...BORROWER, residency_country: '' }],
  ['/residency_country', 'Must be a string.', 'borrowers', { ...BORROWER, residency_country: 1 }],
  [
    '/kyc',
    'Is not known here. Known are `type`, `kyc_attested`, `residency_country`, `residency_state`.',
    'borrowers',
    { ...BORROWER, kyc: 1 },
  ],
  [
    '/label',
    'Is not valid Unicode: it has one half of a surrogate pair (\\ud800 to \\udfff) without the other.',
    'webhooks',
    '{"url":"https://example.com/","label":"\\ud800"}',
  ],
  [
    '/label',
    'Must have no control characters, such as line breaks and tabs.',
    'webhooks',
    { ...WEBHOOK, label: 'a\nb' },
  ],
  [
    '/label',
    'Must have at most 200 characters.',
    'webhooks',
    { ...WEBHOOK, label: 'x'.repeat(201) },
  ],
  ['/event_types', 'Must be a list.', 'webhooks', { ...WEBHOOK, event_types: 'draw.failed' }],
  ['/amount', WHOLE_DIGITS, 'facilities/x/draws', { ...DRAW, amount: nines(40) }],
  ['/amount', WHOLE_DIGITS, 'facilities/x/draws', { ...DRAW, amount: nines(60) }],
  [
    '/amount',
    'Is too precise: at most 2 digits after the point.',
    'facilities/x/draws',
    { ...DRAW, amount: '1.001' },
  ],
  ['/amount', 'Must be above 0.', 'facilities/x/draws', { ...DRAW, amount: '0.00' }],
  [
    '/amount',
    'Must be a plain decimal string such as "1500.00": no sign, no exponent, no zeros in front.',
    'facilities/x/draws',
    { ...DRAW, amount: '1e3' },
  ],
  [
    '/limit/asset',
    'Limits are in USD.',
    'facilities',
    { borrower_id: 'bor_x', limit: { amount: '0', asset: 'EUR' } },
  ],
  ['/price_usd', WHOLE_DIGITS, 'sandbox/prices', { asset: 'BTC', price_usd: nines(50) }],
  [
    '/price_usd',
    'Is too precise: at most 8 digits after the point.',
    'sandbox/prices',
    { asset: 'BTC', price_usd: `1.${nines(50)}` },
  ],
  ['/price_usd', 'Must be above 0.', 'sandbox/prices', { asset: 'BTC', price_usd: '0' }],
  [
    '/advance_seconds',
    'Must be a whole number from 0 to 34560000.',
    'sandbox/clock',
    { advance_seconds: '60' },
  ],
  [
    '/status',
    'Must be `completed` or `failed`.',
    'facilities/x/repayments/x/execution',
    { status: 'nope' },
  ],
  [
    '/email',
    'Must be an e-mail address such as ada@example.com.',
    'borrowers/x/signatures',
    {
      full_name: 'Ada',
      email: 'ada',
      ip_address: '203.0.113.9',
      signed_at: '2026-11-20T12:00:00Z',
      contract_type: 'x',
      contract_version: '1',
    },
  ],
])('a fault at "%s" is told: %s', async (pointer, detail, path, body) => {
  const answer = await api.tenant.send('POST', `/v1/${path}`, { body })
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  expect(errors).toMatchObject([{ pointer, detail }])
})

test.each([
  [nines(60), WHOLE_DIGITS],
  [`1.${nines(60)}`, 'Is too precise: at most 8 digits after the point.'],
  ['-1', 'Must be a plain decimal string such as "1.5": no sign, no exponent, no zeros in front.'],
])('a quantity of %s is told: %s', async (quantity, detail) => {
  const positions = [{ asset: 'BTC', quantity }]
  const body = { as_of: '2026-11-20T12:00:00Z', positions }
  const answer = await api.tenant.send('PUT', '/v1/borrowers/x/portfolio', { body })
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  expect(errors).toMatchObject([{ pointer: '/positions/0/quantity', detail }])
})
