import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/webhooks/address-policy.ts'
import { createHttpPool, readBounded } from '../../src/providers/http-pool.ts'
import { createOidcProvider } from '../../src/providers/oidc/oidc-provider.ts'
import { createGuardedHttp } from '../../src/providers/vendors/guarded-http.ts'
import { createWebhookSender } from '../../src/providers/webhooks/webhook-sender.ts'
import { type LocalServer, listen } from '../support/servers/misbehaving-server.ts'
import { testCertificate } from '../support/servers/test-certificate.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

let open = new AsyncDisposableStack()
afterEach(async () => {
  await open.disposeAsync()
  open = new AsyncDisposableStack()
})

const answerOf = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/** A request arrives in one piece on loopback. Both numbers count from 1, requests by connection. */
type React = (socket: Socket, connection: number, request: number) => void

function startRaw(react: React, { isTls = false } = {}): Promise<LocalServer> {
  let connections = 0
  const accept = (socket: Socket) => {
    connections += 1
    const connection = connections
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      requests += 1
      react(socket, connection, requests)
    })
  }
  return listen(isTls ? createTlsServer(testCertificate, accept) : createServer(accept))
}

/** Calls out as the service does. `body` is an answer by which `call` resolves with "taken". */
type Caller = { call(origin: string): Promise<unknown>; body: string }

function delivering(): Caller {
  const sender = createWebhookSender({
    policy: createAddressPolicy(['127.0.0.0/8']),
    resolve: async () => ['127.0.0.1'],
    deadlineMs: 5_000,
    tlsCa: testCertificate.cert,
  })
  open.defer(() => sender.close())
  const delivery = { body: Buffer.from('{}'), eventId: 'evt_1', attempt: 1, secret: 'whsec_x' }
  const now = new Date('2026-11-20T10:00:00Z')
  return {
    body: 'taken',
    async call(origin) {
      const { status, error, bodyExcerpt } = await sender.send({ ...delivery, url: origin }, now)
      return status === 200 ? bodyExcerpt : error
    },
  }
}

function callingVendor(method: 'GET' | 'POST'): Caller {
  const http = createGuardedHttp('payments', {
    deadlineMs: 5_000,
    breaker: { failures: 5, windowMs: 120_000, pauseMs: 60_000 },
    watch: { onCall: () => undefined, onBreaker: () => undefined },
    logger: pino({ level: 'silent' }),
    clock: () => new Date(),
  })
  open.defer(() => http.close())
  return {
    body: '"taken"',
    call: (url) => {
      const body = method === 'POST' ? { body: '{}' } : {}
      const call = { operation: 'payouts', method, url, headers: {}, ...body }
      return http.send({ ...call, read: (answer) => answer }).catch(({ reason }) => reason)
    },
  }
}

/** Deliveries, vendors, and exchanges, which are called as vendors are. */
const CALLERS: readonly (readonly [string, () => Caller])[] = [
  ['a delivery', delivering],
  ['a payout', () => callingVendor('POST')],
  ['a ticker', () => callingVendor('GET')],
]

describe.each(CALLERS)('%s', (_name, create) => {
  test('is answered by what follows 100 Continue, however often that comes unasked', async () => {
    const { call, body } = create()
    const server = open.use(
      await startRaw((socket, _connection, request) => {
        socket.write(request === 1 ? CONTINUE + answerOf(body) : CONTINUE.repeat(3))
        if (request === 2) setImmediate(() => socket.write(answerOf(body)))
      }),
    )
    const origin = `http://127.0.0.1:${server.port}`
    expect(await call(origin)).toBe('taken')
    expect(await call(origin)).toBe('taken')
    expect(server.connections()).toBe(1)
  })

  test('goes out once more, on a new connection, when a reused one ends without a byte', async () => {
    const { call, body } = create()
    const server = open.use(
      await startRaw((socket, connection, request) => {
        if (connection === 1 && request === 2) socket.destroy()
        else socket.write(answerOf(body))
      }),
    )
    const origin = `http://127.0.0.1:${server.port}`
    expect(await call(origin)).toBe('taken')
    expect(await call(origin)).toBe('taken')
    expect(server.connections()).toBe(2)
  })

  test.each([
    ['a new connection ends', 1, ''],
    ['one byte of an answer came', 2, 'H'],
    ['100 Continue came', 2, CONTINUE],
  ])('goes out no second time when %s', async (_when, dyingRequest, said) => {
    const { call, body } = create()
    const server = open.use(
      await startRaw((socket, connection, request) => {
        if (connection === 1 && request === dyingRequest) socket.end(said)
        else socket.write(answerOf(body))
      }),
    )
    const origin = `http://127.0.0.1:${server.port}`
    if (dyingRequest === 2) expect(await call(origin)).toBe('taken')
    expect(['connect', 'network']).toContain(await call(origin))
    expect(server.connections()).toBe(1)
  })

  test('goes out no third time when the new connection ends too', async () => {
    const { call, body } = create()
    const server = open.use(
      await startRaw((socket, connection, request) => {
        if (connection === 1 && request === 1) socket.write(answerOf(body))
        else socket.destroy()
      }),
    )
    const origin = `http://127.0.0.1:${server.port}`
    expect(await call(origin)).toBe('taken')
    expect(['connect', 'network']).toContain(await call(origin))
    expect(server.connections()).toBe(2)
  })
})

test('a delivery over TLS goes out once more when a reused connection ends, with its name', async () => {
  const { call, body } = delivering()
  const server = open.use(
    await startRaw(
      (socket, connection, request) => {
        if (connection === 1 && request === 2) socket.destroy()
        else socket.write(answerOf(body))
      },
      { isTls: true },
    ),
  )
  const origin = `https://webhook.test:${server.port}`
  expect(await call(origin)).toBe('taken')
  expect(await call(origin)).toBe('taken')
  expect(server.connections()).toBe(2)
})

test('a trailing dot of a host is no part of the server name, and a bare question mark is sent', async () => {
  const names: unknown[] = []
  const { call } = delivering()
  const tls = createTlsServer(testCertificate, (socket) => {
    names.push(socket.servername)
    socket.on('error', () => {})
    socket.on('data', () => socket.write(answerOf('taken')))
  })
  const server = open.use(await listen(tls))
  expect(await call(`https://webhook.test.:${server.port}/hooks?`)).toBe('taken')
  expect(names).toEqual(['webhook.test'])

  const plain = open.use(await startRaw((socket) => socket.write(answerOf('taken'))))
  expect(await call(`http://127.0.0.1:${plain.port}/hooks?`)).toBe('taken')
  expect(plain.received()).toMatch(/^POST \/hooks\? HTTP\/1.1\r\n/)
})

test('a connection is left when it is old, so that a host that moves is followed', async () => {
  const server = open.use(await startRaw((socket) => socket.write(answerOf('taken'))))
  const counts: number[] = []
  for (const maxAgeMs of [60_000, 0]) {
    const pool = createHttpPool({ maxAgeMs })
    for (const _ of [1, 2, 3]) {
      const url = new URL(`http://127.0.0.1:${server.port}`)
      const signal = AbortSignal.timeout(5_000)
      await readBounded(await pool.send({ url, method: 'GET', headers: {}, signal }), 100)
    }
    await pool.close()
    counts.push(server.connections())
  }
  expect(counts).toEqual([1, 4])
})

test('a sign-in goes on when the identity provider sends 100 Continue before its document', async () => {
  const server = open.use(
    await startRaw((socket) => {
      const issuer = `http://127.0.0.1:${server.port}`
      const document = JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` })
      const head = `content-type: application/json\r\ncontent-length: ${document.length}\r\n\r\n`
      socket.write(`${CONTINUE}HTTP/1.1 200 OK\r\n${head}${document}`)
    }),
  )
  const issuer = `http://127.0.0.1:${server.port}`
  const provider = createOidcProvider({
    ...{ issuer, clientId: 'console', clientSecret: 'secret', name: 'Provider' },
    redirectUri: 'https://console.test/callback',
  })
  const { url } = await provider.begin({ isFresh: false })
  expect(url).toMatch(`${issuer}/auth?`)
})
