import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../../src/client/client.ts'
import { ProblemError, UnreachableError } from '../../src/client/problem-error.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { type Answer, keyId, privateKeyPem, type Script, startStubService } from './stub-service.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const newBorrower = {
  type: 'individual',
  kyc_attested: true,
  residency_country: 'US',
  residency_state: 'CA',
} as const

test('the signature covers the target and the bytes that arrive', async () => {
  await using stub = await start([ok('{}'), ok('{}'), ok('{}')])
  await stub.client.request('GET', '/v1/events', {
    query: { type: 'a b', from: 'x/y=é', limit: 10 },
  })
  await stub.client.request('GET', '/v1/zoë%2F(1)?raw=|"')
  await stub.client.request('POST', '/v1/x', { body: { full_name: 'Zoë Müller' } })

  expect(stub.requests.map((request) => request.signatureHolds)).toEqual([true, true, true])
  expect(stub.requests[0]?.target).toBe('/v1/events?type=a+b&from=x%2Fy%3D%C3%A9&limit=10')
  expect(stub.requests[2]?.body.toString()).toBe('{"full_name":"Zoë Müller"}')
  expect(stub.requests[2]?.headers['content-type']).toBe('application/json')
})

test('a base URL keeps its path prefix, with or without a slash at the end', async () => {
  await using stub = await start([ok('{"items":[]}')], (baseUrl) => ({
    baseUrl: `${baseUrl}/lending/`,
  }))
  await stub.client.listDocuments()
  expect(stub.requests[0]?.target).toBe('/lending/v1/documents')
  expect(stub.requests[0]?.signatureHolds).toBe(true)
})

test('every change has an idempotency key of its own, reads have none, and a given key is used', async () => {
  await using stub = await start([ok('{}'), ok('{}'), ok('{"items":[]}'), ok(''), ok('{}')])
  await stub.client.createBorrower(newBorrower)
  await stub.client.createBorrower(newBorrower)
  await stub.client.listSignatures('bor_1')
  await stub.client.deleteWebhook('whk_1')
  const given = '7f1f9a2e-3c44-4c1b-9d0a-5e8a4f6b2c11'
  await stub.client.createBorrower(newBorrower, { idempotencyKey: given })

  const [first, second, read, deletion, chosen] = keysOf(stub)
  expect(first).toMatch(uuid)
  expect(second).toMatch(uuid)
  expect(second).not.toBe(first)
  expect(read).toBeUndefined()
  expect(deletion).toMatch(uuid)
  expect(chosen).toBe(given)
})

test('awaiting a list gives its first page; iterating it gives every page', async () => {
  const pages = [
    ok('{"items":[{"id":"fac_3"},{"id":"fac_2"}],"next_cursor":"c1","has_more":true}'),
    ok('{"items":[{"id":"fac_1"}],"next_cursor":"c2","has_more":false}'),
  ]
  await using stub = await start([...pages, ...pages])
  const seen: string[] = []
  for await (const { id } of stub.client.listFacilities({ state: 'APPROVED', limit: 2 })) {
    seen.push(id)
  }
  expect(seen).toEqual(['fac_3', 'fac_2', 'fac_1'])
  expect(stub.requests.map(({ target }) => target)).toEqual([
    '/v1/facilities?state=APPROVED&limit=2',
    '/v1/facilities?state=APPROVED&limit=2&from=c1',
  ])
  expect((await stub.client.listFacilities()).items).toHaveLength(2)
  expect(stub.requests).toHaveLength(3)
})

test('a list without pages is iterated like one with pages', async () => {
  await using stub = await start([ok('{"items":[{"id":"whk_1"},{"id":"whk_2"}]}')])
  const seen: string[] = []
  for await (const { id } of stub.client.listWebhooks()) seen.push(id)
  expect(seen).toEqual(['whk_1', 'whk_2'])
})

test('following the event log polls from its end until the signal aborts', async () => {
  const page = (id: string, cursor: string, hasMore: boolean) =>
    ok(`{"items":[{"id":"${id}"}],"next_cursor":"${cursor}","has_more":${hasMore}}`)
  await using stub = await start([
    page('evt_1', 'a', true),
    page('evt_2', 'b', false),
    page('evt_3', 'c', false),
  ])
  const controller = new AbortController()
  const seen: unknown[] = []
  const followed = stub.client.followEvents({ pollSeconds: 0, signal: controller.signal })
  await expect(async () => {
    for await (const { event, cursor } of followed) {
      seen.push([event.id, cursor])
      if (seen.length === 3) controller.abort(new Error('enough'))
    }
  }).rejects.toThrow('enough')
  expect(seen).toEqual([
    ['evt_1', undefined],
    ['evt_2', 'a'],
    ['evt_3', 'b'],
  ])
  expect(stub.requests.map(({ target }) => target)).toEqual([
    '/v1/events',
    '/v1/events?from=a',
    '/v1/events?from=b',
  ])
})

test('a signal that aborts ends an iteration at once, in the middle of a page too', async () => {
  const items = '[{"id":"whk_1"},{"id":"whk_2"},{"id":"whk_3"}]'
  const page = ok(`{"items":${items},"next_cursor":"c","has_more":true}`)
  await using stub = await start([page, page, ok(`{"items":${items}}`)])
  const iterations = [
    (signal: AbortSignal) => stub.client.followEvents({ signal }),
    (signal: AbortSignal) => stub.client.listEvents({}, { signal }),
    (signal: AbortSignal) => stub.client.listWebhooks({ signal }),
  ]
  for (const iterate of iterations) {
    const controller = new AbortController()
    let seen = 0
    await expect(async () => {
      for await (const _ of iterate(controller.signal)) {
        seen += 1
        if (seen === 2) controller.abort(new Error('enough'))
      }
    }).rejects.toThrow('enough')
    expect(seen).toBe(2)
  }
  expect(stub.requests).toHaveLength(3)
})

test('an identifier never addresses another resource', async () => {
  await using stub = await start([ok('{}')])
  await stub.client.getBorrower('../webhooks?x#y')
  expect(stub.requests[0]?.target).toBe('/v1/borrowers/..%2Fwebhooks%3Fx%23y')
  for (const id of ['', '.', '..']) {
    await expect(stub.client.getBorrower(id)).rejects.toBeInstanceOf(TypeError)
  }
})

test('a refusal is thrown at once, with everything the service returned', async () => {
  const members = {
    type: 'https://errors.example/validation_failed',
    title: 'Unprocessable Content',
    status: 422,
    code: 'validation_failed',
    detail: 'The body does not fit.',
    request_id: 'req_1',
    errors: [{ pointer: '/type', code: 'unknown_value', detail: 'Not a borrower type.' }],
  }
  await using stub = await start([problem(422, members)])
  const error = await caught(stub.client.createBorrower(newBorrower))
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({
    type: members.type,
    title: members.title,
    status: 422,
    code: 'validation_failed',
    detail: members.detail,
    errors: members.errors,
    requestId: 'req_1',
    retryAfterSeconds: undefined,
    members,
  })
  expect(stub.requests).toHaveLength(1)
})

test('the members of a refusal are typed by its code', async () => {
  await using stub = await start([
    problem(403, { code: 'scope_missing', required_scope: 'borrower:read' }),
  ])
  const error = await caught(stub.client.getBorrower('bor_1'))
  if (!(error instanceof ProblemError) || !error.is('scope_missing', 'not_found')) {
    return expect.unreachable('Refused otherwise.')
  }
  expect(error.is('not_found')).toBe(false)
  if (error.is('scope_missing')) expect(error.members.required_scope).toBe('borrower:read')
})

test('an error answer that is no problem object is still a ProblemError', async () => {
  await using stub = await start([
    { status: 404, body: '<h1>Not here</h1>', headers: { 'X-SVC-Request-Id': 'req_2' } },
    { status: 307, headers: { Location: '/elsewhere' } },
  ])
  const notFound = await caught(stub.client.getBorrower('bor_1'))
  expect(notFound).toMatchObject({ status: 404, code: 'unexpected_response', requestId: 'req_2' })
  const redirect = await caught(stub.client.getBorrower('bor_1'))
  expect(redirect).toMatchObject({ status: 307, code: 'unexpected_response' })
})

test('a retry keeps the key and the bytes, has a new signature, and waits at least Retry-After', async () => {
  let nowMs = 1_795_000_000_000
  const waits: number[] = []
  await using stub = await start(
    [
      problem(429, { code: 'rate_limited' }, { 'Retry-After': '7' }),
      'hang up',
      problem(409, { code: 'idempotency_in_progress' }, { 'Retry-After': '1' }),
      problem(503, { code: 'unavailable' }),
      ok('{"id":"bor_1"}'),
    ],
    () => ({
      now: () => new Date(nowMs),
      wait: async (milliseconds) => {
        waits.push(milliseconds)
        nowMs += milliseconds
      },
    }),
  )
  expect(await stub.client.createBorrower(newBorrower)).toEqual({ id: 'bor_1' })

  expect(stub.requests).toHaveLength(5)
  expect(new Set(keysOf(stub)).size).toBe(1)
  expect(new Set(stub.requests.map((request) => request.body.toString())).size).toBe(1)
  expect(stub.requests.every((request) => request.signatureHolds)).toBe(true)
  expect(Number(stub.requests[4]?.headers['x-svc-timestamp'])).toBe(Math.floor(nowMs / 1000))
  const [afterLimit = 0, afterHangUp = 0, afterConflict = 0, afterOutage = 0] = waits
  expect(afterLimit).toBeGreaterThanOrEqual(7000)
  expect(afterLimit).toBeLessThanOrEqual(7250)
  expect(afterHangUp).toBeGreaterThanOrEqual(250)
  expect(afterHangUp).toBeLessThanOrEqual(500)
  expect(afterConflict).toBeGreaterThanOrEqual(1000)
  expect(afterOutage).toBeLessThanOrEqual(2000)
})

test('retries end with the last refusal or with the connection error', async () => {
  const limited = problem(429, { code: 'rate_limited' }, { 'Retry-After': '1' })
  await using stub = await start([limited, limited, 'hang up', 'hang up'], () => ({
    maxAttempts: 2,
  }))
  expect(await caught(stub.client.getBorrower('bor_1'))).toMatchObject({ retryAfterSeconds: 1 })
  expect(stub.requests).toHaveLength(2)
  const error = await caught(stub.client.getBorrower('bor_1'))
  expect(error).toBeInstanceOf(UnreachableError)
  expect(error).toHaveProperty('cause')
  expect(stub.requests).toHaveLength(4)
})

test('an invalid base URL is refused when the client is created', () => {
  for (const baseUrl of ['nope', '', 'localhost:8080', 'ftp://example.com', 'http://']) {
    expect(() => createClient({ baseUrl, keyId, privateKeyPem }), baseUrl).toThrow(
      new TypeError(
        `baseUrl is not the address of a service, such as https://sandbox.example.com: "${baseUrl}".`,
      ),
    )
  }
})

test('the cause of a missing answer is the system’s error, or the timeout', async () => {
  const [port] = await findFreePorts(1)
  const once = { baseUrl: `http://127.0.0.1:${port}`, keyId, privateKeyPem, maxAttempts: 1 }
  const refused = await caught(createClient(once).listWebhooks())
  expect(refused).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  const slow: typeof fetch = (_, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const late = await caught(
    createClient({ ...once, timeoutSeconds: 0, fetch: slow }).listWebhooks(),
  )
  expect(late).toMatchObject({ cause: { name: 'TimeoutError' } })
})

test('a wait of over a minute is left to the caller', async () => {
  await using stub = await start([
    problem(429, { code: 'rate_limited' }, { 'Retry-After': '61' }),
    problem(500, { code: 'internal' }),
  ])
  expect(await caught(stub.client.getBorrower('bor_1'))).toMatchObject({ retryAfterSeconds: 61 })
  expect(await caught(stub.client.getBorrower('bor_1'))).toMatchObject({ code: 'internal' })
  expect(stub.requests).toHaveLength(2)
})

test('a wrong clock is corrected once by the service’s clock, and stays corrected', async () => {
  const serverTime = '2026-11-18T11:06:40.000Z'
  const outOfRange = problem(401, { code: 'timestamp_out_of_range', server_time: serverTime })
  await using stub = await start([outOfRange, ok('{}'), ok('{}'), outOfRange, outOfRange], () => ({
    now: () => new Date('2026-11-18T09:00:00.400Z'),
  }))
  await stub.client.getBorrower('bor_1')
  await stub.client.createBorrower(newBorrower)
  const timestamps = stub.requests.map((request) => request.headers['x-svc-timestamp'])
  expect(timestamps).toEqual(['1794992400', '1795000000', '1795000000'])

  const error = await caught(stub.client.createBorrower(newBorrower))
  expect(error).toMatchObject({ status: 401, code: 'timestamp_out_of_range' })
  expect(stub.requests).toHaveLength(5)
  const [, , , fourth, fifth] = keysOf(stub)
  expect(fifth).toBe(fourth)
})

test('a request aborted while it waits is not repeated', async () => {
  const controller = new AbortController()
  await using stub = await start(
    [problem(503, { code: 'unavailable' }, { 'Retry-After': '60' })],
    () => ({
      wait: async (_, signal) => {
        controller.abort(new Error('no longer needed'))
        signal?.throwIfAborted()
      },
    }),
  )
  const { signal } = controller
  const error = await caught(stub.client.request('GET', '/v1/documents', { signal }))
  expect(error).toMatchObject({ message: 'no longer needed' })
  expect(stub.requests).toHaveLength(1)
})

test('a request aborted while it is sent throws the reason, not a connection error', async () => {
  await using stub = await start([], () => ({ maxAttempts: 1 }))
  const signal = AbortSignal.abort(new Error('no longer needed'))
  const error = await caught(stub.client.request('GET', '/v1/documents', { signal }))
  expect(error).toMatchObject({ message: 'no longer needed' })
})

/** A stub service and a client of it that does not really wait. */
async function start(script: Script, change?: (baseUrl: string) => Partial<ClientOptions>) {
  const stub = await startStubService(script)
  const options = { baseUrl: stub.baseUrl, keyId, privateKeyPem, wait: async () => {} }
  const client = createClient({ ...options, ...change?.(stub.baseUrl) })
  return { ...stub, client }
}

function ok(body: string): Answer {
  return { status: 200, body }
}

function problem(
  status: number,
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  const contentType = { 'Content-Type': 'application/problem+json' }
  return { status, headers: { ...contentType, ...headers }, body: JSON.stringify(members) }
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('The request succeeded.'),
    (error: unknown) => error,
  )
}

function keysOf(stub: { requests: { headers: Record<string, unknown> }[] }): unknown[] {
  return stub.requests.map((request) => request.headers['idempotency-key'])
}
