import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import type { WorkTopic } from '../../src/domain/work/topics.ts'
import { scheduleWorks } from '../../src/domain/work/work.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { signCallback, startVendors, type VendorServer } from '../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const LATER = addMs(NOW, HOUR_MS)

let owned: AsyncDisposableStack
let vendors: VendorServer
let api: TestApi
let drawId: string
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  vendors = owned.use(await startVendors(() => NOW))
  const { KYC_CALLBACK_SECRETS: old } = vendors.environment
  const env = {
    ...vendors.environment,
    KYC_CALLBACK_SECRETS: `${randomBytes(32).toString('hex')},${old}`,
  }
  api = owned.use(await startTestApi({ env, clock: () => NOW }))
})
afterAll(() => owned.disposeAsync())
beforeEach(async () => {
  drawId = newId('drw')
  await addWaitingWork('release-draw', drawId)
})

/** Work that waits for an hour. */
async function addWaitingWork(topic: WorkTopic, subjectId: string, tenantId = api.tenant.id) {
  const work = { topic, subjectId, dueAt: LATER }
  await inTransaction(api.db, (tx) => scheduleWorks(tx, tenantId, [work]))
}

async function readWork(subjectId: string, tenantId = api.tenant.id) {
  return await api.db
    .selectFrom('work')
    .select(['topic', 'due_at', 'generation', 'lease'])
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', subjectId)
    .execute()
}

type Change = Parameters<typeof fetch>[1] & { target?: string }
const good = () => signCallback(NOW, 'payments', { tenantId: api.tenant.id, callId: drawId })

async function post(change: (given: ReturnType<typeof good>) => Change = () => ({})) {
  const given = good()
  const { target = given.target, ...rest } = change(given)
  const { body, headers } = given
  const response = await fetch(`${api.baseUrl}${target}`, {
    method: 'POST',
    body,
    headers,
    ...rest,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

const call = (callId: string, id?: string, tenantId = api.tenant.id) =>
  vendors.callBack(api.baseUrl, 'payments', { tenantId, callId, ...(id && { id }) })

test('a callback makes the work that waits for its call due now, and changes nothing else', async () => {
  expect(await call(drawId)).toEqual({ status: 200, body: { outcome: 'accepted' } })
  expect(await readWork(drawId)).toMatchObject([{ topic: 'release-draw', due_at: NOW }])
  expect(await api.db.selectFrom('events').selectAll().execute()).toEqual([])
})

test('a callback that comes twice under its id counts once', async () => {
  const id = newId('evt')
  await call(drawId, id)
  const [before] = await readWork(drawId)
  expect(await call(drawId, id)).toEqual({ status: 200, body: { outcome: 'duplicate' } })
  expect(await readWork(drawId)).toEqual([before])
  const kyc = { tenantId: api.tenant.id, callId: newId('chk'), id }
  const other = await vendors.callBack(api.baseUrl, 'kyc', kyc)
  expect(other.body).toEqual({ outcome: 'ignored' })
})

test('a callback that comes twenty times at once counts once', async () => {
  const id = newId('evt')
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(drawId, id)))
  const outcomes = answers.map(({ body }) => String(body.outcome)).sort()
  expect(outcomes).toEqual(['accepted', ...Array(19).fill('duplicate')])
  expect(await readWork(drawId)).toMatchObject([{ generation: 2n }])
})

test('a callback makes running work due again at its end, and leaves it its lease', async () => {
  const lease = crypto.randomUUID()
  const running = api.db.updateTable('work').set({ lease }).where('subject_id', '=', drawId)
  await running.execute()
  await call(drawId)
  expect(await readWork(drawId)).toEqual([
    { topic: 'release-draw', due_at: NOW, generation: 2n, lease },
  ])
})

test('a callback about a floor makes the draws that raise it due too', async () => {
  const facilityId = newId('fac')
  await addWaitingWork('push-floor', facilityId)
  await addWaitingWork('release-lien', facilityId)
  const callback = { tenantId: api.tenant.id, callId: `${facilityId}.floor.1` }
  await vendors.callBack(api.baseUrl, 'custodian', callback)
  expect(await readWork(facilityId)).toMatchObject([
    { topic: 'push-floor', due_at: NOW },
    { topic: 'release-lien', due_at: LATER },
  ])
})

test('a callback that nothing waits for is taken and ignored, and asks for no work', async () => {
  for (const callId of [newId('drw'), 'no.call.of.ours', `${newId('rfd')}.0`]) {
    expect(await call(callId)).toEqual({ status: 200, body: { outcome: 'ignored' } })
    expect(await readWork(callId)).toEqual([])
  }
})

test('a callback reaches the work of its tenant alone', async () => {
  const other = await api.addTenant()
  await addWaitingWork('release-draw', drawId, other.id)
  await call(drawId)
  expect(await readWork(drawId, other.id)).toMatchObject([{ due_at: LATER }])
  const unknown = await call(drawId, undefined, newId('ten'))
  expect(unknown).toEqual({ status: 200, body: { outcome: 'ignored' } })
})

test('a callback is taken under each of the secrets that are set', async () => {
  const callback = { tenantId: api.tenant.id, callId: newId('chk') }
  expect((await vendors.callBack(api.baseUrl, 'kyc', callback)).status).toBe(200)
})

test('a callback is counted by provider and outcome', async () => {
  const { values } = await api.resources.metrics.providerCallbacks.get()
  const labels = values.map((value) => value.labels)
  expect(labels).toContainEqual({ provider: 'payments', outcome: 'accepted' })
  expect(labels).toContainEqual({ provider: 'payments', outcome: 'duplicate' })
})

describe('what is no callback of the provider is refused, and wakes nothing', () => {
  const without = (name: string) => (given: ReturnType<typeof good>) => {
    const { [name]: _removed, ...headers } = given.headers
    return { headers }
  }
  const withHeader = (name: string, value: string) => (given: ReturnType<typeof good>) => ({
    headers: { ...given.headers, [name]: value },
  })
  const signedAt = (seconds: number) => () =>
    signCallback(addMs(NOW, seconds * 1_000), 'payments', {
      tenantId: api.tenant.id,
      callId: drawId,
    })

  test.each<[string, number, string, (given: ReturnType<typeof good>) => Change]>([
    ['no signature', 401, 'signature_missing', without('x-svc-signature')],
    ['no timestamp', 401, 'signature_missing', without('x-svc-timestamp')],
    ['no id', 401, 'signature_missing', without('idempotency-key')],
    ['another id', 401, 'signature_invalid', withHeader('idempotency-key', 'another')],
    ['an odd id', 401, 'signature_malformed', withHeader('idempotency-key', 'a b')],
    ['another body', 401, 'signature_invalid', ({ body }) => ({ body: `${body} ` })],
    ['no body', 401, 'signature_invalid', () => ({ body: '' })],
    [
      'half a signature',
      401,
      'signature_invalid',
      ({ headers }) => ({
        headers: { ...headers, 'x-svc-signature': String(headers['x-svc-signature']).slice(0, 39) },
      }),
    ],
    ['another timestamp', 401, 'signature_invalid', withHeader('x-svc-timestamp', '1795176001')],
    ['a timestamp in words', 401, 'signature_malformed', withHeader('x-svc-timestamp', 'now')],
    ['a stale timestamp', 401, 'timestamp_out_of_range', signedAt(-301)],
    ['a timestamp of the future', 401, 'timestamp_out_of_range', signedAt(301)],
    [
      "another provider's path",
      401,
      'signature_invalid',
      () => ({ target: '/callbacks/custodian' }),
    ],
    [
      'a query that was not signed',
      401,
      'signature_invalid',
      () => ({ target: '/callbacks/payments?a=1' }),
    ],
    ['an unknown provider', 404, 'not_found', () => ({ target: '/callbacks/aml' })],
    ['a path below', 404, 'not_found', () => ({ target: '/callbacks/payments/x' })],
    ['another method', 404, 'not_found', () => ({ method: 'PUT' })],
    ['another media type', 415, 'unsupported_media_type', withHeader('content-type', 'text/plain')],
    ['a compressed body', 400, 'malformed_request', withHeader('content-encoding', 'gzip')],
    ['a huge body', 413, 'body_too_large', () => ({ body: '.'.repeat(17 * 1024) })],
  ])('%s: %i %s', async (_name, status, code, change) => {
    const answer = await post(change)
    expect(answer.body).toMatchObject({ status, code })
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('SVC-HMAC')
    expect(await readWork(drawId)).toMatchObject([{ due_at: LATER, generation: 1n }])
  })

  test('a callback exactly as old as allowed is accepted', async () => {
    expect((await post(signedAt(-300))).status).toBe(200)
  })

  test.each([
    ['no JSON', 'hello', 'invalid_json'],
    ['a name given twice', '{"call_id":"a","call_id":"b"}', 'invalid_json'],
    ['a list', '[]', 'validation_failed'],
    ['no call', '{"tenant_id":"ten_x"}', 'validation_failed'],
    ['a NUL for a tenant', '{"tenant_id":"\\u0000","call_id":"x"}', 'validation_failed'],
    ['half a character', '{"tenant_id":"ten_x","call_id":"\\ud800"}', 'validation_failed'],
    ['a number for a call', '{"tenant_id":"ten_x","call_id":1}', 'validation_failed'],
  ])('a callback that is well signed, but %s, is refused', async (_name, body, code) => {
    const answer = await post(() => signCallback(NOW, 'payments', { body }))
    expect(answer.body).toMatchObject({ code })
  })
})

test('a source that fails too often is answered 429, and its well signed callbacks are still accepted', async () => {
  await using limited = await startTestApi({
    env: { ...vendors.environment, RATE_LIMITS: 'unverified=0.01/2' },
    clock: () => NOW,
  })
  const fail = () => fetch(`${limited.baseUrl}/callbacks/payments`, { method: 'POST' })
  const statuses = [await fail(), await fail(), await fail()].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 429])
  const callback = { tenantId: limited.tenant.id, callId: newId('drw') }
  const taken = await vendors.callBack(limited.baseUrl, 'payments', callback)
  expect(taken).toEqual({ status: 200, body: { outcome: 'ignored' } })
})

test('a stack without vendors has no callbacks', async () => {
  await using sandbox = await startTestApi({ clock: () => NOW })
  const callback = { tenantId: sandbox.tenant.id, callId: drawId }
  const answer = await vendors.callBack(sandbox.baseUrl, 'payments', callback)
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
