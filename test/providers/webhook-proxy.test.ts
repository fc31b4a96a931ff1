import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/webhooks/address-policy.ts'
import type { WebhookSender } from '../../src/domain/webhooks/webhook-sender.ts'
import {
  createWebhookSender,
  type WebhookSenderOptions,
} from '../../src/providers/webhooks/webhook-sender.ts'
import { startConnectProxy } from '../support/servers/connect-proxy.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { testCertificate } from '../support/servers/test-certificate.ts'

const NOW = new Date('2026-11-20T10:00:00.900Z')
const PUBLIC = '203.0.114.9'

const owned = new AsyncDisposableStack()
let senders: WebhookSender[] = []
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close()))
  senders = []
})

/** Knows `webhook.test` by public addresses alone. */
function createSender(options: Partial<WebhookSenderOptions>): WebhookSender {
  const sender = createWebhookSender({
    policy: createAddressPolicy([]),
    resolve: async () => [PUBLIC],
    tlsCa: testCertificate.cert,
    ...options,
  })
  senders.push(sender)
  return sender
}

const to = (url: string) => ({
  ...{ url, body: Buffer.from('{}'), eventId: 'evt_1', attempt: 1, secret: undefined },
})

type Seen = { host: string | undefined; servername: unknown; from: string | undefined }

async function startReceivers() {
  const seen: Seen[] = []
  const answer = (request: IncomingMessage) => {
    const { servername } = request.socket as TLSSocket
    seen.push({ host: request.headers.host, servername, from: request.socket.remoteAddress })
  }
  const https = owned.use(
    await listen(
      createHttpsServer(testCertificate, (request, response) => {
        answer(request)
        response.end('thanks')
      }),
    ),
  )
  const http = owned.use(
    await listen(
      createHttpServer((request, response) => {
        answer(request)
        response.end('thanks')
      }),
    ),
  )
  return { seen, https, http }
}

test('a delivery through a proxy asks it for the checked address, and SNI and Host keep the name', async () => {
  await using open = new AsyncDisposableStack()
  const { seen, https, http } = await startReceivers()
  const proxy = open.use(
    await startConnectProxy((authority) => (authority.endsWith(':443') ? https.port : http.port)),
  )
  const url = new URL(proxy.url)
  Object.assign(url, { username: 'lender', password: 'p@ss' })
  const sender = createSender({ proxy: url.href })
  expect(await sender.send(to('https://webhook.test/hook'), NOW)).toMatchObject({ status: 200 })
  expect(await sender.send(to('http://webhook.test:8080/hook'), NOW)).toMatchObject({ status: 200 })
  expect(await sender.send(to(`http://${PUBLIC}/hook`), NOW)).toMatchObject({ status: 200 })
  const authorities = proxy.asked.map(({ authority }) => authority)
  expect(authorities).toEqual([`${PUBLIC}:443`, `${PUBLIC}:8080`, `${PUBLIC}:80`])
  const credentials = `Basic ${Buffer.from('lender:p@ss').toString('base64')}`
  expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(credentials)
  expect(seen).toMatchObject([
    { host: 'webhook.test', servername: 'webhook.test' },
    { host: 'webhook.test:8080' },
    { host: PUBLIC },
  ])
})

test('the certificate of another name fails through a proxy too', async () => {
  await using open = new AsyncDisposableStack()
  const { https } = await startReceivers()
  const proxy = open.use(await startConnectProxy(() => https.port))
  const sender = createSender({ proxy: proxy.url })
  expect(await sender.send(to('https://another.test/hook'), NOW)).toMatchObject({ error: 'tls' })
})

test.each(['10.0.0.7', '127.0.0.1', '169.254.169.254', '::ffff:10.0.0.7'])(
  'a proxy is not asked for %s, nor for a name that has it among its addresses',
  async (address) => {
    await using open = new AsyncDisposableStack()
    const proxy = open.use(await startConnectProxy(() => undefined))
    const sender = createSender({ proxy: proxy.url, resolve: async () => [PUBLIC, address] })
    const literal = address.includes(':') ? `[${address}]` : address
    for (const host of ['webhook.test', literal]) {
      const outcome = await sender.send(to(`http://${host}/hook`), NOW)
      expect(outcome).toMatchObject({ error: 'address_not_allowed' })
    }
    expect(proxy.asked).toEqual([])
  },
)

test('a proxy that refuses one address is asked for the next, and one that refuses all fails with connect', async () => {
  await using open = new AsyncDisposableStack()
  const { http } = await startReceivers()
  const proxy = open.use(
    await startConnectProxy((authority) =>
      authority.startsWith('[2606:4700::1]') ? http.port : { status: 403 },
    ),
  )
  const sender = createSender({
    proxy: proxy.url,
    resolve: async (name) => (name === 'both.test' ? [PUBLIC, '2606:4700::1'] : [PUBLIC]),
  })
  expect(await sender.send(to('http://both.test/hook'), NOW)).toMatchObject({ status: 200 })
  expect(await sender.send(to('http://one.test/hook'), NOW)).toMatchObject({ error: 'connect' })
})

test('a proxy that does not answer ends the attempt at its deadline, and one that is away with connect', async () => {
  await using open = new AsyncDisposableStack()
  const silent = open.use(await startConnectProxy(() => undefined))
  const waiting = createSender({ proxy: silent.url, deadlineMs: 150 })
  const outcome = await waiting.send(to('http://webhook.test/'), NOW)
  expect(outcome).toMatchObject({ error: 'timeout' })
  expect(outcome.durationMs).toBeLessThan(5_000)
  const gone = await startConnectProxy(() => undefined)
  await gone[Symbol.asyncDispose]()
  const sender = createSender({ proxy: gone.url })
  expect(await sender.send(to('http://webhook.test/'), NOW)).toMatchObject({ error: 'connect' })
})

test('deliveries are sent from the bind address, to a receiver and to a proxy', async () => {
  await using open = new AsyncDisposableStack()
  const { seen, http } = await startReceivers()
  const policy = createAddressPolicy(['127.0.0.0/8'])
  const direct = createSender({ policy, bindAddress: '127.0.0.9' })
  const outcome = await direct.send(to(`http://127.0.0.1:${http.port}/`), NOW)
  expect(outcome).toMatchObject({ status: 200 })
  expect(seen).toMatchObject([{ from: '127.0.0.9' }])
  const clients: unknown[] = []
  const proxy = open.use(await startConnectProxy(() => http.port))
  const { createServer } = await import('node:net')
  const relay = open.use(
    await listen(
      createServer((socket) => {
        clients.push(socket.remoteAddress)
        socket.end(`HTTP/1.1 403 Refused\r\n\r\n${proxy.asked.length}`)
      }),
    ),
  )
  const through = createSender({
    proxy: `http://127.0.0.1:${relay.port}`,
    bindAddress: '127.0.0.9',
  })
  await through.send(to('http://webhook.test/'), NOW)
  expect(clients).toEqual(['127.0.0.9'])
})
