import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/webhooks/address-policy.ts'
import { signDelivery, signStandardWebhook } from '../../src/domain/webhooks/sign-delivery.ts'
import type { DeliveryRequest, WebhookSender } from '../../src/domain/webhooks/webhook-sender.ts'
import {
  createWebhookSender,
  type WebhookSenderOptions,
} from '../../src/providers/webhooks/webhook-sender.ts'
import {
  type LocalServer,
  listen,
  startCanary,
  startEndless,
  startHanging,
  startResetting,
  startSaying,
  startSayingAndClosing,
} from '../support/servers/misbehaving-server.ts'
import { testCertificate } from '../support/servers/test-certificate.ts'

const NOW = new Date('2026-11-20T10:00:00.900Z')
const SHORT_MS = 150
const OK = 'HTTP/1.1 200 OK\r\n'

const senders: WebhookSender[] = []
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()))
})

/** A sender that may reach loopback and knows no names but `*.test`, which all mean 127.0.0.1. */
function createSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = createWebhookSender({
    policy: createAddressPolicy(['127.0.0.0/8']),
    resolve: async (name) => (name.endsWith('.test') ? ['127.0.0.1'] : []),
    ...options,
  })
  senders.push(sender)
  return sender
}

function deliveryTo(target: LocalServer | string, rest: Partial<DeliveryRequest> = {}) {
  const url = typeof target === 'string' ? target : `http://127.0.0.1:${target.port}/hooks`
  const body = Buffer.from('{"type":"borrower.eligible"}')
  return { url, body, eventId: 'evt_1', attempt: 1, secret: undefined, ...rest }
}

const failed = (error: string) => ({
  succeeded: false,
  status: undefined,
  error,
  bodyExcerpt: '',
  durationMs: expect.any(Number),
})

const answered = (status: number, bodyExcerpt = '') => ({
  succeeded: status >= 200 && status <= 299,
  status,
  error: undefined,
  bodyExcerpt,
  durationMs: expect.any(Number),
})

type Received = { request: IncomingMessage; body: Buffer }

async function startReceiver(received: Received[]): Promise<LocalServer> {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ request, body: Buffer.concat(await request.toArray()) })
    response.end('thanks')
  }
  return listen(createHttpServer((request, response) => void receive(request, response)))
}

test('a delivery carries the exact body, a fresh timestamp, both signatures, event id and attempt', async () => {
  const received: Received[] = []
  await using server = await startReceiver(received)
  const body = Buffer.from('{"label":"Zürich 💶",  "odd" : spacing}')
  const delivery = deliveryTo(`http://127.0.0.1:${server.port}/a%20b?c=d`, {
    body,
    attempt: 3,
    secret: 'whsec_x',
  })
  const outcome = await createSender().send(delivery, NOW)
  expect(outcome).toEqual(answered(200, 'thanks'))
  expect(received[0]?.body).toEqual(body)
  expect(received[0]?.request).toMatchObject({ method: 'POST', url: '/a%20b?c=d' })
  expect(received[0]?.request.headers).toMatchObject({
    host: `127.0.0.1:${server.port}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    'accept-encoding': 'identity',
    'x-svc-webhook-timestamp': '1795168800',
    'x-svc-webhook-signature': signDelivery('whsec_x', 1_795_168_800, body),
    'x-svc-event-id': 'evt_1',
    'x-svc-delivery-attempt': '3',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1795168800',
    'webhook-signature': signStandardWebhook(
      'whsec_x',
      { eventId: 'evt_1', timestampSeconds: 1_795_168_800 },
      body,
    ),
  })
})

test('without a secret a delivery is stamped but not signed', async () => {
  const received: Received[] = []
  await using server = await startReceiver(received)
  await createSender().send(deliveryTo(server), NOW)
  expect(received[0]?.request.headers).toHaveProperty('x-svc-webhook-timestamp', '1795168800')
  const names = Object.keys(received[0]?.request.headers ?? {})
  expect(names.filter((name) => /signature|^webhook-/.test(name))).toEqual([])
})

test('consecutive deliveries share their connections', async () => {
  await using server = await startReceiver([])
  const sender = createSender()
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    await sender.send(deliveryTo(server, { attempt }), NOW)
  }
  expect(server.connections()).toBe(1)
})

test('concurrent deliveries do not wait for one another', async () => {
  const waiting: (() => void)[] = []
  const http = createHttpServer((_request, response) => {
    waiting.push(() => response.end())
    if (waiting.length === 50) for (const answer of waiting) answer()
  })
  await using server = await listen(http)
  const sender = createSender()
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => sender.send(deliveryTo(server), NOW)),
  )
  expect(outcomes).toEqual(Array(50).fill(answered(200)))
})

test.each([200, 201, 204, 299])('the status %i is a success', async (status) => {
  await using server = await startSaying(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(answered(status))
})

test.each([300, 301, 304, 400, 404, 410, 429, 500, 503, 599])(
  'the status %i is a failure',
  async (status) => {
    await using server = await startSaying(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
    expect(await createSender().send(deliveryTo(server), NOW)).toEqual(answered(status))
  },
)

test.each([100, 102, 103, 199])(
  'the status %i is not an answer, what follows it is',
  async (status) => {
    const informational = `HTTP/1.1 ${status} X\r\n\r\n`
    await using server = await startSaying(`${informational}${OK}content-length: 2\r\n\r\nok`)
    expect(await createSender().send(deliveryTo(server), NOW)).toEqual(answered(200, 'ok'))
    await using silent = await startSaying(informational)
    const sender = createSender({ deadlineMs: SHORT_MS })
    expect(await sender.send(deliveryTo(silent), NOW)).toEqual(failed('timeout'))
  },
)

test.each([
  ['before the first byte', startHanging],
  ['within the header', () => startSaying('HTTP/1.1 200 OK\r\ncontent-')],
])('an answer that stalls %s is given up at the deadline', async (_where, start) => {
  await using server = await start()
  const sender = createSender({ deadlineMs: SHORT_MS })
  const outcome = await sender.send(deliveryTo(server), NOW)
  expect(outcome).toEqual(failed('timeout'))
  expect(outcome.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 1)
  await server.allClosed()
})

test('a handshake or a name lookup that hangs is given up at the deadline', async () => {
  await using server = await listen(createTcpServer())
  const sender = createSender({ deadlineMs: SHORT_MS })
  const delivery = deliveryTo(`https://127.0.0.1:${server.port}/`)
  expect(await sender.send(delivery, NOW)).toEqual(failed('timeout'))
  await server.allClosed()

  const lost = createSender({ deadlineMs: SHORT_MS, resolve: () => new Promise(() => {}) })
  expect(await lost.send(deliveryTo('http://a.test/'), NOW)).toEqual(failed('timeout'))
})

test('a name that is resolved after the deadline is not posted to', async () => {
  await using canary = await startCanary('127.0.0.1')
  const found = Promise.withResolvers<string[]>()
  const sender = createSender({ deadlineMs: SHORT_MS, resolve: () => found.promise })
  const url = `http://a.test:${canary.port}/`
  expect(await sender.send(deliveryTo(url), NOW)).toEqual(failed('timeout'))
  found.resolve(['127.0.0.1'])
  await sender.close()
  senders.length = 0
  expect(canary.received()).toBe('')
})

test.each([
  ['garbage', () => startSaying('\u0000\u0001 not HTTP at all\r\n\r\n')],
  ['another protocol', () => startSaying('220 mail.example ESMTP\r\n')],
  ['a status that is no number', () => startSaying('HTTP/1.1 2xx OK\r\n\r\n')],
  ['a status below 100', () => startSaying('HTTP/1.1 042 X\r\ncontent-length: 0\r\n\r\n')],
  [
    'an upgrade without a request for it',
    () => startSaying('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['two lengths', () => startSaying(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`)],
  ['a header without end', () => startSaying(`${OK}x: ${'x'.repeat(20_000)}`)],
  ['a reset', startResetting],
  ['nothing, closing', () => startSayingAndClosing('')],
  ['half a header, closing', () => startSayingAndClosing('HTTP/1.1 200 OK\r\nconte')],
])('an endpoint that answers %s counts as without an answer', async (_what, start) => {
  await using server = await start()
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(failed('connect'))
})

test('a body that is ended by closing the connection is complete', async () => {
  await using server = await startSayingAndClosing(`${OK}connection: close\r\n\r\nwhole`)
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(answered(200, 'whole'))
})

test('a port without a listener is a failure to connect, over https too', async () => {
  const server = await startHanging()
  await server[Symbol.asyncDispose]()
  for (const scheme of ['http', 'https']) {
    const delivery = deliveryTo(`${scheme}://127.0.0.1:${server.port}/`)
    expect(await createSender().send(delivery, NOW)).toEqual(failed('connect'))
  }
})

test('when the first address of a name is not reachable the next one is tried', async () => {
  await using server = await startCanary('127.0.0.2')
  const sender = createSender({ resolve: async () => ['127.0.0.1', '127.0.0.2'] })
  const delivery = deliveryTo(`http://a.test:${server.port}/`)
  expect(await sender.send(delivery, NOW)).toEqual(answered(204))
  const nowhere = createSender({ resolve: async () => ['127.0.0.3', '127.0.0.4'] })
  for (const scheme of ['http', 'https']) {
    const lost = deliveryTo(`${scheme}://a.test:${server.port}/`)
    expect(await nowhere.send(lost, NOW)).toEqual(failed('connect'))
  }
})

test.each([
  ['does not exist', async () => []],
  ['cannot be looked up', () => Promise.reject(new Error('SERVFAIL'))],
])('a name that %s fails with dns', async (_what, resolve) => {
  const sender = createSender({ resolve })
  expect(await sender.send(deliveryTo('https://a.test/'), NOW)).toEqual(failed('dns'))
})

test.each([
  [
    'is longer than 16 KiB',
    () => startSaying(`${OK}content-length: 20000\r\n\r\n${'.'.repeat(20_000)}`),
  ],
  [
    'comes in one chunk of 1 MiB',
    () =>
      startSaying(
        `${OK}transfer-encoding: chunked\r\n\r\n100000\r\n${'.'.repeat(0x100000)}\r\n0\r\n\r\n`,
      ),
  ],
  ['never ends', startEndless],
])('a success whose body %s is a success, and its connection is closed', async (_what, start) => {
  await using server = await start()
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(
    answered(200, '.'.repeat(1_024)),
  )
  await server.allClosed()
})

test.each([
  ['does not come', () => startSaying(`${OK}content-length: 9\r\n\r\n`), ''],
  ['stalls', () => startSaying(`${OK}content-length: 9\r\n\r\nhalf`), 'half'],
])('a success whose body %s is one after a second', async (_what, start, excerpt) => {
  await using server = await start()
  const outcome = await createSender().send(deliveryTo(server), NOW)
  expect(outcome).toEqual(answered(200, excerpt))
  expect(outcome.durationMs).toBeLessThan(10_000)
  await server.allClosed()
})

test('a success whose body stalls is one at the deadline, where that comes first', async () => {
  await using server = await startSaying(`${OK}content-length: 9\r\n\r\nhalf`)
  const sender = createSender({ deadlineMs: SHORT_MS })
  expect(await sender.send(deliveryTo(server), NOW)).toEqual(answered(200, 'half'))
  await server.allClosed()
})

test.each([
  ['half a body', `${OK}content-length: 9\r\n\r\nhalf`, 'half'],
  ['half a chunk', `${OK}transfer-encoding: chunked\r\n\r\n9\r\nhalf`, 'half'],
  ['a broken chunk', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, ''],
])('a success with %s is a success', async (_what, text, excerpt) => {
  await using server = await startSayingAndClosing(text)
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(answered(200, excerpt))
})

test('a body of exactly 16 KiB is read, and its connection used again', async () => {
  const say = (socket: Socket) =>
    socket.write(`${OK}content-length: 16384\r\n\r\n${'.'.repeat(16_384)}`)
  await using server = await listen(
    createTcpServer((socket) => socket.on('data', () => say(socket))),
  )
  const sender = createSender()
  await sender.send(deliveryTo(server), NOW)
  await sender.send(deliveryTo(server), NOW)
  expect(server.connections()).toBe(1)
})

test('a compressed body is counted and stored as it comes', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  const header = `${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
  await using server = await startSaying(Buffer.concat([Buffer.from(header), bomb]))
  const outcome = await createSender().send(deliveryTo(server), NOW)
  expect(outcome).toMatchObject({ succeeded: true, status: 200 })
  expect(outcome.bodyExcerpt.length).toBeLessThanOrEqual(1_024)
})

test('a failing status is reported as such, whatever its body', async () => {
  await using endless = await startEndless(500)
  const sender = createSender({ deadlineMs: 1_000 })
  expect(await sender.send(deliveryTo(endless), NOW)).toEqual(answered(500, '.'.repeat(1_024)))
  await endless.allClosed()

  const half = 'HTTP/1.1 500 X\r\ncontent-length: 9\r\n\r\nhalf'
  await using cut = await startSayingAndClosing(half)
  expect(await sender.send(deliveryTo(cut), NOW)).toEqual(answered(500, 'half'))
  await using stalled = await startSaying(half)
  const hasty = createSender({ deadlineMs: SHORT_MS })
  expect(await hasty.send(deliveryTo(stalled), NOW)).toEqual(answered(500, 'half'))
})

test('the excerpt is complete UTF-8 of at most 1 KiB, without control characters', async () => {
  const say = (body: Buffer) =>
    startSaying(Buffer.concat([Buffer.from(`${OK}content-length: ${body.length}\r\n\r\n`), body]))
  await using euros = await say(Buffer.from('€'.repeat(500)))
  expect(await createSender().send(deliveryTo(euros), NOW)).toEqual(answered(200, '€'.repeat(341)))
  await using dirty = await say(
    Buffer.from('a\u0000b\u001b[31mc\td\r\ne\u007ff\u009bg\xff', 'latin1'),
  )
  const { bodyExcerpt } = await createSender().send(deliveryTo(dirty), NOW)
  expect(bodyExcerpt).toBe('a\ufffdb\ufffd[31mc\td\r\ne\ufffdf\ufffdg\ufffd')
  await using packed = await say(Buffer.alloc(2_000, 1))
  expect(await createSender().send(deliveryTo(packed), NOW)).toEqual(
    answered(200, '\ufffd'.repeat(341)),
  )
})

test('a certificate is checked: trusted and for this host, or no delivery', async () => {
  await using server = await listen(
    createTlsServer(testCertificate, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(`${OK}content-length: 0\r\n\r\n`))
    }),
  )
  const to = (host: string) => deliveryTo(`https://${host}:${server.port}/`)
  const trusting = createSender({ tlsCa: testCertificate.cert })
  expect(await trusting.send(to('webhook.test'), NOW)).toEqual(answered(200))
  expect(await trusting.send(to('127.0.0.1'), NOW)).toEqual(answered(200))
  expect(await trusting.send(to('another.test'), NOW)).toEqual(failed('tls'))
  expect(await createSender().send(to('webhook.test'), NOW)).toEqual(failed('tls'))
})

test.each([
  ['plain HTTP', () => startSaying('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')],
  ['a reset', startResetting],
  ['a closed connection', () => startSayingAndClosing('')],
])('an https endpoint that answers the handshake with %s fails with tls', async (_what, start) => {
  await using server = await start()
  const delivery = deliveryTo(`https://127.0.0.1:${server.port}/`)
  expect(await createSender().send(delivery, NOW)).toEqual(failed('tls'))
})

test('a TLS connection that breaks after the handshake fails with tls', async () => {
  const forged = Buffer.from([23, 3, 3, 0, 32, ...Buffer.alloc(32)]) // Encrypted with no key of theirs.
  const secureContext = createSecureContext(testCertificate)
  const breaking = createTcpServer((socket) => {
    const [near, far] = duplexPair()
    const tls = new TLSSocket(near, { isServer: true, secureContext })
    tls.on('error', () => {})
    tls.once('data', () => socket.write(forged))
    socket.pipe(far).pipe(socket)
  })
  await using server = await listen(breaking)
  const sender = createSender({ tlsCa: testCertificate.cert })
  const delivery = deliveryTo(`https://127.0.0.1:${server.port}/`)
  expect(await sender.send(delivery, NOW)).toEqual(failed('tls'))
})

test('plain http to an https port is a failure to connect', async () => {
  await using server = await listen(createTlsServer(testCertificate).on('tlsClientError', () => {}))
  expect(await createSender().send(deliveryTo(server), NOW)).toEqual(failed('connect'))
})

test('a request that cannot be made, or is made after closing, has an outcome too', async () => {
  const sender = createSender()
  expect(await sender.send(deliveryTo('not a url'), NOW)).toEqual(failed('connect'))
  expect(await sender.send(deliveryTo('ftp://127.0.0.1/'), NOW)).toEqual(failed('connect'))
  await sender.close()
  senders.length = 0
  expect(await sender.send(deliveryTo('http://127.0.0.1:9/'), NOW)).toEqual(failed('connect'))
})

test('an endpoint that misbehaved is delivered to again once it behaves', async () => {
  const replies = ['garbage\r\n\r\n', `${OK}content-length: 0\r\n\r\n`]
  const tcp = createTcpServer((socket) =>
    socket.once('data', () => socket.write(replies.shift() ?? '')),
  )
  await using server = await listen(tcp)
  const sender = createSender()
  expect(await sender.send(deliveryTo(server), NOW)).toEqual(failed('connect'))
  expect(await sender.send(deliveryTo(server), NOW)).toEqual(answered(200))
})

test('attempts of other tenants that hang at a host delay none at that host', async () => {
  const server = createHttpServer((request, response) => {
    if (request.url === '/answers') response.writeHead(204).end()
  })
  await using local = await listen(server)
  const origin = `http://127.0.0.1:${local.port}`
  const sender = createSender()
  const held = Array.from({ length: 300 }, () => sender.send(deliveryTo(`${origin}/hangs`), NOW))
  const answered = sender.send(deliveryTo(`${origin}/answers`), NOW)
  expect(await answered).toMatchObject({ succeeded: true })
  server.closeAllConnections()
  await Promise.all(held)
})

test.each([
  [429, '60', 60_000],
  [429, ' 60 \t', 60_000],
  [503, '9'.repeat(30), 1_000_000_000_000],
  [503, 'Fri, 20 Nov 2026 10:02:00 GMT', 119_100],
] as const)('the Retry-After of a %i is returned, %s', async (status, header, asked) => {
  const head = `HTTP/1.1 ${status} X\r\nretry-after: ${header}\r\n`
  await using whole = await startSaying(`${head}content-length: 0\r\n\r\n`)
  await using cut = await startSayingAndClosing(`${head}content-length: 10\r\n\r\nabc`)
  for (const server of [whole, cut]) {
    const outcome = await createSender().send(deliveryTo(server), NOW)
    expect(outcome).toMatchObject({ status, succeeded: false })
    // A date is counted from the answer, not from the start.
    expect(outcome.retryAfterMs).toBe(header.endsWith('GMT') ? asked - outcome.durationMs : asked)
  }
})

test.each([
  ['HTTP/1.1 500 X\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n'],
  ['HTTP/1.1 302 X\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n'],
  ['HTTP/1.1 200 X\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n'],
  ['HTTP/1.1 429 X\r\nretry-after: soon\r\ncontent-length: 0\r\n\r\n'],
])('a Retry-After of another status, or that cannot be read, is left out: %j', async (answer) => {
  await using server = await startSaying(answer)
  const outcome = await createSender().send(deliveryTo(server), NOW)
  expect(outcome).not.toHaveProperty('retryAfterMs')
})
