import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/time.ts'
import { apiForFile, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { deliverDue } from '../support/deliveries/deliver-due.ts'
import { addEvents } from '../support/deliveries/deliveries.ts'
import { type Endpoint, startEndpoint } from '../support/servers/endpoint.ts'

let aheadMs = 0
const api = apiForFile({ clock: () => new Date(Date.now() + aheadMs) })

/** A tenant with one webhook, to an endpoint that answers `status()` with these headers. */
async function openSubscriber(status: () => number, headers: Record<string, string> = {}) {
  const endpoint = await startEndpoint(() => ({ status: status(), headers }))
  const tenant = await api.addTenant()
  const registered = await tenant.send('POST', '/v1/webhooks', { body: { url: endpoint.url } })
  const id: string = registered.json().id
  return {
    tenant,
    endpoint,
    id,
    path: `/v1/webhooks/${id}`,
    deliver: () => deliverDue(api.resources, tenant.id, id),
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  }
}

const list = async (tenant: TestTenant, path: string, query = '') =>
  (await tenant.send('GET', `${path}/deliveries${query}`)).json()

const retry = (tenant: TestTenant, path: string, eventId: string) =>
  tenant.send('POST', `${path}/deliveries/${eventId}/retry`)

const numbersOf = (delivery: { attempts: { number: number }[] }) =>
  delivery.attempts.map(({ number }) => number)

const countedFailures = async (tenant: TestTenant, path: string) =>
  (await tenant.send('GET', path)).json().consecutive_failed_attempts

const attemptsSeen = (endpoint: Endpoint) => endpoint.seen.map(({ attempt }) => attempt)

/** Six failures, with pauses as long as the schedule can have. */
async function deadLetter({ deliver }: { deliver: () => Promise<void> }): Promise<void> {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await deliver()
    aheadMs += 7 * HOUR_MS
  }
}

test('the delivery list shows deliveries newest event first, each with its attempts', async () => {
  let status = 500
  await using subscriber = await openSubscriber(() => status)
  const { tenant, path, id, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  status = 202
  await addEvents(api.db, tenant.id, 1)
  await deliver()

  const page = await list(tenant, path)
  const [newer, older] = (await tenant.send('GET', '/v1/events')).json().items.reverse()
  const attempt = {
    number: 1,
    at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    duration_ms: expect.any(Number),
    response_excerpt: '',
    requested: false,
  }
  expect(page).toEqual({
    items: [
      {
        webhook_id: id,
        event_id: newer.id,
        event_type: 'borrower.eligible',
        state: 'delivered',
        attempts: [{ ...attempt, status: 202 }],
      },
      {
        webhook_id: id,
        event_id: older.id,
        event_type: 'borrower.eligible',
        state: 'pending',
        next_attempt_at: expect.stringMatching(/Z$/),
        attempts: [{ ...attempt, status: 500 }],
      },
    ],
    has_more: false,
  })
  const [, pending] = page.items
  const waitMs = Date.parse(pending.next_attempt_at) - Date.parse(pending.attempts[0].at)
  expect(waitMs).toBeGreaterThanOrEqual(60_000)
  expect(await countedFailures(tenant, path)).toBe(0)
})

test.each([429, 503])(
  'the Retry-After of a %i puts next_attempt_at off, at most to the next wait of the schedule',
  async (status) => {
    for (const [seconds, waitMs] of [
      ['200', 200_000],
      ['86400', 300_000],
    ] as const) {
      await using subscriber = await openSubscriber(() => status, { 'retry-after': seconds })
      const { tenant, path, deliver } = subscriber
      await addEvents(api.db, tenant.id, 1)
      await deliver()
      const [{ next_attempt_at: nextAt, attempts }] = (await list(tenant, path)).items
      const [{ at, duration_ms: durationMs }] = attempts
      const sinceAnswer = Date.parse(nextAt) - Date.parse(at) - durationMs
      // Start and end are rounded to the millisecond, each on a clock of its own.
      expect(Math.abs(sinceAnswer - waitMs)).toBeLessThan(1_000)
    }
  },
)

test('the delivery list gives the reason where no answer came, and no status', async () => {
  await using subscriber = await openSubscriber(() => 204)
  const { tenant, path, endpoint, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await endpoint[Symbol.asyncDispose]()
  await deliver()
  const [{ attempts }] = (await list(tenant, path)).items
  expect(attempts).toEqual([expect.objectContaining({ number: 1, error: 'connect' })])
  expect(attempts[0]).not.toHaveProperty('status')
})

test('the delivery list is read by state, page by page', async () => {
  let status = 204
  await using subscriber = await openSubscriber(() => status)
  const { tenant, path, deliver } = subscriber
  await addEvents(api.db, tenant.id, 5)
  await deliver()
  status = 500
  await addEvents(api.db, tenant.id, 1)
  await deadLetter(subscriber)
  await addEvents(api.db, tenant.id, 1)

  const statesOf = async (query: string) =>
    (await list(tenant, path, query)).items.map(({ state }: { state: string }) => state)
  expect(await statesOf('?state=pending')).toEqual(['pending'])
  expect(await statesOf('?state=dead_lettered')).toEqual(['dead_lettered'])
  expect(await statesOf('?state=cancelled')).toEqual([])
  expect((await tenant.send('GET', `${path}/deliveries?state=lost`)).status).toBe(422)

  const seen: string[] = []
  let query = '?state=delivered&limit=2'
  const pageLengths: number[] = []
  for (;;) {
    const page = await list(tenant, path, query)
    seen.push(...page.items.map((item: { event_id: string }) => item.event_id))
    pageLengths.push(page.items.length)
    if (!page.has_more) {
      expect(page).not.toHaveProperty('next_cursor')
      break
    }
    query = `?state=delivered&limit=2&from=${page.next_cursor}`
  }
  expect(pageLengths).toEqual([2, 2, 1])
  const { items } = (await tenant.send('GET', '/v1/events?limit=5')).json()
  expect(seen).toEqual(items.map((item: { id: string }) => item.id).reverse())
})

test('a requested retry of a pending delivery is made at once, has the next number and leaves the schedule', async () => {
  await using subscriber = await openSubscriber(() => 500)
  const { tenant, path, endpoint, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  const [before] = (await list(tenant, path)).items
  const answer = await retry(tenant, path, before.event_id)
  expect([answer.status, answer.json()]).toEqual([200, before])
  await deliver()

  const [after] = (await list(tenant, path)).items
  expect(after).toEqual({
    ...before,
    attempts: [expect.objectContaining({ number: 2, requested: true }), ...before.attempts],
  })
  expect(attemptsSeen(endpoint)).toEqual([1, 2])
  expect(await countedFailures(tenant, path)).toBe(2)
})

test('a requested retry of a dead letter delivers it when it succeeds, and leaves it dead when it fails', async () => {
  let status = 500
  await using subscriber = await openSubscriber(() => status)
  const { tenant, path, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deadLetter(subscriber)
  const [dead] = (await list(tenant, path)).items
  expect([dead.state, numbersOf(dead)]).toEqual(['dead_lettered', [6, 5, 4, 3, 2, 1]])
  expect(dead).not.toHaveProperty('next_attempt_at')

  expect((await retry(tenant, path, dead.event_id)).status).toBe(200)
  await deliver()
  const [failed] = (await list(tenant, path)).items
  expect([failed.state, numbersOf(failed)]).toEqual(['dead_lettered', [7, 6, 5, 4, 3, 2, 1]])

  status = 200
  await retry(tenant, path, dead.event_id)
  await deliver()
  const [delivered] = (await list(tenant, path)).items
  expect([delivered.state, numbersOf(delivered)[0]]).toEqual(['delivered', 8])
  expect(await countedFailures(tenant, path)).toBe(0)
})

test('a requested retry of a delivered one posts it again and leaves it delivered when that fails', async () => {
  let status = 204
  await using subscriber = await openSubscriber(() => status)
  const { tenant, path, endpoint, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  const [{ event_id: eventId }] = (await list(tenant, path)).items
  status = 500
  await retry(tenant, path, eventId)
  await deliver()
  const [delivery] = (await list(tenant, path)).items
  expect([delivery.state, numbersOf(delivery)]).toEqual(['delivered', [2, 1]])
  expect(await countedFailures(tenant, path)).toBe(1)
  expect(new Set(endpoint.seen.map(({ rawBody }) => rawBody)).size).toBe(1)
})

test('a retry that is requested twice before it runs is one attempt', async () => {
  await using subscriber = await openSubscriber(() => 204)
  const { tenant, path, endpoint, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  const [{ event_id: eventId }] = (await list(tenant, path)).items
  await retry(tenant, path, eventId)
  await retry(tenant, path, eventId)
  await deliver()
  await deliver()
  expect(attemptsSeen(endpoint)).toEqual([1, 2])
})

test('a requested retry is refused while an attempt is under way', async () => {
  const gate = Promise.withResolvers<number>()
  await using endpoint = await startEndpoint(async () => ({ status: await gate.promise }))
  const tenant = await api.addTenant()
  const registered = await tenant.send('POST', '/v1/webhooks', { body: { url: endpoint.url } })
  const path = `/v1/webhooks/${registered.json().id}`
  await addEvents(api.db, tenant.id, 1)
  const delivering = deliverDue(api.resources, tenant.id, registered.json().id)
  await expect.poll(() => endpoint.seen.length).toBe(1)

  const eventId = endpoint.seen[0]?.eventId ?? ''
  const response = await retry(tenant, path, eventId)
  expect([response.status, response.json().code]).toEqual([409, 'delivery_in_progress'])
  // By then it has ended, however it ends: its deadline of 15 s, 2 s to begin and 1 s to record it.
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(10)
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(20)
  gate.resolve(204)
  await delivering
  expect((await retry(tenant, path, eventId)).status).toBe(200)
})

test('a requested retry is refused on a disabled webhook', async () => {
  await using subscriber = await openSubscriber(() => 500)
  const { tenant, path, deliver } = subscriber
  await addEvents(api.db, tenant.id, 100)
  await deliver()
  const [{ event_id: eventId }] = (await list(tenant, path, '?limit=1')).items
  const response = await retry(tenant, path, eventId)
  expect([response.status, response.json().code]).toEqual([409, 'webhook_disabled'])
})

const attemptsOf = async (tenant: TestTenant, path: string, eventId: string, query = '') =>
  await tenant.send('GET', `${path}/deliveries/${eventId}/attempts${query}`)

test('the attempts of a delivery are shown newest first, 20 within the delivery and all of them in pages', async () => {
  await using subscriber = await openSubscriber(() => 204)
  const { tenant, path, deliver } = subscriber
  await addEvents(api.db, tenant.id, 2)
  await deliver()
  const [{ event_id: eventId }, { event_id: other }] = (await list(tenant, path)).items
  for (let retries = 0; retries < 24; retries += 1) {
    expect((await retry(tenant, path, eventId)).status).toBe(200)
    await deliver()
  }
  const newest = Array.from({ length: 20 }, (_, index) => 25 - index)
  const [delivery] = (await list(tenant, path)).items
  expect(numbersOf(delivery)).toEqual(newest)
  const event = (await tenant.send('GET', `/v1/events/${eventId}`)).json()
  expect(numbersOf(event.deliveries[0])).toEqual(newest)

  const first = (await attemptsOf(tenant, path, eventId, '?limit=20')).json()
  expect(first.items).toEqual(delivery.attempts)
  const from = `?limit=20&from=${first.next_cursor}`
  const second = (await attemptsOf(tenant, path, eventId, from)).json()
  expect(second.items.map(({ number }: { number: number }) => number)).toEqual([5, 4, 3, 2, 1])
  expect(second.has_more).toBe(false)
  expectProblem(await attemptsOf(tenant, path, other, from), 400, 'cursor_invalid')
})

test('the attempts of a delivery can be read a hundred times, however many reads come at once', async () => {
  await using subscriber = await openSubscriber(() => 204)
  const { tenant, path, id, deliver } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  const [{ event_id: eventId }] = (await list(tenant, path)).items
  await sql`
    INSERT INTO delivery_attempts
    SELECT (jsonb_populate_record(a, jsonb_build_object('number', n, 'requested', true))).*
    FROM delivery_attempts a CROSS JOIN generate_series(2, 100) AS n
    WHERE a.webhook_id = ${id}`.execute(api.db)
  await sql`UPDATE deliveries SET attempts = 100 WHERE webhook_id = ${id}`.execute(api.db)

  // 99 were made: those that ask at once ask for the one that is left.
  const asked = await Promise.all([1, 2, 3].map(() => retry(tenant, path, eventId)))
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
  await deliver()
  const refused = await retry(tenant, path, eventId)
  expectProblem(refused, 409, 'limit_reached')
  await deliver()
  const { items } = (await attemptsOf(tenant, path, eventId, '?limit=500')).json()
  expect(items.filter(({ requested }: { requested: boolean }) => requested)).toHaveLength(100)
})
