import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { LIMIT_CLASSES, type LimitClass } from '../../../src/core/limits/limit-classes.ts'
import {
  apiForFile,
  createTestBorrower,
  startTestApi,
  type TestApi,
  type TestKey,
  type TestTenant,
} from '../../support/api/api.ts'
import { expectCommonHeaders, expectProblem } from '../../support/api/expect-problem.ts'
import { rawRequest, sendRaw } from '../../support/api/raw-http.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

/** So many tokens in each class, and no other within the hour. */
const tokens = (burst: number) =>
  Object.keys(LIMIT_CLASSES)
    .map((limitClass) => `${limitClass}=0.0002/${burst}`)
    .join(',')

const remaining = (answer: { headers: Record<string, unknown> }) =>
  Number(answer.headers['ratelimit-remaining'])

describe('with the limits of the interface', () => {
  const api = apiForFile({ env: { RATE_LIMITS: '' } })

  const ID = 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c'
  const FACILITY = '/v1/facilities/fac_01k9x4m2q8e0tb7f2v5j6h8n3c'
  type Route = [method: string, path: string, limitClass: LimitClass, burst: number]
  const ROUTES: Route[] = [
    ['GET', '/v1/documents', 'reads', 200],
    ['GET', '/v1/events', 'reads', 200],
    ['GET', `/v1/webhooks/${ID}/events`, 'reads', 200],
    ['GET', '/v1/nowhere', 'reads', 200],
    ['POST', '/v1/borrowers', 'money', 20],
    ['POST', '/v1/borrowers/x/signatures', 'money', 20],
    ['POST', '/v1/webhooks', 'platform_config', 10],
    ['POST', '/v1/webhooks/secrets', 'platform_config', 10],
    ['DELETE', `/v1/webhooks/${ID}`, 'platform_config', 10],
    ['POST', '/v1/nowhere', 'platform_config', 10],
    ['POST', '/v1/webhooks/simulate', 'simulate', 10],
    ['PUT', '/v1/portfolio-source', 'platform_config', 10],
    ['GET', '/v1/portfolio-source', 'reads', 200],
    ['PUT', '/v1/borrowers/x/portfolio', 'portfolio_ingest', 500],
    ['POST', '/v1/sandbox/payments', 'sandbox_controls', 100],
    ['GET', '/v1/facilities', 'reads', 200],
    ['GET', FACILITY, 'valuation', 50],
    ['GET', `${FACILITY}/collateral`, 'valuation', 50],
    ['GET', `${FACILITY}/margin-levels`, 'valuation', 50],
    ['POST', `${FACILITY}/preview`, 'valuation', 50],
    ...['draws', 'repayments', 'margin-warnings', 'margin-warnings/1', 'margin-calls'].map(
      (path): Route => ['GET', `${FACILITY}/${path}`, 'reads', 200],
    ),
    ['POST', '/v1/facilities', 'money', 20],
    ...['close', 'draws', 'repayments', 'repayments/rep_x/execution'].map(
      (path): Route => ['POST', `${FACILITY}/${path}`, 'money', 20],
    ),
  ]

  test.each(ROUTES)(
    '%s %s shows the bucket of class %s, %i tokens',
    async (method, target, _, burst) => {
      const tenant = await api.addTenant()
      const answer = await tenant.send(method, target)
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': String(burst),
        'ratelimit-remaining': String(burst - 1),
        'ratelimit-reset': '1',
      })
    },
  )
})

describe('with three tokens', () => {
  const api = apiForFile({ env: { RATE_LIMITS: tokens(3) } })
  let tenant: TestTenant
  beforeEach(async () => {
    tenant = await api.addTenant()
  })

  const read = (key: TestKey = tenant) => key.send('GET', '/v1/documents')

  test('with three tokens the fourth request is refused with the time to wait, and does not run', async () => {
    const left = []
    for (let count = 0; count < 3; count += 1) left.push(remaining(await read()))
    expect(left).toEqual([2, 1, 0])
    const refused = await read()
    const problem = expectProblem(refused, 429, 'rate_limited')
    expect(problem).toMatchObject({ title: 'Too Many Requests' })
    expect(problem.detail).toContain('class Reads')
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(4_900)
    expect(wait).toBeLessThanOrEqual(5_000)
    expect(remaining(refused)).toBe(0)
    expect(Number(refused.headers['ratelimit-reset'])).toBeGreaterThan(14_900)
  })

  test('all keys of a tenant share a bucket, two tenants and two classes do not', async () => {
    await read()
    expect(remaining(await read(await tenant.addKey()))).toBe(1)
    expect(remaining(await read(await api.addTenant()))).toBe(2)
    expect(remaining(await tenant.send('POST', '/v1/nowhere'))).toBe(2)
  })

  test('a replay spends a token', async () => {
    const idempotencyKey = randomUUID()
    const create = () => tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
    expect(remaining(await create())).toBe(2)
    const replay = await create()
    expect(replay.headers['idempotent-replayed']).toBe('true')
    expect(remaining(replay)).toBe(1)
  })

  test('a 429 leaves the key unused', async () => {
    for (let count = 0; count < 3; count += 1) await createTestBorrower(tenant)
    const idempotencyKey = randomUUID()
    const create = () => tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
    expectProblem(await create(), 429, 'rate_limited')
    const records = await api.db
      .selectFrom('idempotency_records')
      .select('key')
      .where('tenant_id', '=', tenant.id)
      .execute()
    expect(records).toHaveLength(3)
    expect(records.map(({ key }) => key)).not.toContain(idempotencyKey)
  })

  test('a refusal after the bucket has spent its token', async () => {
    expectProblem(
      await tenant.send('POST', '/v1/borrowers', { body: {} }),
      422,
      'validation_failed',
    )
    expect(remaining(await tenant.send('POST', '/v1/borrowers', { body: BORROWER }))).toBe(1)
  })
})

test('every kind of answer carries the rate fields, its id and no-store', async () => {
  await using api = await startTestApi()
  const { tenant } = api
  const narrow = await tenant.addKey({ scopes: ['webhook:read'] })
  const body = { url: 'http://127.0.0.1:9/' }
  const created = await tenant.send('POST', '/v1/webhooks', { body })
  const { id } = created.json()
  const borrower = await createTestBorrower(tenant)
  const signature = {
    full_name: 'Ada Lovelace',
    email: 'ada@example.com',
    ip_address: '203.0.113.9',
    signed_at: '2026-01-01T00:00:00Z',
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  }
  const answers = {
    200: await tenant.send('GET', '/v1/documents'),
    201: created,
    202: await tenant.send('POST', `/v1/borrowers/${borrower}/signatures`, { body: signature }),
    204: await tenant.send('DELETE', `/v1/webhooks/${id}`),
    400: await tenant.send('POST', '/v1/borrowers', { body: '{' }),
    401: await tenant.send('GET', '/v1/documents', { timestamp: '1000000000' }),
    403: await narrow.send('GET', '/v1/documents'),
    404: await tenant.send('GET', '/v1/nowhere'),
    405: await tenant.send('PUT', '/v1/borrowers'),
    413: await tenant.send('POST', '/v1/borrowers', { body: 'x'.repeat(70_000) }),
    414: await sendRaw(api.port, rawRequest(`GET /v1/${'x'.repeat(9_000)} HTTP/1.1`, ['host: x'])),
    415: await tenant.send('POST', '/v1/borrowers', {
      body: BORROWER,
      headers: { 'content-type': 'text/plain' },
    }),
    422: await tenant.send('POST', '/v1/borrowers', { body: {} }),
    431: await sendRaw(api.port, `GET / HTTP/1.1\r\nx: ${'x'.repeat(17_000)}`),
  }
  for (const [status, answer] of Object.entries(answers)) {
    expect(answer?.status).toBe(Number(status))
    expectCommonHeaders(answer?.headers ?? {})
  }
})

describe('requests that do not verify', () => {
  let api: TestApi
  beforeAll(async () => {
    const limits = tokens(10).replace('unverified=0.0002/10', 'unverified=0.0002/2')
    const proxies = '127.0.0.1/32,10.9.0.0/16'
    api = await startTestApi({ env: { RATE_LIMITS: limits, TRUSTED_PROXIES: proxies } })
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  type From = { from?: string; forwardedFor?: string }

  function send({ from = '127.0.0.1', forwardedFor }: From, wrong = true, key = api.tenant) {
    const forwarded = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const broken = wrong ? { 'X-SVC-Signature': `${'A'.repeat(86)}==` } : {}
    const headers: Record<string, string> = { ...forwarded, ...broken }
    return key.send('GET', '/v1/documents', { from, headers })
  }
  const fail = (source: From) => send(source)
  const succeed = (source: From, key?: TestTenant) => send(source, false, key)

  async function exhaust(source: From): Promise<void> {
    expect(remaining(await fail(source))).toBe(1)
    expect(remaining(await fail(source))).toBe(0)
  }

  test('requests that do not verify are refused by 429 once their source has failed too often', async () => {
    const source = { from: '127.0.1.1' }
    await exhaust(source)
    const refused = await fail(source)
    const problem = expectProblem(refused, 429, 'rate_limited')
    expect(problem.detail).toContain('unverified')
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(4_900)
  })

  test('requests that do not verify are counted alike, whatever their kind', async () => {
    const source = { from: '127.0.1.2' }
    await exhaust(source)
    const requests = [
      api.tenant.send('GET', '/v1/%zz', source),
      api.tenant.send('GET', '/v1/documents', { headers: { 'X-SVC-Key-Id': 'x' }, ...source }),
      api.tenant.send('POST', '/v1/borrowers', { body: 'x'.repeat(70_000), ...source }),
      api.tenant.send('GET', '/v1/documents', { headers: { expect: 'x' }, ...source }),
    ]
    for (const answer of await Promise.all(requests)) expectProblem(answer, 429, 'rate_limited')
  })

  test('requests of a wrong time are shown the right one, however many there are, and are not counted', async () => {
    const source = { from: '127.0.1.22' }
    const sendLate = () =>
      api.tenant.send('GET', '/v1/documents', { timestamp: '1000000000', ...source })
    const late = await Promise.all(Array.from({ length: 5 }, sendLate))
    for (const answer of late) {
      const problem = expectProblem(answer, 401, 'timestamp_out_of_range')
      expect(problem).toMatchObject({ server_time: expect.any(String) })
      expect(remaining(answer)).toBe(2)
    }
    await exhaust(source)
    expectProblem(await sendLate(), 401, 'timestamp_out_of_range')
  })

  test('requests that do not verify do not hinder a key that was never seen, among unknown ones from the same source', async () => {
    const source = { from: '127.0.1.20' }
    const tenant = await api.addTenant()
    await exhaust(source)
    const flood = Array.from({ length: 200 }, () =>
      api.tenant.send('GET', '/v1/documents', {
        headers: { 'X-SVC-Key-Id': newId('key') },
        ...source,
      }),
    )
    expect((await succeed(source, tenant)).status).toBe(200)
    for (const answer of await Promise.all(flood)) expectProblem(answer, 429, 'rate_limited')
  })

  test('requests that do not verify do not block one from the same source that verifies, nor spend its tokens', async () => {
    const source = { from: '127.0.1.3' }
    const tenant = await api.addTenant()
    await exhaust(source)
    expectProblem(await send(source, true, tenant), 429, 'rate_limited')
    const answer = await succeed(source, tenant)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '9' })
  })

  test('requests that verify are not counted as failures', async () => {
    const source = { from: '127.0.1.4' }
    for (let count = 0; count < 5; count += 1) await succeed(source)
    await exhaust(source)
  })

  test('requests of one source that do not verify do not count against another', async () => {
    await exhaust({ from: '127.0.1.5' })
    expect(remaining(await fail({ from: '127.0.1.6' }))).toBe(1)
  })

  test('requests that do not verify are counted by X-Forwarded-For where a trusted proxy sets it', async () => {
    await exhaust({ forwardedFor: '203.0.113.1' })
    expect(remaining(await fail({ forwardedFor: '203.0.113.2' }))).toBe(1)
    expect((await fail({ forwardedFor: '203.0.113.1' })).status).toBe(429)
  })

  test('requests that do not verify cannot name a source of their own choosing through a proxy', async () => {
    await exhaust({ forwardedFor: '198.51.100.1, 203.0.113.3' })
    expect((await fail({ forwardedFor: '198.51.100.2, 203.0.113.3' })).status).toBe(429)
    expect((await fail({ forwardedFor: 'nonsense, 203.0.113.3' })).status).toBe(429)
  })

  test('requests that do not verify have the source that the outermost trusted proxy names', async () => {
    await exhaust({ forwardedFor: '203.0.113.8, 10.9.0.1' })
    const fromAnother = await fail({ forwardedFor: '198.51.100.3, 203.0.113.8, 10.9.0.2' })
    expect(fromAnother.status).toBe(429)
    expect(remaining(await fail({ forwardedFor: '203.0.113.9, 10.9.0.1' }))).toBe(1)
  })

  test('requests that do not verify cannot name a source at all without a trusted proxy', async () => {
    const from = '127.0.1.7'
    await exhaust({ from, forwardedFor: '203.0.113.4' })
    expect((await fail({ from, forwardedFor: '203.0.113.5' })).status).toBe(429)
    expect(remaining(await fail({ forwardedFor: '203.0.113.4' }))).toBe(1)
  })

  test('addresses of one IPv6 network are one source, of two networks two', async () => {
    await exhaust({ forwardedFor: '2001:db8:1:2::1' })
    expect((await fail({ forwardedFor: '2001:db8:1:2:ffff::2' })).status).toBe(429)
    expect(remaining(await fail({ forwardedFor: '2001:db8:1:3::1' }))).toBe(1)
  })

  test('an IPv4 address written as IPv6 is the same source', async () => {
    await exhaust({ forwardedFor: '203.0.113.6' })
    expect((await fail({ forwardedFor: '::ffff:203.0.113.6' })).status).toBe(429)
  })

  test('requests that fail by an internal error are not counted', async () => {
    const from = '127.0.1.8'
    const key = await api.tenant.addKey()
    await sql`ALTER TABLE api_keys RENAME TO lost_keys`.execute(api.db)
    try {
      for (let count = 0; count < 3; count += 1) {
        const answer = await key.send('GET', '/v1/documents', { from })
        expectProblem(answer, 500, 'internal')
        expect(remaining(answer)).toBe(2)
      }
    } finally {
      await sql`ALTER TABLE lost_keys RENAME TO api_keys`.execute(api.db)
    }
    await exhaust({ from })
  })

  test('requests that do not verify under an unknown key are refused before their body is read, once the bucket is empty', async () => {
    await exhaust({ forwardedFor: '203.0.113.7' })
    const signed = await api.tenant.sign('POST', '/v1/borrowers', { body: BORROWER })
    const headers = {
      host: 'x',
      'content-length': '1000',
      'x-forwarded-for': '203.0.113.7',
      ...signed,
      'X-SVC-Key-Id': `key_${'0'.repeat(26)}`,
    }
    const answer = await sendRaw(api.port, rawRequest('POST /v1/borrowers HTTP/1.1', headers))
    expectProblem(answer, 429, 'rate_limited')
  })
})

test('while Redis is down answers go on, counted by the process, and simulate is closed', async () => {
  await using proxy = await startRedisProxy(await testRedisUrl())
  const limits = tokens(5)
  await using api = await startTestApi({ redisUrl: proxy.url, env: { RATE_LIMITS: limits } })
  const { tenant } = api
  expect(remaining(await tenant.send('GET', '/v1/documents'))).toBe(4)
  await proxy.goDown()

  const down = []
  for (let count = 0; count < 6; count += 1) {
    down.push(await tenant.send('GET', '/v1/documents'))
  }
  expect(down.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  for (const { headers } of down) expectCommonHeaders(headers)
  const created = await tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  expect(created.status).toBe(201)
  const unsigned = { headers: { 'X-SVC-Signature': 'x' } }
  expectProblem(await tenant.send('GET', '/v1/documents', unsigned), 401, 'signature_malformed')
  const simulated = await tenant.send('POST', '/v1/webhooks/simulate', { body: {} })
  expectProblem(simulated, 503, 'unavailable')
  expect(simulated.headers['retry-after']).toMatch(/^[1-9]\d*$/)

  await proxy.comeBack()
  // The process's own bucket is empty: an answer is one of Redis, which has counted one request.
  const readAgain = async () => (await tenant.send('GET', '/v1/documents')).status
  await expect.poll(readAgain, { timeout: 10_000 }).toBe(200)
  const simulatedAgain = await tenant.send('POST', '/v1/webhooks/simulate', { body: {} })
  expectProblem(simulatedAgain, 422, 'validation_failed')
  expect(remaining(await tenant.send('GET', '/v1/documents'))).toBe(2)
})
