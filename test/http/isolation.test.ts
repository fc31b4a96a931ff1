import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { ID_PREFIXES, newId } from '../../src/core/ids.ts'
import { type Snapshot, takeSnapshot } from '../attacks/fuzz/snapshot.ts'
import { apiForFile, type TestTenant } from '../support/api/api.ts'
import { addEstate } from '../support/api/estate.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { wellFormedIds } from '../support/api/random-ids.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import { waitFor } from '../support/process/patience.ts'

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

const SEED = 20_261_122

type Ids = Map<string, string>
type Operation = { method: string; path: string; body: unknown }

const api = apiForFile()
let operations: Operation[]
let stranger: TestTenant
let theirs: Ids
let own: Ids
let before: Snapshot
beforeAll(async () => {
  operations = await readOperations()
  stranger = await api.addTenant()
  theirs = await idsOf(api.tenant)
  own = await idsOf(stranger)
  before = await takeSnapshot(api.db, api.tenant.id)
})

async function idsOf(tenant: TestTenant): Promise<Ids> {
  const estate = await addEstate(api, tenant)
  return new Map([
    ['borrowers', estate.borrowerId],
    ['webhooks', estate.webhookId],
    ['events', estate.eventId],
    ['deliveries', estate.eventId],
    ['facilities', estate.facilityId],
    ['draws', estate.drawId],
    ['repayments', estate.repaymentId],
  ])
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

test('the document names routes that have ids in paths and bodies', () => {
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

test('every path answers to any well-formed id, UUID or not and of whatever kind, as to an unknown one', async () => {
  for (const { method, path, body } of operations) {
    for (const segment of segmentsOf(path)) {
      const target = (id: string) =>
        fill(path, (one) => (one === segment ? id : own.get(one)) ?? '')
      const none = NONE.get(segment) ?? ''
      const expected = await ask(method, target(none), body)
      const rightKind = fc.sample(wellFormedIds(none.slice(0, 3)), { numRuns: 20, seed: SEED })
      const everyKind = ID_PREFIXES.flatMap((prefix) =>
        fc.sample(wellFormedIds(prefix), { numRuns: 1, seed: SEED }),
      )
      // The first and the last that the form allows.
      const bounds = [
        `${none.slice(0, 4)}${'0'.repeat(26)}`,
        `${none.slice(0, 4)}7${'z'.repeat(25)}`,
      ]
      for (const id of [...rightKind, ...everyKind, ...bounds]) {
        expect(await ask(method, target(id), body), `${method} ${target(id)}`).toEqual(expected)
      }
    }
  }
}, 60_000)

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

test('all of this has changed nothing of the owner', async () => {
  expect(before).toMatchObject({ webhooks: expect.stringMatching(/^1 /) })
  expect(await takeSnapshot(api.db, api.tenant.id)).toEqual(before)
})

test('a logged request for what another tenant has is no violation', async () => {
  const { id } = stranger
  await waitFor(async () => {
    const logged = await sql`
      SELECT FROM request_log
      WHERE tenant_id = ${id} AND resource_id = ${theirs.get('facilities')}`.execute(api.db)
    expect(logged.rows).not.toEqual([])
  })
  const found = await findViolations(api.db, id)
  expect(found.filter(({ check }) => check === 'rows-of-their-tenant')).toEqual([])
})
