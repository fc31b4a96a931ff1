import { beforeAll, describe, expect, test } from 'vitest'
import { FIELD_CODE_NAMES } from '../../src/core/field-errors.ts'
import { readOperations, type Schema } from '../attacks/fuzz/document.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

const api = apiForFile()
let webhookId: string
beforeAll(async () => {
  webhookId = await api.tenant.client.registerWebhook({ url: 'http://127.0.0.1:9/' })
})

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
const DRAW = { amount: '1', asset: 'USD', destination: 'account-4711' }
const WEBHOOK = { url: 'https://example.com/' }
const SIGNATURE = {
  full_name: 'Ada',
  email: 'ada@example.com',
  ip_address: '203.0.113.9',
  signed_at: '2026-11-20T12:00:00Z',
  contract_type: 'x',
  contract_version: '2026-11',
}
const nines = (count: number) => '9'.repeat(count)
const WHOLE_DIGITS = 'Too large. Expected at most 18 digits before the point.'
const NO_DECIMAL =
  'Invalid format. Expected a decimal string without sign, exponent or leading zeros.'
const EXAMPLE =
  'Example: {"type":"individual","kyc_attested":true,"residency_country":"US","residency_state":"CA"}.'
const NO_BODY = `Expected a JSON object as the body. ${EXAMPLE}`

const LISTS = ['/v1/events', '/v1/facilities', '/v1/facilities/x/draws', '/v1/webhooks/x/events']

test.each(
  LISTS.flatMap((list) => ['0', '501', '', '1e2', '-1'].map((limit) => [list, limit] as const)),
)('%s?limit=%s is answered with the range of a limit and an example', async (list, limit) => {
  const answer = await api.tenant.send('GET', `${list}?limit=${limit}`)
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  const detail = 'Expected a whole number from 1 to 500. Example: 100.'
  expect(errors).toMatchObject([{ pointer: '?limit', detail }])
})

test.each([
  ['', 'required', NO_BODY, 'borrowers', undefined],
  ['', 'required', NO_BODY, 'borrowers', 'null'],
  ['', 'wrong_type', NO_BODY, 'borrowers', [BORROWER]],
  [
    '/type',
    'unknown_value',
    'Expected `individual` or `business`. Example: "individual".',
    'borrowers',
    { ...BORROWER, type: 'robot' },
  ],
  [
    '/type',
    'required',
    'Required. Expected `individual` or `business`. Example: "individual".',
    'borrowers',
    { ...BORROWER, type: undefined },
  ],
  [
    '/kyc_attested',
    'wrong_type',
    'Expected true or false. Example: true.',
    'borrowers',
    { ...BORROWER, kyc_attested: 'yes' },
  ],
  [
    '/residency_country',
    'too_long',
    'Expected at most 2 characters. Example: "US".',
    'borrowers',
    { ...BORROWER, residency_country: 'DEU' },
  ],
  [
    '/residency_country',
    'too_short',
    'Expected at least 1 character. Example: "US".',
    'borrowers',
    { ...BORROWER, residency_country: '' },
  ],
  [
    '/residency_country',
    'wrong_type',
    'Expected a string. Example: "US".',
    'borrowers',
    { ...BORROWER, residency_country: 1 },
  ],
  [
    '/residency_country',
    'unknown_value',
    'Expected an assigned ISO 3166-1 alpha-2 code in capitals. Example: "US".',
    'borrowers',
    { ...BORROWER, residency_country: 'XX' },
  ],
  [
    '/residency_state',
    'required',
    'Required for US. Expected an ISO 3166-2 code without the country. Example: "CA".',
    'borrowers',
    { ...BORROWER, residency_country: 'US' },
  ],
  [
    '/residency_state',
    'not_allowed',
    'Expected no state for DE: leave it out. Example: {"residency_country":"DE"}.',
    'borrowers',
    { ...BORROWER, residency_state: 'BE' },
  ],
  [
    '/kyc',
    'unknown_member',
    `Unknown member. Allowed: \`type\`, \`kyc_attested\`, \`residency_country\`, \`residency_state\`, \`external_id\`. ${EXAMPLE}`,
    'borrowers',
    { ...BORROWER, kyc: 1 },
  ],
  [
    '/label',
    'forbidden_character',
    'Expected valid Unicode: it has an unpaired surrogate (\\ud800 to \\udfff). Example: "production".',
    'webhooks',
    '{"url":"https://example.com/","label":"\\ud800"}',
  ],
  [
    '/label',
    'forbidden_character',
    'Expected text without control characters, such as line breaks and tabs. Example: "production".',
    'webhooks',
    { ...WEBHOOK, label: 'a\nb' },
  ],
  [
    '/label',
    'too_long',
    'Expected at most 200 characters. Example: "production".',
    'webhooks',
    { ...WEBHOOK, label: 'x'.repeat(201) },
  ],
  [
    '/event_types',
    'wrong_type',
    'Expected a list. Example: ["borrower.eligible","margin_warning.raised"].',
    'webhooks',
    { ...WEBHOOK, event_types: 'draw.failed' },
  ],
  [
    '/amount',
    'out_of_range',
    `${WHOLE_DIGITS} Example: "1500.00".`,
    'facilities/x/draws',
    { ...DRAW, amount: nines(40) },
  ],
  [
    '/amount',
    'too_precise',
    'Too precise. Expected at most 2 digits after the point. Example: "1500.00".',
    'facilities/x/draws',
    { ...DRAW, amount: '1.001' },
  ],
  [
    '/amount',
    'out_of_range',
    'Expected a decimal above 0. Example: "1500.00".',
    'facilities/x/draws',
    { ...DRAW, amount: '0.00' },
  ],
  [
    '/amount',
    'wrong_format',
    `${NO_DECIMAL} Example: "1500.00".`,
    'facilities/x/draws',
    { ...DRAW, amount: '1e3' },
  ],
  [
    '/limit/asset',
    'unknown_value',
    'Expected `USD`. Example: "USD".',
    'facilities',
    { borrower_id: 'bor_x', limit: { amount: '0', asset: 'EUR' } },
  ],
  [
    '/price_usd',
    'out_of_range',
    `${WHOLE_DIGITS} Example: "70000".`,
    'sandbox/prices',
    { asset: 'BTC', price_usd: nines(50) },
  ],
  [
    '/price_usd',
    'too_precise',
    'Too precise. Expected at most 8 digits after the point. Example: "70000".',
    'sandbox/prices',
    { asset: 'BTC', price_usd: `1.${nines(50)}` },
  ],
  [
    '/asset',
    'unknown_value',
    'Expected `BTC`, `ETH` or `USDC`. Example: "BTC".',
    'sandbox/prices',
    { asset: 'DOGE', price_usd: '1' },
  ],
  [
    '/advance_seconds',
    'wrong_type',
    'Expected a whole number from 0 to 34560000. Example: 86400.',
    'sandbox/clock',
    { advance_seconds: '60' },
  ],
  [
    '/status',
    'unknown_value',
    'Expected `completed` or `failed`. Example: "completed".',
    'facilities/x/repayments/x/execution',
    { status: 'nope' },
  ],
  [
    '/email',
    'wrong_format',
    'Invalid format. Expected an e-mail address. Example: "ada@example.com".',
    'borrowers/x/signatures',
    { ...SIGNATURE, email: 'ada' },
  ],
  [
    '/full_name',
    'wrong_format',
    'Invalid format. Expected a name with at least one letter. Example: "Ada Lovelace".',
    'borrowers/x/signatures',
    { ...SIGNATURE, full_name: '\u3164 \u200b' },
  ],
  [
    '/full_name',
    'forbidden_character',
    'Expected text without U+202D and U+202E, which change the order of letters. Example: "Ada Lovelace".',
    'borrowers/x/signatures',
    { ...SIGNATURE, full_name: 'Ada \u202eecalevoL' },
  ],
  [
    '/ip_address',
    'wrong_format',
    'Invalid format. Expected an IPv4 or IPv6 address. Example: "203.0.113.9".',
    'borrowers/x/signatures',
    { ...SIGNATURE, ip_address: '1' },
  ],
  [
    '/signed_at',
    'wrong_format',
    'Invalid format. Expected a UTC timestamp that ends in Z. Example: "2026-11-20T12:00:00Z".',
    'borrowers/x/signatures',
    { ...SIGNATURE, signed_at: '2026-11-20T12:00:00+00:00' },
  ],
  [
    '/contract_version',
    'wrong_format',
    'Invalid format. Expected a year and month. Example: "2026-11".',
    'borrowers/x/signatures',
    { ...SIGNATURE, contract_version: '2026-13' },
  ],
  [
    '/data/tier',
    'out_of_range',
    'Expected a whole number from 1 to 3. Example: 1.',
    'webhooks/simulate',
    (webhookId: string) => ({
      webhook_id: webhookId,
      event_type: 'margin_warning.raised',
      data: {
        facility_id: 'fac_1',
        tier: 4,
        cure_amount: { amount: '1', asset: 'USD' },
      },
    }),
  ],
])(
  'a fault at "%s" has the code %s and the detail: %s',
  async (pointer, code, detail, path, body) => {
    const sent = typeof body === 'function' ? body(webhookId) : body
    const answer = await api.tenant.send('POST', `/v1/${path}`, { body: sent })
    const { errors } = expectProblem(answer, 422, 'validation_failed')
    expect(errors).toEqual([{ pointer, code, detail }])
  },
)

test.each([
  [nines(60), 'out_of_range', WHOLE_DIGITS],
  [`1.${nines(60)}`, 'too_precise', 'Too precise. Expected at most 8 digits after the point.'],
  ['-1', 'wrong_format', NO_DECIMAL],
])('a quantity of %s is refused as %s: %s', async (quantity, code, expected) => {
  const positions = [{ asset: 'BTC', quantity }]
  const body = { as_of: '2026-11-20T12:00:00Z', positions }
  const answer = await api.tenant.send('PUT', '/v1/borrowers/x/portfolio', { body })
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  const detail = `${expected} Example: "1.5".`
  expect(errors).toEqual([{ pointer: '/positions/0/quantity', code, detail }])
})

test('an asset given twice in a portfolio is refused as a duplicate', async () => {
  const position = { asset: 'BTC', quantity: '1' }
  const body = { as_of: '2026-11-20T12:00:00Z', positions: [position, position] }
  const answer = await api.tenant.send('PUT', '/v1/borrowers/x/portfolio', { body })
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  expect(errors).toMatchObject([{ pointer: '/positions/1/asset', code: 'duplicate' }])
})

describe('every member and parameter of the document, given what is none of its type', () => {
  const paths = readOperations().flatMap((operation) =>
    membersOf(operation.body).map((path) => [operation.name, path, operation] as const),
  )
  const parameters = readOperations().flatMap((operation) =>
    operation.query.map(({ name }) => [operation.name, name] as const),
  )

  test.each(paths)(
    '%s %j is refused with a listed code and an example',
    async (name, path, operation) => {
      const body = withValueAt(operation.example, path, 0.5)
      const [method = '', target = ''] = name.split(' ')
      const answer = await api.tenant.send(method, target.replace(/\{\w+\}/g, 'x'), { body })
      const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
      expect(errors.length).toBeGreaterThan(0)
      for (const error of errors) {
        expect(FIELD_CODE_NAMES).toContain(error.code)
        expect(error.detail).toMatch(/^(Required|Expected|Invalid format|Unknown member)/)
        expect(error.detail).toMatch(/ Example: .+\.$/)
      }
    },
  )

  test.each(parameters)(
    '%s ?%s= is refused with a listed code and an example',
    async (name, parameter) => {
      const [method = '', target = ''] = name.split(' ')
      const wrong = `?${parameter}=${'%20'.repeat(2_000)}`
      const answer = await api.tenant.send(method, target.replace(/\{\w+\}/g, 'x') + wrong)
      const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
      expect(errors).toMatchObject([
        { pointer: `?${parameter}`, detail: expect.stringMatching(/Example: .+\.$/) },
      ])
      expect(FIELD_CODE_NAMES).toContain(errors[0]?.code)
    },
  )
})

/** The pointers' parts of every member that a body can have, nested ones and items included. */
function membersOf(schema: Schema | undefined): (string | number)[][] {
  if (!schema) return []
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    [name],
    ...membersOf(member).map((path) => [name, ...path]),
  ])
  const items = schema.items ? [[0], ...membersOf(schema.items).map((path) => [0, ...path])] : []
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(membersOf)
  const all = [...inner, ...items, ...branches]
  return [...new Map(all.map((path) => [JSON.stringify(path), path])).values()]
}

function withValueAt(whole: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value
  const holder = whole ?? (typeof key === 'number' ? [] : {})
  const inner = withValueAt((holder as Record<string, unknown>)[key], rest, value)
  return Array.isArray(holder)
    ? holder.with(0, inner)
    : { ...(holder as Record<string, unknown>), [key]: inner }
}
