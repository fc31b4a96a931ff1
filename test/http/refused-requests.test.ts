import { METHODS } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { apiForFile, createTestBorrower } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { rawRequest, sendRaw } from '../support/api/raw-http.ts'

const api = apiForFile()
let borrowerId: string
beforeAll(async () => {
  borrowerId = await createTestBorrower(api.tenant)
})

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

const postBorrower = (body: unknown, headers: Record<string, string> = {}) =>
  api.tenant.send('POST', '/v1/borrowers', { body, headers })

async function countBorrowers(): Promise<number> {
  return (await api.db.selectFrom('borrowers').select('borrower_id').execute()).length
}

const OTHERS = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'CONNECT'].includes(method))

test.each(OTHERS)('%s of a path that has no such method is refused with Allow', async (method) => {
  const response = await api.tenant.send(method, '/v1/borrowers')
  expectProblem(response, 405, 'method_not_allowed')
  expect(response.headers.allow).toBe('GET, POST')
})

test('a refused method is counted, and adds no series of its own', async () => {
  await api.tenant.send('PROPFIND', '/v1/borrowers')
  const { registry } = api.resources.metrics
  expect(await registry.getSingleMetricAsString('svc_http_request_seconds')).toContain(
    'method="other",route="other",status="405"',
  )
})

test('HEAD is refused like any other method, without a body', async () => {
  const response = await api.tenant.send('HEAD', '/v1/documents')
  expect(response).toMatchObject({ status: 405, text: '', headers: { allow: 'GET' } })
})

test('Allow names every method of the path', async () => {
  const response = await api.tenant.send('PATCH', '/v1/webhooks/whk_01k9x4m2q8e0tb7f2v5j6h8n3c')
  expect(response.headers.allow).toBe('DELETE, GET')
})

test.each([
  '/v1',
  '/v1/',
  '/v1/nowhere',
  '/v1//borrowers',
  '/v1/borrowers/x/y',
  '/v1/Documents',
  '/v1/documents/../borrowers',
])('%s is no path, signed or not', async (target) => {
  for (const method of ['GET', 'POST', 'PROPFIND']) {
    expectProblem(await api.tenant.send(method, target), 404, 'not_found')
  }
})

test.each(['/v1/%64ocuments', '/v1/%65vents?limit=%31'])(
  '%s is signed as sent and found all the same',
  async (target) => {
    expect((await api.tenant.send('GET', target)).status).toBe(200)
  },
)

test.each([
  ['text/plain'],
  ['application/jsonp'],
  ['application/json, text/plain'],
  ['application/json; charset=latin1'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['application/vnd.api+json'],
  [''],
  ['nonsense'],
])('the media type "%s" is refused', async (type) => {
  const response = await postBorrower(BORROWER, { 'content-type': type })
  expectProblem(response, 415, 'unsupported_media_type')
})

test.each([
  'application/json',
  'Application/JSON;charset=UTF-8',
  'application/json; charset="utf-8"',
])('the media type %s is taken', async (type) => {
  expect((await postBorrower(BORROWER, { 'content-type': type })).status).toBe(201)
})

test.each([
  ['broken syntax', '{'],
  // The other forms: read-json.test.ts.
  ['a name given twice', '{"type":"individual","type":"business"}'],
  ['a name given twice, once escaped', '{"type":"individual","\\u0074ype":"business"}'],
  ['invalid UTF-8', Buffer.from('7b2274797065223a22ff227d', 'hex')],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
])('%s is refused as invalid_json', async (_name, body) => {
  expectProblem(await postBorrower(body), 400, 'invalid_json')
})

test('a body in chunks is signed and taken like any other', async () => {
  const body = JSON.stringify(BORROWER)
  const idempotencyKey = '5f2d1c7e-5f0b-4c1d-9a43-222222222222'
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body, idempotencyKey })
  const headers = {
    host: 'x',
    'transfer-encoding': 'chunked',
    'content-type': 'application/json',
    ...signed,
  }
  const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
  const bytes = rawRequest('POST /v1/borrowers HTTP/1.1', headers, `${chunks}0\r\n\r\n`)
  expect(await sendRaw(api.port, bytes)).toMatchObject({ status: 201 })
})

test('a body of 64 KiB is read, one byte more is refused before it is sent', async () => {
  const fill = (size: number) => `"${'x'.repeat(size - 2)}"`
  expectProblem(await postBorrower(fill(64 * 1024)), 422, 'validation_failed')
  const body = fill(64 * 1024 + 1)
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body })
  const headers = { host: 'x', 'content-length': String(body.length), ...signed }
  const answer = await sendRaw(api.port, rawRequest('POST /v1/borrowers HTTP/1.1', headers))
  expectProblem(answer, 413, 'body_too_large')
  expect(answer?.headers.connection).toBe('close')
})

test('chunks beyond 64 KiB are refused as they come', async () => {
  const signed = await api.tenant.sign('POST', '/v1/borrowers')
  const headers = { host: 'x', 'transfer-encoding': 'chunked', ...signed }
  const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`
  const bytes = rawRequest('POST /v1/borrowers HTTP/1.1', headers, chunk.repeat(17))
  expectProblem(await sendRaw(api.port, bytes), 413, 'body_too_large')
})

test('a refusal of the body reaches even a client that sends all of it first', async () => {
  const response = await postBorrower('x'.repeat(3_000_000))
  expectProblem(response, 413, 'body_too_large')
})

const wrong = (code: string, pointer: string) =>
  expect.objectContaining({ code, pointer, detail: expect.stringMatching(/./) })

test.each([
  ['two missing members', { type: 'individual' }, ['/kyc_attested', '/residency_country']],
  ['null', { ...BORROWER, residency_state: null }, ['/residency_state']],
  ['unknown members', { ...BORROWER, 'a/b': 1, 'm~n': 2 }, ['/a~1b', '/m~0n']],
  ['an empty member name', { ...BORROWER, '': 1 }, ['/']],
  ['a NUL in a string', { ...BORROWER, residency_country: 'D\0' }, ['/residency_country']],
  ['a string', '"individual"', ['']],
  ['a huge number', '{"type":1e300}', ['/type', '/kyc_attested', '/residency_country']],
])('%s is pointed at', async (_name, body, pointers) => {
  const problem = expectProblem(await postBorrower(body), 422, 'validation_failed')
  expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort())
})

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
  'the member %s is unknown like any other',
  async (name) => {
    const body = `${JSON.stringify(BORROWER).slice(0, -1)},"${name}":{"eligible":true}}`
    const problem = expectProblem(await postBorrower(body), 422, 'validation_failed')
    expect(problem.errors).toEqual([wrong('unknown_member', `/${name}`)])
  },
)

test('a member that is missing is not taken from the prototype', async () => {
  const body = '{"__proto__":{"type":"individual","kyc_attested":true,"residency_country":"DE"}}'
  expectProblem(await postBorrower(body), 422, 'validation_failed')
})

test('an element of an array is pointed at by its index', async () => {
  const body = { url: 'https://example.com/', event_types: ['borrower.eligible', 'nope', 3] }
  const response = await api.tenant.send('POST', '/v1/webhooks', { body })
  const problem = expectProblem(response, 422, 'validation_failed')
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([
    '/event_types/1',
    '/event_types/2',
  ])
})

test('an unknown query parameter is refused by every operation, and nothing is done', async () => {
  const document = await (await fetch(`${api.baseUrl}/openapi.json`)).json()
  const { paths } = document as {
    paths: Record<string, Record<string, { requestBody?: object }>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({ path, method, requestBody })),
  )
  expect(operations.length).toBeGreaterThan(20)
  for (const { path, method, requestBody } of operations) {
    const target = `${path.replace(/\{\w+\}/g, 'x')}?nonsense=1`
    const tenant = await api.addTenant()
    const body = requestBody && {}
    const answer = await tenant.send(method.toUpperCase(), target, { body })
    const problem = expectProblem(answer, 422, 'validation_failed')
    // A body is checked first; that of creating a secret may be empty.
    const isEmptyFine = !requestBody || path === '/v1/webhooks/secrets'
    if (isEmptyFine) expect(problem.errors?.[0]?.pointer, target).toBe('?nonsense')
  }
  const before = await countBorrowers()
  const created = await api.tenant.send('POST', '/v1/borrowers?nonsense=1', { body: BORROWER })
  const problem = expectProblem(created, 422, 'validation_failed')
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['?nonsense'])
  expect(await countBorrowers()).toBe(before)
})

test('thousands of faults are answered by a short list', async () => {
  const members = Array.from({ length: 4_000 }, (_, at) => [`m${at}`, 0])
  const unknown = await postBorrower({ ...BORROWER, ...Object.fromEntries(members) })
  expectProblem(unknown, 422, 'validation_failed')
  const body = { url: 'https://example.com/', event_types: Array(9_000).fill('x') }
  const wrongElements = await api.tenant.send('POST', '/v1/webhooks', { body })
  expectProblem(wrongElements, 422, 'validation_failed')
  for (const { text } of [unknown, wrongElements]) expect(text.length).toBeLessThan(16_000)
})

test('ids of any shape are unknown, never an error of ours', async () => {
  const ids = ['x', '%00', '%F0%9F%92%A9', 'bor_', `bor_${'8'.repeat(26)}`, "'--", 'a'.repeat(900)]
  for (const id of [...ids, borrowerId.toUpperCase(), `${borrowerId}%0A`, ` ${borrowerId}`]) {
    const target = `/v1/borrowers/${id.replaceAll(' ', '%20')}`
    expectProblem(await api.tenant.send('GET', target), 404, 'not_found')
  }
})

test('nothing that was refused has had an effect', async () => {
  const before = await countBorrowers()
  await postBorrower({ ...BORROWER, residency_country: 'US', residency_state: 'HI' })
  await postBorrower({ ...BORROWER, extra: 1 })
  await postBorrower('{')
  expect(await countBorrowers()).toBe(before)
})
