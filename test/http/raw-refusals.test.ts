import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import {
  createClientErrorHandler,
  createFrameworkErrorHandler,
  refuseExpectations,
  refuseTunnels,
} from '../../src/http/plugins/raw-refusals.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { rawRequest, sendRaw } from '../support/api/raw-http.ts'

const api = apiForFile({
  arrival: { headersMs: 200, requestMs: 400, checkEveryMs: 50 },
})

const HOST = 'host: api.example.com'

const MALFORMED = {
  'a percent sign that encodes nothing': rawRequest('GET /v1/borrowers/%zz HTTP/1.1', [HOST]),
  'percent-encoded bytes that are no UTF-8': rawRequest('GET /v1/borrowers/%ff HTTP/1.1', [HOST]),
  'a missing Host': rawRequest('GET /v1/documents HTTP/1.1'),
  'a missing Host outside the API': rawRequest('GET /healthz HTTP/1.1'),
  'two Host headers': rawRequest('GET /v1/documents HTTP/1.1', [HOST, 'host: b.example.com']),
  'lines that end in a bare LF': `GET /v1/documents HTTP/1.1\n${HOST}\n\n`,
  'Content-Length beside Transfer-Encoding': rawRequest(
    'POST /v1/borrowers HTTP/1.1',
    [HOST, 'content-length: 4', 'transfer-encoding: chunked'],
    '0\r\n\r\n',
  ),
  'two Content-Lengths': rawRequest(
    'POST /v1/borrowers HTTP/1.1',
    [HOST, 'content-length: 2', 'content-length: 3'],
    '{}',
  ),
  'a negative Content-Length': rawRequest('POST /v1/borrowers HTTP/1.1', [
    HOST,
    'content-length: -1',
  ]),
  'a method that is no token': rawRequest('G(T /v1/documents HTTP/1.1', [HOST]),
  'an unknown method': rawRequest('FROBNICATE /v1/documents HTTP/1.1', [HOST]),
  'a request to be a proxy': rawRequest('CONNECT 127.0.0.1:5432 HTTP/1.1', [HOST]),
  'a method in lower case': rawRequest('get /v1/documents HTTP/1.1', [HOST]),
  'a header name with a space': rawRequest('GET /v1/documents HTTP/1.1', [HOST, 'x y: z']),
  'a control character in a header': rawRequest('GET /v1/documents HTTP/1.1', [HOST, 'x: \0']),
  'a folded header': rawRequest('GET /v1/documents HTTP/1.1', [HOST, 'x: a', ' b']),
  'an Expect that is not 100-continue': rawRequest('GET /v1/documents HTTP/1.1', [
    HOST,
    'expect: the unexpected',
  ]),
  'an absolute-form target': rawRequest('GET http://api.example.com/v1/documents HTTP/1.1', [HOST]),
  'an HTTP version of the future': rawRequest('GET /v1/documents HTTP/3.0', [HOST]),
  'a space in the target': rawRequest('GET /v1/docu ments HTTP/1.1', [HOST]),
  'TLS on a plain port': Buffer.from('16030100050100000100', 'hex'),
  'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
} as const

test.each(Object.entries(MALFORMED))('%s is refused as malformed_request', async (_name, bytes) => {
  expectProblem(await sendRaw(api.port, bytes), 400, 'malformed_request')
})

test('headers of more than 16 KiB are refused as headers_too_large', async () => {
  const bytes = rawRequest('GET /v1/documents HTTP/1.1', [HOST, `x: ${'y'.repeat(17_000)}`])
  expectProblem(await sendRaw(api.port, bytes), 431, 'headers_too_large')
})

test('thousands of small headers are refused as headers_too_large', async () => {
  const many = Array.from({ length: 4_000 }, (_, at) => `x${at}: 1`)
  const bytes = rawRequest('GET /v1/documents HTTP/1.1', [HOST, ...many])
  expectProblem(await sendRaw(api.port, bytes), 431, 'headers_too_large')
})

test.each([
  ['a target of more than 8,192 characters', `/v1/borrowers?${'x'.repeat(8_200)}`],
  ['a part of the path longer than any id', `/v1/borrowers/${'x'.repeat(1_100)}`],
])('%s is refused as uri_too_long', async (_name, target) => {
  const answer = await sendRaw(api.port, rawRequest(`GET ${target} HTTP/1.1`, [HOST]))
  expectProblem(answer, 414, 'uri_too_long')
})

test('headers that never end are refused as request_timeout', async () => {
  const answer = await sendRaw(api.port, `POST /v1/borrowers HTTP/1.1\r\n${HOST}\r\n`)
  expectProblem(answer, 408, 'request_timeout')
})

test('a signed request with a body that never ends is refused as request_timeout', async () => {
  const body = '{"type":"individual"}'
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body })
  const headers = { host: 'x', 'content-length': String(body.length), ...signed }
  const bytes = rawRequest('POST /v1/borrowers HTTP/1.1', headers, body.slice(0, -1))
  expectProblem(await sendRaw(api.port, bytes), 408, 'request_timeout')
})

test.each([
  ['a broken chunk size', 'chunked', 'zz\r\n'],
  ['a chunk longer than its length', 'chunked', '2\r\n{}}\r\n0\r\n\r\n'],
  ['a Transfer-Encoding that is not chunked', 'gzip', '{}'],
])('%s in a signed request is refused as malformed_request', async (_name, encoding, body) => {
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body: '{}' })
  const headers = { host: 'x', 'transfer-encoding': encoding, ...signed }
  const answer = await sendRaw(api.port, rawRequest('POST /v1/borrowers HTTP/1.1', headers, body))
  expectProblem(answer, 400, 'malformed_request')
})

test('HTTP/1.0 without a Host is served', async () => {
  const answer = await sendRaw(api.port, rawRequest('GET /v1/documents HTTP/1.0'))
  expectProblem(answer, 401, 'signature_missing')
})

test('Expect: 100-continue is understood', async () => {
  const body = '{"type":"individual","kyc_attested":true,"residency_country":"DE"}'
  const idempotencyKey = '5f2d1c7e-5f0b-4c1d-9a43-111111111111'
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body, idempotencyKey })
  const headers = {
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
    ...signed,
  }
  const answer = await sendRaw(api.port, rawRequest('POST /v1/borrowers HTTP/1.1', headers, body))
  expect(answer?.status).toBe(100)
})

test.each(['/v1/nowhere', '/nowhere', '//', '/v1', '/v1/', '/V1/documents', '/errors/nowhere'])(
  'an unsigned request of %s is answered by a problem object',
  async (path) => {
    const answer = await sendRaw(api.port, rawRequest(`POST ${path} HTTP/1.1`, [HOST]))
    const signedArea = path === '/v1' || path.startsWith('/v1/')
    const [status, code] = signedArea ? [401, 'signature_missing'] : [404, 'not_found']
    expectProblem(answer, Number(status), String(code))
  },
)

test.each(['OPTIONS', 'PROPFIND', 'TRACE', 'DELETE'])(
  '%s of a page outside the API is answered by a problem object',
  async (method) => {
    const answer = await sendRaw(api.port, rawRequest(`${method} /healthz HTTP/1.1`, [HOST]))
    expectProblem(answer, 404, 'not_found')
  },
)

test('OPTIONS of the whole server is answered by a problem object', async () => {
  const answer = await sendRaw(api.port, rawRequest('OPTIONS * HTTP/1.1', [HOST]))
  expectProblem(answer, 405, 'method_not_allowed')
})

test.each([
  ['a QUERY without a content type', 'QUERY', ['content-length: 1']],
  ['broken JSON', 'POST', ['content-type: application/json', 'content-length: 1']],
])('%s outside the API is refused as malformed_request', async (_name, method, headers) => {
  const bytes = rawRequest(`${method} /nowhere HTTP/1.1`, [HOST, ...headers], '{')
  expectProblem(await sendRaw(api.port, bytes), 400, 'malformed_request')
})

test.each([
  ['a malformed request', rawRequest('G(T / HTTP/1.1', [HOST])],
  ['a percent sign that encodes nothing', rawRequest('GET /%zz HTTP/1.1', [HOST])],
  ['an unknown Expect', rawRequest('GET / HTTP/1.1', [HOST, 'expect: the unexpected'])],
  ['a CONNECT', rawRequest('CONNECT 127.0.0.1:5432 HTTP/1.1', [HOST])],
])('%s that cannot be counted is closed, and the process goes on', async (_name, bytes) => {
  const fail = () => Promise.reject(new Error('cannot count'))
  const refusals = { buckets: { take: fail, peek: fail }, errorsUrl: 'https://example.com/' }
  const app = fastify({
    clientErrorHandler: createClientErrorHandler(refusals),
    frameworkErrors: createFrameworkErrorHandler(refusals, () => undefined),
  })
  refuseExpectations(app, refusals)
  refuseTunnels(app, refusals)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  expect(await sendRaw(Number(port), bytes)).toBeUndefined()
  await app.close()
})
