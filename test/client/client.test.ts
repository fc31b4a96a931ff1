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

test('each method calls its operation and unwraps the answer', async () => {
  const page = '{"items":[],"next_cursor":"c","has_more":false}'
  await using stub = await start([
    ok('{"items":[{"title":"Master loan agreement"}]}'),
    { status: 202 },
    ok('{"secret":"whsec_x"}'),
    ok('{"id":"whk_1"}'),
    ok('{"items":[]}'),
    ok('{"id":"whk_1","state":"active"}'),
    ok(page),
    ok('{"webhook_id":"whk_1"}'),
    { status: 204 },
  ])
  const { client } = stub
  const signed = {
    full_name: 'Ada Example',
    email: 'ada@example.com',
    ip_address: '203.0.113.7',
    signed_at: '2026-11-18T11:06:40.000Z',
    contract_type: 'master_loan_agreement',
    contract_version: '2026-11',
  }
  expect(await client.listDocuments()).toEqual([{ title: 'Master loan agreement' }])
  expect(await client.submitSignature('bor_1', signed)).toBeUndefined()
  expect(await client.createSigningSecret()).toBe('whsec_x')
  expect(await client.registerWebhook({ url: 'https://example.com' })).toBe('whk_1')
  expect(await client.listWebhooks()).toEqual([])
  expect(await client.getWebhook('whk_1')).toEqual({ id: 'whk_1', state: 'active' })
  expect(await client.replayEvents('whk_1', { from: 'a=' })).toEqual(JSON.parse(page))
  await client.simulateDelivery({ webhook_id: 'whk_1', event_type: 'facility.closed', data: {} })
  expect(await client.deleteWebhook('whk_1')).toBeUndefined()

  expect(stub.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'GET /v1/documents',
    'POST /v1/borrowers/bor_1/signatures',
    'POST /v1/webhooks/secrets',
    'POST /v1/webhooks',
    'GET /v1/webhooks',
    'GET /v1/webhooks/whk_1',
    'GET /v1/webhooks/whk_1/events?from=a%3D',
    'POST /v1/webhooks/simulate',
    'DELETE /v1/webhooks/whk_1',
  ])
  expect(stub.requests.every((request) => request.signatureHolds)).toBe(true)
  expect(stub.requests[2]?.body.length).toBe(0)
})

test('the portfolio source is read, and set by its mode', async () => {
  await using stub = await start([ok('{"mode":"push"}'), ok('{"mode":"custodian"}')])
  const { client } = stub
  expect(await client.getPortfolioSource()).toEqual({ mode: 'push' })
  expect(await client.setPortfolioSource('custodian')).toEqual({ mode: 'custodian' })
  const sent = stub.requests.map(({ method, target, body }) => [method, target, body.toString()])
  expect(sent).toEqual([
    ['GET', '/v1/portfolio-source', ''],
    ['PUT', '/v1/portfolio-source', '{"mode":"custodian"}'],
  ])
})

test('requests for facilities, draws and repayments have the form that the service expects', async () => {
  await using stub = await start(Array.from({ length: 11 }, () => ok('{"id":"x"}')))
  const { client } = stub
  const application = { borrower_id: 'bor_1', limit: { amount: '40000.00', asset: 'USD' } }
  const draw = { amount: '100.00', asset: 'USD', destination: 'account-4711' }
  const cure = { amount: '100.00', asset: 'USD', margin_warning_number: 2 }
  const money = { amount: '100.00', asset: 'USD' }
  const completed = { status: 'completed', delivered: money, reference: 'wire-1' } as const
  expect(await client.createFacility(application)).toEqual({ id: 'x' })
  await client.getFacility('fac_1')
  await client.listFacilities({ state: 'APPROVED', borrower_id: 'bor_1', limit: 5 })
  await client.requestDraw('fac_1', draw)
  await client.getDraw('fac_1', 'drw_1')
  await client.listDraws('fac_1', { from: 'a=' })
  await client.createRepayment('fac_1', cure)
  await client.getRepayment('fac_1', 'rep_1')
  await client.listRepayments('fac_1')
  await client.reportExecution('fac_1', 'rep_1', completed)
  await client.closeFacility('fac_1')

  expect(stub.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'POST /v1/facilities',
    'GET /v1/facilities/fac_1',
    'GET /v1/facilities?state=APPROVED&borrower_id=bor_1&limit=5',
    'POST /v1/facilities/fac_1/draws',
    'GET /v1/facilities/fac_1/draws/drw_1',
    'GET /v1/facilities/fac_1/draws?from=a%3D',
    'POST /v1/facilities/fac_1/repayments',
    'GET /v1/facilities/fac_1/repayments/rep_1',
    'GET /v1/facilities/fac_1/repayments',
    'POST /v1/facilities/fac_1/repayments/rep_1/execution',
    'POST /v1/facilities/fac_1/close',
  ])
  const bodies = stub.requests.map(({ body }) => body.toString()).filter((text) => text !== '')
  expect(bodies.map((text) => JSON.parse(text))).toEqual([application, draw, cure, completed])
  expect(stub.requests.every((request) => request.signatureHolds)).toBe(true)
})

test('collateral, warnings, their decisions and calls are read from the service’s paths', async () => {
  const decisions = ok('{"items":[{"number":1,"kind":"raise"}]}')
  const answers = [...Array.from({ length: 5 }, () => ok('{"number":1}')), decisions, ok('{}')]
  await using stub = await start(answers)
  const { client } = stub
  expect(await client.getCollateral('fac_1')).toEqual({ number: 1 })
  await client.getMarginWarning('fac_1', 2)
  await client.listMarginWarnings('fac_1', { limit: 5 })
  await client.getMarginCall('fac_1', 1)
  await client.listMarginCalls('fac_1', { from: 'a=' })
  expect(await client.listMarginDecisions('fac_1', 2)).toEqual([{ number: 1, kind: 'raise' }])
  await client.getSandboxClock()
  expect(stub.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'GET /v1/facilities/fac_1/collateral',
    'GET /v1/facilities/fac_1/margin-warnings/2',
    'GET /v1/facilities/fac_1/margin-warnings?limit=5',
    'GET /v1/facilities/fac_1/margin-calls/1',
    'GET /v1/facilities/fac_1/margin-calls?from=a%3D',
    'GET /v1/facilities/fac_1/margin-warnings/2/decisions',
    'GET /v1/sandbox/clock',
  ])
  expect(stub.requests.every((request) => request.signatureHolds)).toBe(true)
})

test('requests for portfolios and sandbox controls have the form that the service expects', async () => {
  const pushed = '{"applied":true,"as_of":"2026-11-20T12:00:00.000Z"}'
  await using stub = await start([
    ok(pushed),
    ok('{"asset":"BTC","price_usd":"100000"}'),
    ok('{"now":"2026-11-21T12:00:00.000Z"}'),
    ok('{"decided":2}'),
    ok('{"next":"fail"}'),
    ok('{"next":"delay"}'),
  ])
  const { client } = stub
  const snapshot = {
    as_of: '2026-11-20T12:00:00.000001Z',
    positions: [{ asset: 'BTC', quantity: '1.5' }],
  }
  expect(await client.putPortfolio('bor_1', snapshot)).toEqual(JSON.parse(pushed))
  expect(await client.setSandboxPrice('BTC', null)).toEqual({ asset: 'BTC', price_usd: '100000' })
  expect(await client.advanceSandboxClock(86_400)).toEqual({ now: '2026-11-21T12:00:00.000Z' })
  expect(await client.setSandboxCompliance('bor_1', 'pass')).toEqual({ decided: 2 })
  expect(await client.setSandboxCustodian('fail')).toEqual({ next: 'fail' })
  expect(await client.setSandboxPayments('delay')).toEqual({ next: 'delay' })

  const sent = stub.requests.map(({ method, target, body }) => [
    `${method} ${target}`,
    JSON.parse(body.toString()),
  ])
  expect(sent).toEqual([
    ['PUT /v1/borrowers/bor_1/portfolio', snapshot],
    ['POST /v1/sandbox/prices', { asset: 'BTC', price_usd: null }],
    ['POST /v1/sandbox/clock', { advance_seconds: 86_400 }],
    ['POST /v1/sandbox/borrowers/bor_1/compliance', { outcome: 'pass' }],
    ['POST /v1/sandbox/custodian', { next: 'fail' }],
    ['POST /v1/sandbox/payments', { next: 'delay' }],
  ])
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
