import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { listChecks } from '../../src/domain/onboarding/reviews.ts'
import { continueAdvance } from '../../src/domain/work/advance-clock.ts'
import {
  type DeadlineHandler,
  type DeadlineHandlers,
  setDeadline,
} from '../../src/domain/work/deadlines.ts'
import type { DeadlineTopic } from '../../src/domain/work/topics.ts'
import { apiForFile, createTestBorrower, startTestApi, type TestKey } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { evaluate } from '../support/lending/onboarding.ts'
import { LIVE } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'

const handled: { tenantId: string; subjectId: string; now: Date }[] = []
const note: DeadlineHandler = async (_db, { tenantId, subjectId }, { now }) => {
  handled.push({ tenantId, subjectId, now })
}
let hasBroken = false
const breakOnce: DeadlineHandler = async () => {
  if (hasBroken) return
  hasBroken = true
  throw new Error('the first run breaks off')
}
/** By how much the service's clock has been set ahead, as if time had passed. */
let slownessMs = 0
const takeLong: DeadlineHandler = async () => {
  slownessMs += 21_000
}
const deadlineHandlers: DeadlineHandlers = new Map<DeadlineTopic, DeadlineHandler>([
  ['evaluate-tenant', note],
  ['decide-facility', breakOnce],
  ['expire-repayment', takeLong],
])
const clock = () => addMs(new Date(), slownessMs)
const api = apiForFile({ deadlineHandlers, clock })

/** Without a key where one may be left out, which is everywhere but on the clock. */
const post = (key: TestKey, control: string, body: unknown, idempotencyKey?: string) => {
  const unasked = control === 'clock' ? randomUUID() : null
  return key.send('POST', `/v1/sandbox/${control}`, {
    body,
    idempotencyKey: idempotencyKey ?? unasked,
  })
}

const list = async (key: TestKey) => (await key.send('GET', '/v1/sandbox/prices')).json()
const market = [
  { asset: 'BTC', price_usd: '100000', source: 'market' },
  { asset: 'ETH', price_usd: '4000', source: 'market' },
  { asset: 'USDC', price_usd: '1', source: 'market' },
]

test('the list of sandbox prices shows what the tenant sees, and what of it the tenant has set', async () => {
  const [tenant, other] = [await api.addTenant(), await api.addTenant()]
  expect(await list(tenant)).toEqual({ items: market })
  await post(tenant, 'prices', { asset: 'BTC', price_usd: '70000.5' })
  const [, ...rest] = market
  const set = { asset: 'BTC', price_usd: '70000.5', source: 'tenant' }
  expect(await list(tenant)).toEqual({ items: [set, ...rest] })
  expect(await list(other)).toEqual({ items: market })
  await post(tenant, 'prices', { asset: 'BTC', price_usd: null })
  expect(await list(tenant)).toEqual({ items: market })
})

test('the list of sandbox prices shows a price set to the market’s as the tenant’s', async () => {
  const tenant = await api.addTenant()
  await post(tenant, 'prices', { asset: 'ETH', price_usd: '4000' })
  expect((await list(tenant)).items[1]).toMatchObject({ price_usd: '4000', source: 'tenant' })
})

const setPrice = (key: TestKey, asset: string, price_usd: string | null) =>
  post(key, 'prices', { asset, price_usd })

async function seen(tenantId: string) {
  const { db, prices, clock } = api.resources
  const latest = await prices.latest(db, tenantId, clock())
  return Object.fromEntries([...latest].map(([asset, { price }]) => [asset, price]))
}
const MARKET = { USD: 10n ** 8n, USDC: 10n ** 8n, BTC: 10n ** 13n, ETH: 4n * 10n ** 11n }

test('one tenant’s sandbox price is its own, until it returns to the market', async () => {
  const [mine, theirs] = [await api.addTenant(), await api.addTenant()]
  const answer = await setPrice(mine, 'BTC', '70000.12345678')
  expect([answer.status, answer.json()]).toEqual([
    200,
    { asset: 'BTC', price_usd: '70000.12345678' },
  ])
  await setPrice(mine, 'BTC', '70000.5')
  expect(await seen(mine.id)).toEqual({ ...MARKET, BTC: 7_000_050_000_000n })
  expect(await seen(theirs.id)).toEqual(MARKET)
  const back = await setPrice(mine, 'BTC', null)
  expect(back.json()).toEqual({ asset: 'BTC', price_usd: '100000' })
  expect(await seen(mine.id)).toEqual(MARKET)
})

test('prices are fresh at any time that the clock shows', async () => {
  const { db, prices } = api.resources
  const future = new Date('2031-01-01T00:00:00Z')
  const latest = await prices.latest(db, api.tenant.id, future)
  expect([...latest.values()].map(({ at }) => at)).toEqual(Array(4).fill(future))
})

test.each([
  ['USD', '1.01', '/asset'],
  ['DOGE', '1', '/asset'],
  ['BTC', '0', '/price_usd'],
  ['BTC', '-1', '/price_usd'],
  ['BTC', '1.123456789', '/price_usd'],
  ['BTC', '1e5', '/price_usd'],
])('the sandbox price %s at %s is refused', async (asset, price, pointer) => {
  const { errors = [] } = expectProblem(
    await setPrice(api.tenant, asset, price),
    422,
    'validation_failed',
  )
  expect(errors.map((error) => error.pointer)).toEqual([pointer])
})

const readClock = async (key: TestKey) =>
  new Date((await key.send('GET', '/v1/sandbox/clock')).json().now).getTime()
const advance = (key: TestKey, advance_seconds: number, idempotencyKey?: string) =>
  post(key, 'clock', { advance_seconds }, idempotencyKey)

test("the sandbox's clock moves one tenant's time and no other's", async () => {
  const [mine, theirs] = [await api.addTenant(), await api.addTenant()]
  const before = await readClock(mine)
  const answer = await advance(mine, 400 * 86_400)
  expect(answer.status).toBe(200)
  expect(new Date(answer.json().now).getTime()).toBeGreaterThanOrEqual(before + 400 * 86_400_000)
  expect(await readClock(mine)).toBeGreaterThanOrEqual(new Date(answer.json().now).getTime())
  expect(await readClock(theirs)).toBeLessThan(before + HOUR_MS)
  expect((await createAt(mine)).getTime()).toBeGreaterThan(before + 400 * 86_400_000)
  expect((await createAt(theirs)).getTime()).toBeLessThan(before + HOUR_MS)
})

async function createAt(key: TestKey): Promise<Date> {
  const borrower = await key.send('GET', `/v1/borrowers/${await createTestBorrower(key)}`)
  return new Date(borrower.json().created_at)
}

test('what falls due on the way has happened, in order and at its instant, when it answers', async () => {
  const tenant = await api.addTenant()
  const start = await readClock(tenant)
  const dueAt = (hours: number) => addMs(new Date(start), hours * HOUR_MS)
  await inTransaction(api.db, async (tx) => {
    for (const hours of [3, 1, 30, 2]) {
      await setDeadline(tx, tenant.id, 'evaluate-tenant', {
        subjectId: `h${hours}`,
        dueAt: dueAt(hours),
      })
    }
  })
  await advance(tenant, 86_400)
  const mine = handled.filter(({ tenantId }) => tenantId === tenant.id)
  expect(mine).toEqual(
    [1, 2, 3].map((hours) => ({
      tenantId: tenant.id,
      subjectId: `h${hours}`,
      now: dueAt(hours),
    })),
  )
})

test('a retry under the same key is answered from the record and does not move it again', async () => {
  const tenant = await api.addTenant()
  const key = randomUUID()
  const first = await advance(tenant, 86_400, key)
  const retry = await advance(tenant, 86_400, key)
  expect(retry.headers['idempotent-replayed']).toBe('true')
  expect(retry.text).toBe(first.text)
  const drift = (await readClock(tenant)) - new Date(first.json().now).getTime()
  expect(drift).toBeLessThan(HOUR_MS)
})

test('a retry beside the request, or after it broke off, goes to the same instant', async () => {
  const tenant = await api.addTenant()
  const start = await readClock(tenant)
  const halfway = addMs(new Date(start), 12 * HOUR_MS)
  const once = { subjectId: 'once', dueAt: halfway }
  await inTransaction(api.db, (tx) => setDeadline(tx, tenant.id, 'decide-facility', once))
  const key = randomUUID()
  expectProblem(await advance(tenant, 86_400, key), 500, 'internal')
  expect(await readClock(tenant)).toBeGreaterThanOrEqual(halfway.getTime())

  const retries = await Promise.all([1, 2, 3].map(() => advance(tenant, 86_400, key)))
  const statuses = retries.map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  await untilNothingNoted(tenant)
  const moved = (await readClock(tenant)) - start
  expect(moved).toBeGreaterThanOrEqual(24 * HOUR_MS)
  expect(moved).toBeLessThan(25 * HOUR_MS)
})

test.each([1, 2, 3, 4])(
  "one of several requests at once under one key moves the sandbox's clock, by what it was asked (%i)",
  async () => {
    const tenant = await api.addTenant()
    const start = await readClock(tenant)
    const key = randomUUID()
    const asked = [60, ...Array.from({ length: 8 }, (_, at) => (at + 1) * 86_400), 60]
    const answers = await Promise.all(asked.map((seconds) => advance(tenant, seconds, key)))
    const accepted = asked.filter((_, at) => answers[at]?.status === 200)
    expect(new Set(accepted).size).toBe(1)
    const moved = (await readClock(tenant)) - start
    expect(moved).toBeGreaterThanOrEqual((accepted[0] ?? 0) * 1_000)
    expect(moved).toBeLessThan((accepted[0] ?? 0) * 1_000 + HOUR_MS)
  },
)

test('a key that belongs to another request records no target', async () => {
  const tenant = await api.addTenant()
  const key = randomUUID()
  await advance(tenant, 60, key)
  expectProblem(await advance(tenant, 61, key), 422, 'idempotency_key_reused')
  await untilNothingNoted(tenant)
})

/** An answer from the record goes out before its note is dropped. */
async function untilNothingNoted({ id }: { id: string }): Promise<void> {
  const noted = api.db.selectFrom('clock_advances').selectAll().where('tenant_id', '=', id)
  await waitFor(async () => expect(await noted.execute()).toEqual([]))
}

test('an advance that takes longer than 20 s is answered 202 with the target, which GET shows until it is reached', async () => {
  const tenant = await api.addTenant()
  const start = new Date(await readClock(tenant))
  const hours = (count: number) => addMs(start, count * HOUR_MS)
  await inTransaction(api.db, async (tx) => {
    for (const hour of [1, 2]) {
      const slow = { subjectId: `slow${hour}`, dueAt: hours(hour) }
      await setDeadline(tx, tenant.id, 'expire-repayment', slow)
    }
  })
  const key = randomUUID()
  const answer = await advance(tenant, 86_400, key)
  expect(answer.status).toBe(202)
  const { now, goal } = answer.json()
  expect(new Date(now).getTime()).toBeLessThan(hours(2).getTime())
  expect(new Date(goal).getTime()).toBeGreaterThanOrEqual(hours(24).getTime())

  expect((await tenant.send('GET', '/v1/sandbox/clock')).json().goal).toBe(goal)
  expectProblem(await advance(tenant, 60), 409, 'clock_advancing')
  expect((await advance(tenant, 86_400, key)).text).toBe(answer.text)

  while (!(await continueAdvance(api.resources, tenant.id)).done);
  const later = (await tenant.send('GET', '/v1/sandbox/clock')).json()
  expect(later.goal).toBeUndefined()
  expect(new Date(later.now).getTime()).toBeGreaterThanOrEqual(new Date(goal).getTime())
  expect((await advance(tenant, 60)).status).toBe(200)
})

test.each([-1, 0.5, 400 * 86_400 + 1, '60'])(
  'an advance of %j seconds is refused',
  async (seconds) => {
    const answer = await post(api.tenant, 'clock', { advance_seconds: seconds })
    expectProblem(answer, 422, 'validation_failed')
  },
)

test('signatures of requests stay on real time', async () => {
  const tenant = await api.addTenant()
  await advance(tenant, 86_400)
  expect((await tenant.send('GET', '/v1/sandbox/clock')).status).toBe(200)
})

async function signed(key: TestKey & { id: string }, tag: string): Promise<string> {
  const borrowerId = await createTestBorrower(key)
  const body = {
    full_name: 'Ada Lovelace',
    email: `ada+${tag}@example.com`,
    ip_address: '203.0.113.9',
    signed_at: api.resources.clock().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  }
  await key.send('POST', `/v1/borrowers/${borrowerId}/signatures`, { body })
  await evaluate(api.db, key.id, borrowerId)
  return borrowerId
}
const decide = (key: TestKey, borrowerId: string, outcome: string) =>
  post(key, `borrowers/${borrowerId}/compliance`, { outcome })
const statuses = async (borrowerId: string) =>
  (await listChecks(api.db, api.tenant.id, borrowerId)).map(({ status }) => status).sort()
const isEligible = async (borrowerId: string) =>
  (await api.tenant.send('GET', `/v1/borrowers/${borrowerId}`)).json().eligible

test.each(['review', 'slow', 'fail'])(
  'a pass ends what "+%s" has begun, and makes the borrower eligible',
  async (tag) => {
    const borrowerId = await signed(api.tenant, tag)
    expect(await isEligible(borrowerId)).toBe(false)
    const answer = await decide(api.tenant, borrowerId, 'pass')
    expect([answer.status, answer.json()]).toEqual([200, { decided: 1 }])
    await evaluate(api.db, api.tenant.id, borrowerId)
    expect(await isEligible(borrowerId)).toBe(true)
  },
)

test('a pending check goes to review, from there to failed, and no provider answers it later', async () => {
  const borrowerId = await signed(api.tenant, 'slow')
  expect(await statuses(borrowerId)).toEqual(['passed', 'pending'])
  await decide(api.tenant, borrowerId, 'review')
  expect(await statuses(borrowerId)).toEqual(['passed', 'review'])
  await decide(api.tenant, borrowerId, 'fail')
  await evaluate(api.db, api.tenant.id, borrowerId, {
    clock: () => addMs(api.resources.clock(), HOUR_MS),
  })
  expect(await statuses(borrowerId)).toEqual(['failed', 'passed'])
  expect(await isEligible(borrowerId)).toBe(false)
})

test('a decision where there is nothing to decide is refused and changes nothing', async () => {
  const unsigned = await createTestBorrower(api.tenant)
  expectProblem(await decide(api.tenant, unsigned, 'pass'), 404, 'not_found')
  const passed = await signed(api.tenant, 'ok')
  expectProblem(await decide(api.tenant, passed, 'fail'), 404, 'not_found')
  expect(await isEligible(passed)).toBe(true)
})

const chosen = async (tenantId: string) =>
  await api.db
    .selectFrom('sandbox_providers')
    .select(['provider', 'next'])
    .where('tenant_id', '=', tenantId)
    .orderBy('provider')
    .execute()

test('how each provider answers is chosen for one tenant, and can be chosen again', async () => {
  const [mine, theirs] = [await api.addTenant(), await api.addTenant()]
  for (const next of ['fail', 'delay', 'succeed']) {
    const answer = await post(mine, 'custodian', { next })
    expect([answer.status, answer.json()]).toEqual([200, { next }])
  }
  await post(mine, 'payments', { next: 'delay' })
  expect(await chosen(mine.id)).toEqual([
    { provider: 'custodian', next: 'succeed' },
    { provider: 'payments', next: 'delay' },
  ])
  expect(await chosen(theirs.id)).toEqual([])
  expectProblem(await post(mine, 'payments', { next: 'maybe' }), 422, 'validation_failed')
})

const CONTROLS = [
  ['GET', 'prices', undefined],
  ['POST', 'prices', { asset: 'BTC', price_usd: null }],
  ['GET', 'clock', undefined],
  ['POST', 'clock', { advance_seconds: 0 }],
  ['POST', 'borrowers/bor_1/compliance', { outcome: 'pass' }],
  ['POST', 'custodian', { next: 'succeed' }],
  ['POST', 'payments', { next: 'succeed' }],
] as const

test('on live every control answers 404 sandbox_only, at the price of a simulation', async () => {
  await using live = await startTestApi({
    env: { ...LIVE, RATE_LIMITS: '' },
  })
  for (const [method, name, body] of CONTROLS) {
    const answer = await live.tenant.send(method, `/v1/sandbox/${name}`, { body })
    expectProblem(answer, 404, 'sandbox_only')
    expect(answer.headers['ratelimit-limit']).toBe('10')
  }
  // A method that they do not have reveals no more of them.
  const tenant = await live.addTenant()
  for (const path of ['sandbox/clock', 'sandbox/custodian', 'webhooks/simulate']) {
    expectProblem(await tenant.send('PUT', `/v1/${path}`), 404, 'sandbox_only')
  }
})
