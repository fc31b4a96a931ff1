import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Constants } from '../../../src/config/constants.ts'
import {
  createTestBorrower,
  startTestApi,
  type TestApi,
  type TestKey,
  type TestResponse,
} from '../../support/api/api.ts'
import { expectCommonHeaders, expectProblem } from '../../support/api/expect-problem.ts'
import { readPortfolio } from '../../support/lending/read-portfolio.ts'
import { LONG_SCENARIO_MS, waitFor } from '../../support/process/patience.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'

/** One token in all, for the first push; the next comes in a quarter of an hour. */
const ONE_TOKEN = 'portfolio_ingest=0.001/1'

function startLimited(limits: string, constants: Partial<Constants> = {}): Promise<TestApi> {
  const RATE_LIMITS = `money=1000/100000,${limits}`
  return startTestApi({
    env: { RATE_LIMITS },
    constants: { portfolioWaitSeconds: 1, ...constants },
  })
}

/** One that tests share, each with a tenant of its own. */
function limitedForGroup(limits: string, constants: Partial<Constants> = {}): TestApi {
  const api = {} as TestApi
  beforeAll(async () => {
    Object.assign(api, await startLimited(limits, constants))
  })
  afterAll(() => api[Symbol.asyncDispose]())
  return api
}

const BASE = Date.parse('2026-01-01T00:00:00Z')

/** The n-th snapshot of a borrower, its content its own. */
const snapshot = (n: number, quantity = String(n)) => ({
  as_of: new Date(BASE + n).toISOString(),
  positions: [{ asset: 'BTC', quantity }],
})

const target = (borrowerId: string) => `/v1/borrowers/${borrowerId}/portfolio`

function push(key: TestKey, borrowerId: string, n: number): Promise<TestResponse> {
  return key.send('PUT', target(borrowerId), { body: snapshot(n) })
}

/** Which of a borrower's snapshots is stored; 0 for none. */
async function storedOf(
  api: TestApi,
  borrowerId: string,
  tenantId = api.tenant.id,
): Promise<number> {
  const portfolio = await readPortfolio(api.db, tenantId, borrowerId)
  return portfolio ? Number(portfolio.asOfMicros / 1_000n) - BASE : 0
}

async function createBorrowers(key: TestKey, count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => createTestBorrower(key)))
}

/** Takes the tenant's one token. */
async function spendToken(key: TestKey): Promise<void> {
  expect((await push(key, await createTestBorrower(key), 1)).json()).toMatchObject({
    applied: true,
  })
}

/** Pushes the second snapshot of a borrower, and goes on once it waits in the line. */
async function pushAndWait(key: TestKey, borrowerId: string): Promise<[Promise<TestResponse>]> {
  const waiting = push(key, borrowerId, 2)
  // Answered at once when it is superseded, and not before.
  expect((await push(key, borrowerId, 1)).json()).toMatchObject({ applied: false })
  // Not the promise itself, which would be awaited.
  return [waiting]
}

test('a flood of five times the limit on fifty borrowers stores the newest of each, and answers applied: true for no other', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  await using api = await startLimited('portfolio_ingest=50/25', { portfolioWaitSeconds: 10 })
  const borrowers = await createBorrowers(api.tenant, 50)
  // Each two of a borrower come the wrong way round: 2, 1, 4, 3, … 16, 15.
  const order = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? at + 2 : at))
  const pushes = order.flatMap((n) => borrowers.map((borrowerId) => ({ borrowerId, n })))
  const counts = { applied: 0, superseded: 0 }
  await Promise.all(
    pushes.map(async ({ borrowerId, n }) => {
      const answer = await push(api.tenant, borrowerId, n)
      const stored = await storedOf(api, borrowerId)
      expectCommonHeaders(answer.headers)
      expect(answer.headers['ratelimit-limit']).toBe('25')
      expect(answer.status).toBe(200)
      if (answer.json().applied) {
        counts.applied += 1
        expect(stored).toBeGreaterThanOrEqual(n)
      } else {
        counts.superseded += 1
      }
    }),
  )
  const stored = await Promise.all(borrowers.map((id) => storedOf(api, id)))
  expect(stored).toEqual(borrowers.map(() => 16))
  expect(counts.superseded).toBeGreaterThan(pushes.length / 2)
  expect(counts.applied).toBeGreaterThanOrEqual(borrowers.length)
})

describe('429 is answered only', () => {
  const one = limitedForGroup(ONE_TOKEN)
  const few = limitedForGroup(ONE_TOKEN, { portfolioWaitingBorrowers: 1 })

  test('a push is answered 429 only when no token came within the wait; nothing is stored then', async () => {
    const tenant = await one.addTenant()
    await spendToken(tenant)
    const borrowerId = await createTestBorrower(tenant)
    const answer = await push(tenant, borrowerId, 1)
    const { detail } = expectProblem(answer, 429, 'rate_limited')
    expect(detail).toBe(
      'Waited 1 s without a token of class Portfolio ingest; the request did not run.',
    )
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(900)
    expect(await storedOf(one, borrowerId, tenant.id)).toBe(0)
  })

  test('a push is answered 429 only when too many borrowers of the tenant wait, and no other tenant is held up', async () => {
    const tenant = await few.addTenant()
    await spendToken(tenant)
    const [first = '', second = ''] = await createBorrowers(tenant, 2)
    const [waiting] = await pushAndWait(tenant, first)
    const answer = await push(tenant, second, 1)
    const { detail } = expectProblem(answer, 429, 'rate_limited')
    expect(detail).toContain('1 borrowers wait for a token of class Portfolio ingest')
    await spendToken(await few.addTenant())
    expectProblem(await waiting, 429, 'rate_limited')
  })

  test('a push is answered 429 only when too many bytes wait in the process', async () => {
    await using api = await startLimited(ONE_TOKEN, { portfolioWaitingBytes: 1024 })
    await spendToken(api.tenant)
    const [first = '', second = ''] = await createBorrowers(api.tenant, 2)
    const [waiting] = await pushAndWait(api.tenant, first)
    const body = JSON.stringify(snapshot(1)).padEnd(1_024, ' ')
    const answer = await api.tenant.send('PUT', target(second), { body })
    const { detail } = expectProblem(answer, 429, 'rate_limited')
    expect(detail).toContain(
      'Too many bytes of snapshots wait for tokens of class Portfolio ingest',
    )
    expectProblem(await waiting, 429, 'rate_limited')
  })

  test('a push is answered 429 only when the flood bucket is empty', async () => {
    await using api = await startLimited(`${ONE_TOKEN},portfolio_flood=0.002/1`)
    await spendToken(api.tenant)
    const borrowerId = await createTestBorrower(api.tenant)
    const waiting = push(api.tenant, borrowerId, 1)
    const answers = await Promise.all([waiting, push(api.tenant, borrowerId, 2)])
    const atOnce = answers.find(({ text }) => text.includes('Too many requests of class'))
    expectProblem(atOnce, 429, 'rate_limited')
    expect(atOnce?.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' })
    expect(Number(atOnce?.headers['retry-after'])).toBeGreaterThan(400)
  })

  test('a client that goes away leaves its place to others', async () => {
    const tenant = await few.addTenant()
    await spendToken(tenant)
    const [first = '', second = ''] = await createBorrowers(tenant, 2)
    const body = JSON.stringify(snapshot(2))
    const signed = await tenant.sign('PUT', target(first), { body })
    const headers = { ...signed, 'content-type': 'application/json' }
    const client = httpRequest(`${few.baseUrl}${target(first)}`, { method: 'PUT', headers })
    client.on('error', () => undefined)
    client.end(body)
    expect((await push(tenant, first, 1)).json()).toMatchObject({ applied: false })
    expect((await push(tenant, second, 1)).text).toContain('borrowers wait for a token')
    client.destroy()
    await new Promise((resolve) => client.on('close', resolve))
    await waitFor(async () => expect((await push(tenant, second, 1)).text).toContain('Waited 1 s'))
    expect(await storedOf(few, first, tenant.id)).toBe(0)
  })

  test('a superseded push of a borrower with nothing stored is answered with the one that waits', async () => {
    const tenant = await one.addTenant()
    await spendToken(tenant)
    const borrowerId = await createTestBorrower(tenant)
    const waiting = push(tenant, borrowerId, 2)
    const older = await push(tenant, borrowerId, 1)
    expect(older.json()).toEqual({ applied: false, as_of: snapshot(2).as_of })
    expectProblem(await waiting, 429, 'rate_limited')
  })
})

describe('without a token', () => {
  // Ended by the last test of the group.
  const api = limitedForGroup(ONE_TOKEN, { portfolioWaitSeconds: 25 })

  test('a push that would be refused is refused at once', async () => {
    await spendToken(api.tenant)
    const borrowerId = await createTestBorrower(api.tenant)
    const reader = await api.tenant.addKey({ scopes: ['borrower:write'] })
    expectProblem(await push(reader, borrowerId, 1), 403, 'scope_missing')
    const put = (body: unknown, headers = {}) =>
      api.tenant.send('PUT', target(borrowerId), { body, headers })
    expectProblem(await put({ as_of: 'now' }), 422, 'validation_failed')
    expectProblem(await put('{'), 400, 'invalid_json')
    expectProblem(await put('x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
    const ahead = { ...snapshot(1), as_of: new Date(Date.now() + 3_600_000).toISOString() }
    expectProblem(await put(ahead), 422, 'as_of_in_future')
    const stranger = await api.addTenant()
    await spendToken(stranger)
    expectProblem(await push(stranger, borrowerId, 1), 404, 'not_found')
  })

  test('a push is answered at once by what is stored already', async () => {
    await using api = await startLimited('portfolio_ingest=0.001/2', {
      portfolioWaitSeconds: 25,
    })
    const borrowerId = await createTestBorrower(api.tenant)
    await push(api.tenant, borrowerId, 5)
    await spendToken(api.tenant)
    const newest = snapshot(5).as_of
    const older = await push(api.tenant, borrowerId, 4)
    expect(older.json()).toEqual({ applied: false, as_of: newest })
    expect((await push(api.tenant, borrowerId, 5)).json()).toEqual({ applied: true, as_of: newest })
    const other = { body: snapshot(5, '7') }
    expectProblem(await api.tenant.send('PUT', target(borrowerId), other), 409, 'as_of_conflict')
  })

  test('a superseded push without a token is answered with the newest that is stored', async () => {
    await using api = await startLimited('portfolio_ingest=0.001/2')
    const borrowerId = await createTestBorrower(api.tenant)
    await push(api.tenant, borrowerId, 1)
    await spendToken(api.tenant)
    const answers = await Promise.all([2, 3, 4].map((n) => push(api.tenant, borrowerId, n)))
    const superseded = answers.filter(({ status }) => status === 200).map(({ text }) => text)
    const answer = JSON.stringify({ applied: false, as_of: snapshot(1).as_of })
    expect(superseded).toEqual([answer, answer])
  })

  test('a process that ends answers those who wait', async () => {
    const tenant = await api.addTenant()
    await spendToken(tenant)
    const [waiting] = await pushAndWait(tenant, await createTestBorrower(tenant))
    await api.app.close()
    const answer = await waiting
    expectProblem(answer, 503, 'unavailable')
    expect(answer.headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
  })
})

test('without Redis the line is served from the process’s own buckets', async () => {
  await using proxy = await startRedisProxy(await testRedisUrl())
  const RATE_LIMITS = 'money=1000/100000,portfolio_ingest=5/1'
  await using api = await startTestApi({ redisUrl: proxy.url, env: { RATE_LIMITS } })
  const borrowers = await createBorrowers(api.tenant, 4)
  await proxy.goDown()
  const answers = await Promise.all(borrowers.map((id) => push(api.tenant, id, 1)))
  expect(answers.map((answer) => answer.json())).toEqual(
    borrowers.map(() => ({ applied: true, as_of: snapshot(1).as_of })),
  )
  expect(await Promise.all(borrowers.map((id) => storedOf(api, id)))).toEqual([1, 1, 1, 1])
})
