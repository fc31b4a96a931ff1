import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LimitClass } from '../../src/core/limits/limit-classes.ts'
import { startTestApi, type TestApi, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  // Three tokens, and no other within the hour.
  const classes: LimitClass[] = ['money', 'platform_config', 'reads']
  const limits = classes.map((limitClass) => `${limitClass}=0.0002/3`).join(',')
  api = await startTestApi({ env: { RATE_LIMITS: limits } })
})
beforeEach(async () => {
  tenant = await api.addTenant()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
const WRONG_SIGNATURE = { 'X-SVC-Signature': `${'A'.repeat(86)}==` }
const WRONG_TYPE = { 'content-type': 'text/plain' }

async function emptyBuckets(): Promise<void> {
  for (let token = 0; token < 3; token += 1) {
    await tenant.send('POST', '/v1/nowhere')
    await tenant.send('GET', '/v1/nowhere')
    await tenant.send('POST', '/v1/borrowers', { body: {} })
  }
}

test('framing is checked before the signature headers', async () => {
  const headers = { 'content-encoding': 'gzip', 'X-SVC-Signature': '' }
  const answer = await tenant.send('POST', '/v1/borrowers', { body: BORROWER, headers })
  expectProblem(answer, 400, 'malformed_request')
})

test('the form of the headers is checked before the timestamp', async () => {
  const headers = { 'X-SVC-Signature': 'x' }
  const answer = await tenant.send('GET', '/v1/documents', { timestamp: '1000000000', headers })
  expectProblem(answer, 401, 'signature_malformed')
})

test('the timestamp is checked before the signature', async () => {
  const answer = await tenant.send('GET', '/v1/documents', {
    timestamp: '1000000000',
    headers: WRONG_SIGNATURE,
  })
  expectProblem(answer, 401, 'timestamp_out_of_range')
})

test('the signature is checked before the token bucket, and spends no token', async () => {
  await emptyBuckets()
  const answer = await tenant.send('GET', '/v1/documents', { headers: WRONG_SIGNATURE })
  expectProblem(answer, 401, 'signature_invalid')
})

test.each([
  ['404', 'GET', '/v1/nowhere', {}],
  ['405', 'PATCH', '/v1/borrowers', {}],
  ['415', 'POST', '/v1/borrowers', { body: BORROWER, headers: WRONG_TYPE }],
])('the token bucket is checked before a %s', async (_status, method, target, options) => {
  await emptyBuckets()
  expectProblem(await tenant.send(method, target, options), 429, 'rate_limited')
})

test.each([
  ['404', 'POST', '/v1/nowhere', 404, 'not_found'],
  ['405', 'PUT', '/v1/borrowers', 405, 'method_not_allowed'],
])('a %s is checked before the media type', async (_name, method, target, status, code) => {
  const answer = await tenant.send(method, target, { body: BORROWER, headers: WRONG_TYPE })
  expectProblem(answer, status, code)
})

test('the media type is checked before the scope', async () => {
  const key = await tenant.addKey({ scopes: ['webhook:read'] })
  const answer = await key.send('POST', '/v1/borrowers', { body: BORROWER, headers: WRONG_TYPE })
  expectProblem(answer, 415, 'unsupported_media_type')
})

test.each([
  ['missing', null],
  ['no UUID', 'x'],
])('the scope is checked before an Idempotency-Key that is %s', async (_name, idempotencyKey) => {
  const key = await tenant.addKey({ scopes: ['borrower:read', 'webhook:write'] })
  const answer = await key.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
  const problem = expectProblem(answer, 403, 'scope_missing')
  expect(problem).toMatchObject({ required_scope: 'borrower:write' })
})

test.each(['{', { nonsense: true }])(
  'the Idempotency-Key is checked before the body %o',
  async (body) => {
    const answer = await tenant.send('POST', '/v1/borrowers', { body, idempotencyKey: null })
    expectProblem(answer, 400, 'idempotency_key_missing')
  },
)

test('the body is checked before the record of the key', async () => {
  const idempotencyKey = randomUUID()
  await tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
  const body = { ...BORROWER, nonsense: true }
  const answer = await tenant.send('POST', '/v1/borrowers', { body, idempotencyKey })
  expectProblem(answer, 422, 'validation_failed')
})

test('the record of the key is checked before what the operation itself refuses', async () => {
  const idempotencyKey = randomUUID()
  await tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
  const body = { ...BORROWER, residency_country: 'US', residency_state: 'HI' }
  const answer = await tenant.send('POST', '/v1/borrowers', { body, idempotencyKey })
  expectProblem(answer, 422, 'idempotency_key_reused')
})
