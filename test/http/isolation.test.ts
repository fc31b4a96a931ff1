import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import { appendEvents } from '../../src/domain/events/append-event.ts'
import { createTestBorrower, startTestApi, type TestApi, type TestTenant } from '../support/api.ts'
import { expectProblem } from '../support/expect-problem.ts'

/** What the ids in a path are of, by the segment before them: here an id of none. */
const NONE: Ids = new Map([
  ['borrowers', newId('bor')],
  ['webhooks', newId('whk')],
  ['events', newId('evt')],
  ['deliveries', newId('evt')],
  ['facilities', newId('fac')],
  ['draws', newId('drw')],
  ['repayments', newId('rep')],
])

type Ids = Map<string, string>
type Operation = { method: string; path: string; body: unknown }

let api: TestApi
let operations: Operation[]
let stranger: TestTenant
let theirs: Ids
let own: Ids
beforeAll(async () => {
  api = await startTestApi()
  operations = await readOperations()
  stranger = await api.addTenant()
  theirs = await makeAll(api.tenant)
  own = await makeAll(stranger)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** One of each resource. The webhook comes first, so that the event is delivered to it. */
async function makeAll(tenant: TestTenant): Promise<Ids> {
  const registered = await tenant.send('POST', '/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/' },
  })
  const borrowerId = await createTestBorrower(tenant)
  const lent = await inTransaction(api.db, async (tx) => {
    const made = await insertLoan(tx, tenant.id, borrowerId)
    await appendEvents(tx, tenant.id, [
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrowerId },
        occurredAt: new Date(),
        data: { borrower_id: borrowerId },
      },
    ])
    return made
  })
  const eventId = (await tenant.send('GET', '/v1/events')).json().items[0].id
  return new Map([
    ['borrowers', borrowerId],
    ['webhooks', registered.json().id],
    ['events', eventId],
    ['deliveries', eventId],
    ...lent,
  ])
}

/** A facility that is open, with a draw and a repayment under way, as rows: ids are all we need. */
async function insertLoan(tx: Tx, tenantId: string, borrowerId: string) {
  const [facilityId, drawId, repaymentId] = [newId('fac'), newId('drw'), newId('rep')]
  const now = new Date()
  const facility = { tenant_id: tenantId, facility_id: facilityId }
  const amount = { asset: 'USD', amount_units: 100n, status: 'PENDING', requested_at: now } as const
  await tx
    .insertInto('facilities')
    .values({
      ...facility,
      borrower_id: borrowerId,
      state: 'APPROVED',
      limit_cents: 1_000_000n,
      rate_ppm: 100_000,
      accrued_at: now,
      created_at: now,
      updated_at: now,
      decisioned_at: now,
    })
    .execute()
  await tx
    .insertInto('draws')
    .values({ ...facility, ...amount, draw_id: drawId, debt_cents: 100n, destination: 'account' })
    .execute()
  await tx
    .insertInto('repayments')
    .values({ ...facility, ...amount, repayment_id: repaymentId })
    .execute()
  await insertEscalation(tx, facility, now)
  return [
    ['facilities', facilityId],
    ['draws', drawId],
    ['repayments', repaymentId],
  ] as const
}

/** Warning 1 and call 1 of a facility. */
async function insertEscalation(
  tx: Tx,
  facility: { tenant_id: string; facility_id: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('margin_warnings')
    .values({
      ...{ ...facility, number: 1, tier: 1, status: 'ESCALATED', ltv_at_raise: '0.710000' },
      ...{ raised_at: now, cure_deadline: now, outages_until: now, escalated_at: now },
      ...{ cure_amount_cents: 0n, cure_collateral_cents: 0n },
    })
    .execute()
  await tx
    .insertInto('margin_calls')
    .values({
      ...{ ...facility, number: 1, margin_warning_number: 1, status: 'COMPLETED' },
      ...{ outcome: 'not_needed', created_at: now, completed_at: now },
    })
    .execute()
}

/** Every operation of the API's own document, so that a new route is tested the day it comes. */
async function readOperations(): Promise<Operation[]> {
  const response = await fetch(`${api.baseUrl}/openapi.json`)
  const document = (await response.json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      // An example may lie in the future of this run.
      body: inThePast(described.requestBody?.content['application/json'].example),
    })),
  )
}

type Document = { paths: Record<string, Record<string, Described>> }
type Described = { requestBody?: { content: { 'application/json': { example?: unknown } } } }

function inThePast(example: unknown): unknown {
  const text = JSON.stringify(example) as string | undefined
  return text && JSON.parse(text.replace(/"20\d\d-[^"]*Z"/g, '"2026-06-01T00:00:00Z"'))
}

/** The segments of a path that ids follow. */
function segmentsOf(path: string): string[] {
  const named = [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].filter(([, , name]) => name !== 'number')
  return named.map(([, segment = '']) => segment)
}

function fill(path: string, idOf: (segment: string) => string): string {
  return path
    .replace('{number}', '1')
    .replace(/([^/]+)\/\{\w+\}/g, (_all, segment: string) => `${segment}/${idOf(segment)}`)
}

/** The body with every id in it of a kind that `ids` has put in place of the example's. */
function fillBody(body: unknown, ids: Ids): unknown {
  if (body === undefined) return undefined
  let text = JSON.stringify(body)
  for (const id of ids.values()) {
    text = text.replaceAll(new RegExp(`"${id.slice(0, 4)}[0-9a-z]{26}"`, 'g'), `"${id}"`)
  }
  return text
}

/** What a stranger can see of an answer, but for its own id. */
async function ask(method: string, target: string, body: unknown) {
  const answer = await stranger.send(method, target, { body })
  const problem = expectProblem(answer, 404, 'not_found')
  const { 'x-svc-request-id': requestId, date: _, ...headers } = answer.headers
  const { 'ratelimit-remaining': __, 'ratelimit-reset': ___, ...fixed } = headers
  return { problem: JSON.stringify(problem).replaceAll(String(requestId), ''), headers: fixed }
}

test('the document names routes whose paths and bodies hold ids', () => {
  expect(operations.filter(({ path }) => segmentsOf(path).length > 0).length).toBeGreaterThan(8)
})

test("every path answers to another tenant's id exactly as to an unknown one", async () => {
  for (const { method, path, body } of operations) {
    for (const foreign of segmentsOf(path)) {
      if (!NONE.has(foreign)) throw new Error(`make one of /${foreign} for this test`)
      // The stranger's own everywhere else, so that this id alone is at fault.
      const target = (ids: Ids) =>
        fill(path, (segment) => (segment === foreign ? ids : own).get(segment) ?? '')
      const [seen, unseen] = [target(theirs), target(NONE)]
      expect(await ask(method, seen, body), `${method} ${path}`).toEqual(
        await ask(method, unseen, body),
      )
    }
  }
})

test("every path with another tenant's ids throughout answers as to unknown ones", async () => {
  for (const { method, path, body } of operations) {
    if (segmentsOf(path).length === 0) continue
    const target = (ids: Ids) => fill(path, (segment) => ids.get(segment) ?? '')
    expect(await ask(method, target(theirs), fillBody(body, theirs)), `${method} ${path}`).toEqual(
      await ask(method, target(NONE), fillBody(body, NONE)),
    )
  }
})

test("every body with another tenant's id is answered as with an unknown one", async () => {
  const inBodies = operations.filter(
    ({ path, body }) =>
      segmentsOf(path).length === 0 && fillBody(body, theirs) !== fillBody(body, NONE),
  )
  expect(inBodies.map(({ path }) => path)).toContain('/v1/webhooks/simulate')
  for (const { method, path, body } of inBodies) {
    expect(await ask(method, path, fillBody(body, theirs)), `${method} ${path}`).toEqual(
      await ask(method, path, fillBody(body, NONE)),
    )
  }
})

test("no list shows another tenant's resources", async () => {
  for (const { method, path } of operations) {
    if (method !== 'GET') continue
    const answer = await stranger.send(
      'GET',
      fill(path, (segment) => own.get(segment) ?? ''),
    )
    for (const id of theirs.values()) expect(answer.text, path).not.toContain(id)
  }
})

test("what the owner's requests did is untouched by all of this", async () => {
  for (const target of [
    `/v1/borrowers/${theirs.get('borrowers')}`,
    `/v1/webhooks/${theirs.get('webhooks')}`,
    `/v1/events/${theirs.get('events')}`,
    `/v1/facilities/${theirs.get('facilities')}/margin-warnings/1`,
    `/v1/facilities/${theirs.get('facilities')}/margin-calls/1`,
  ]) {
    expect((await api.tenant.send('GET', target)).status).toBe(200)
  }
  const signatures = `/v1/borrowers/${theirs.get('borrowers')}/signatures`
  expect((await api.tenant.send('GET', signatures)).json().items).toEqual([])
})
