import { beforeAll, expect, test } from 'vitest'
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
const NO_BODY = 'Expected a JSON object as the body.'
/** The body without its borrower's state is a whole one too. */
const BORROWER_EXAMPLE = JSON.stringify({
  ...BORROWER,
  ...{ residency_country: 'US', residency_state: 'CA' },
})

/** The examples that a refusal gives, of each member and of a whole body. */
const EXAMPLES: Record<string, string> = {
  '': BORROWER_EXAMPLE,
  '/kyc': BORROWER_EXAMPLE,
  '/type': '"individual"',
  '/kyc_attested': 'true',
  '/residency_country': '"US"',
  '/residency_state': '"CA"',
  '/label': '"production"',
  '/event_types': '["borrower.eligible","margin_warning.raised"]',
  '/amount': '"1500.00"',
  '/limit/asset': '"USD"',
  '/price_usd': '"70000"',
  '/asset': '"BTC"',
  '/advance_seconds': '86400',
  '/status': '"completed"',
  '/email': '"ada@example.com"',
  '/full_name': '"Ada Lovelace"',
  '/ip_address': '"203.0.113.9"',
  '/signed_at': '"2026-11-20T12:00:00Z"',
  '/contract_version': '"2026-11"',
  '/data/tier': '1',
}

const LISTS = ['/v1/events', '/v1/facilities', '/v1/facilities/x/draws', '/v1/webhooks/x/events']
const WRONG_LIMITS = ['0', '501', '', '1e2', '-1', '1&limit=2', '0x10', '010', '%2010', '10.0']

test.each(LISTS.flatMap((list) => WRONG_LIMITS.map((limit) => [list, limit] as const)))(
  '%s?limit=%s is answered with the range of a limit and an example',
  async (list, limit) => {
    const answer = await api.tenant.send('GET', `${list}?limit=${limit}`)
    const { errors } = expectProblem(answer, 422, 'validation_failed')
    const detail = 'Expected a whole number from 1 to 500. Example: 100.'
    expect(errors).toMatchObject([{ pointer: '?limit', detail }])
  },
)

type Fault = readonly [pointer: string, code: string, detail: string, path: string, body: unknown]

/** Bodies that have everything, each with one member changed. */
const faultsOf = (
  path: string,
  whole: object,
  changes: [change: Record<string, unknown>, code: string, detail: string][],
): Fault[] =>
  changes.map(([change, code, detail]) => {
    const pointer = `/${Object.keys(change).join('/')}`
    return [pointer, code, detail, path, { ...whole, ...change }]
  })

const ONE_OF_TYPES = 'Expected `individual` or `business`.'
const simulation = (data: object) => (webhookId: string) => ({
  ...{ webhook_id: webhookId, event_type: 'margin_warning.raised', data },
})

test.each<Fault>([
  ['', 'required', NO_BODY, 'borrowers', undefined],
  ['', 'required', NO_BODY, 'borrowers', 'null'],
  ['', 'wrong_type', NO_BODY, 'borrowers', [BORROWER]],
  ...faultsOf('borrowers', BORROWER, [
    [{ type: 'robot' }, 'unknown_value', ONE_OF_TYPES],
    [{ type: undefined }, 'required', `Required. ${ONE_OF_TYPES}`],
    [{ kyc_attested: 'yes' }, 'wrong_type', 'Expected true or false.'],
    [{ residency_country: 'DEU' }, 'too_long', 'Expected at most 2 characters.'],
    [{ residency_country: '' }, 'too_short', 'Expected at least 1 character.'],
    [{ residency_country: 1 }, 'wrong_type', 'Expected a string.'],
    [
      { residency_country: 'XX' },
      ...(['unknown_value', 'Expected an assigned ISO 3166-1 alpha-2 code in capitals.'] as const),
    ],
    [
      { residency_state: 'BE' },
      'not_allowed',
      'Expected no state for DE: leave it out. Example: {"residency_country":"DE"}.',
    ],
    [
      { kyc: 1 },
      'unknown_member',
      'Unknown member. Allowed: `type`, `kyc_attested`, `residency_country`, `residency_state`, `external_id`.',
    ],
  ]),
  [
    '/residency_state',
    'required',
    'Required for US. Expected an ISO 3166-2 code without the country.',
    'borrowers',
    { ...BORROWER, residency_country: 'US' },
  ],
  [
    '/label',
    'forbidden_character',
    'Expected valid Unicode: it has an unpaired surrogate (\\ud800 to \\udfff).',
    'webhooks',
    '{"url":"https://example.com/","label":"\\ud800"}',
  ],
  ...faultsOf('webhooks', WEBHOOK, [
    ...['a\nb', 'a\0b', '\u001b[2J'].map((label): [object & { label: string }, string, string] => [
      { label },
      'forbidden_character',
      'Expected text without control characters, such as line breaks and tabs.',
    ]),
    [{ label: 'x'.repeat(201) }, 'too_long', 'Expected at most 200 characters.'],
    [{ event_types: 'draw.failed' }, 'wrong_type', 'Expected a list.'],
  ]),
  ...faultsOf('facilities/x/draws', DRAW, [
    [{ amount: nines(40) }, 'out_of_range', WHOLE_DIGITS],
    [{ amount: '1.001' }, 'too_precise', 'Too precise. Expected at most 2 digits after the point.'],
    [{ amount: '0.00' }, 'out_of_range', 'Expected a decimal above 0.'],
    [{ amount: '1e3' }, 'wrong_format', NO_DECIMAL],
  ]),
  [
    '/limit/asset',
    'unknown_value',
    'Expected `USD`.',
    'facilities',
    { borrower_id: 'bor_x', limit: { amount: '0', asset: 'EUR' } },
  ],
  ...faultsOf('sandbox/prices', { asset: 'BTC', price_usd: '1' }, [
    [{ price_usd: nines(50) }, 'out_of_range', WHOLE_DIGITS],
    [
      { price_usd: `1.${nines(50)}` },
      'too_precise',
      'Too precise. Expected at most 8 digits after the point.',
    ],
    [{ asset: 'DOGE' }, 'unknown_value', 'Expected `BTC`, `ETH` or `USDC`.'],
  ]),
  ...faultsOf('sandbox/clock', {}, [
    [{ advance_seconds: '60' }, 'wrong_type', 'Expected a whole number from 0 to 34560000.'],
  ]),
  ...faultsOf('facilities/x/repayments/x/execution', {}, [
    [{ status: 'nope' }, 'unknown_value', 'Expected `completed` or `failed`.'],
  ]),
  ...faultsOf('borrowers/x/signatures', SIGNATURE, [
    [{ email: 'ada' }, 'wrong_format', 'Invalid format. Expected an e-mail address.'],
    [
      { full_name: '\u3164 \u200b' },
      'wrong_format',
      'Invalid format. Expected a name with at least one letter.',
    ],
    [
      { full_name: 'Ada \u202eecalevoL' },
      'forbidden_character',
      'Expected text without U+202D and U+202E, which change the order of letters.',
    ],
    [{ ip_address: '1' }, 'wrong_format', 'Invalid format. Expected an IPv4 or IPv6 address.'],
    [
      { signed_at: '2026-11-20T12:00:00+00:00' },
      'wrong_format',
      'Invalid format. Expected a UTC timestamp that ends in Z.',
    ],
    [{ contract_version: '2026-13' }, 'wrong_format', 'Invalid format. Expected a year and month.'],
  ]),
  [
    '/data/tier',
    'out_of_range',
    'Expected a whole number from 1 to 3.',
    'webhooks/simulate',
    simulation({
      ...{ facility_id: 'fac_1', tier: 4, cure_amount: { amount: '1', asset: 'USD' } },
    }),
  ],
])(
  'a fault at "%s" has the code %s and the detail: %s',
  async (pointer, code, detail, path, body) => {
    const sent = typeof body === 'function' ? body(webhookId) : body
    const answer = await api.tenant.send('POST', `/v1/${path}`, { body: sent })
    const { errors } = expectProblem(answer, 422, 'validation_failed')
    const whole = detail.includes(' Example: ')
      ? detail
      : `${detail} Example: ${EXAMPLES[pointer]}.`
    expect(errors).toEqual([{ pointer, code, detail: whole }])
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
