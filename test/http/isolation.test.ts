import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { appendEvents } from '../../src/domain/events/append-event.ts'
import { createTestBorrower, startTestApi, type TestApi, type TestTenant } from '../support/api.ts'
import { expectProblem } from '../support/expect-problem.ts'

/** What a path names after a segment: how one is made for a tenant, and an id of none. */
const RESOURCES: Record<string, { make: (tenant: TestTenant) => Promise<string>; none: string }> = {
  borrowers: { make: createTestBorrower, none: newId('bor') },
  webhooks: { make: createWebhook, none: newId('whk') },
  events: { make: findEvent, none: newId('evt') },
  deliveries: { make: findEvent, none: newId('evt') },
}

/** For operations whose example the document does not show. */
const BODIES: Record<string, unknown> = {
  'post /v1/borrowers/{borrower_id}/signatures': {
    full_name: 'Ada Lovelace',
    email: 'ada@example.com',
    ip_address: '203.0.113.9',
    signed_at: '2026-01-01T00:00:00Z',
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  },
}

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

const none: Ids = new Map(Object.entries(RESOURCES).map(([segment, { none: id }]) => [segment, id]))

/** One of each resource. Webhooks come first, so that the event is delivered to one. */
async function makeAll(tenant: TestTenant): Promise<Ids> {
  const webhook = await createWebhook(tenant)
  const borrower = await createTestBorrower(tenant)
  await inTransaction(api.db, (tx) =>
    appendEvents(tx, tenant.id, [
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrower },
        occurredAt: new Date(),
        data: { borrower_id: borrower },
      },
    ]),
  )
  const event = await findEvent(tenant)
  const made = { borrowers: borrower, webhooks: webhook, events: event, deliveries: event }
  const others = Object.entries(RESOURCES).filter(([segment]) => !(segment in made))
  const rest = others.map(async ([segment, { make }]) => [segment, await make(tenant)] as const)
  return new Map([...Object.entries(made), ...(await Promise.all(rest))])
}

async function createWebhook(tenant: TestTenant): Promise<string> {
  const response = await tenant.send('POST', '/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/' },
  })
  return response.json().id
}

async function findEvent(tenant: TestTenant): Promise<string> {
  return (await tenant.send('GET', '/v1/events')).json().items[0].id
}

/** Every operation of the API's own document, so that a new route is tested the day it comes. */
async function readOperations(): Promise<Operation[]> {
  const response = await fetch(`${api.baseUrl}/openapi.json`)
  const document = (await response.json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      body:
        described.requestBody?.content['application/json'].example ?? BODIES[`${method} ${path}`],
    })),
  )
}

type Document = { paths: Record<string, Record<string, Described>> }
type Described = { requestBody?: { content: { 'application/json': { example?: unknown } } } }

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
      if (!RESOURCES[foreign]) throw new Error(`say in RESOURCES how to make one of /${foreign}`)
      // The stranger's own everywhere else, so that this id alone is at fault.
      const target = (ids: Ids) =>
        fill(path, (segment) => (segment === foreign ? ids : own).get(segment) ?? '')
      const [seen, unseen] = [target(theirs), target(none)]
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
      await ask(method, target(none), fillBody(body, none)),
    )
  }
})

test("every body with another tenant's id is answered as with an unknown one", async () => {
  const inBodies = operations.filter(
    ({ path, body }) =>
      segmentsOf(path).length === 0 && fillBody(body, theirs) !== fillBody(body, none),
  )
  expect(inBodies.map(({ path }) => path)).toContain('/v1/webhooks/simulate')
  for (const { method, path, body } of inBodies) {
    expect(await ask(method, path, fillBody(body, theirs)), `${method} ${path}`).toEqual(
      await ask(method, path, fillBody(body, none)),
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
  ]) {
    expect((await api.tenant.send('GET', target)).status).toBe(200)
  }
  const signatures = `/v1/borrowers/${theirs.get('borrowers')}/signatures`
  expect((await api.tenant.send('GET', signatures)).json().items).toEqual([])
})
