import { createServer as createHttpsServer } from 'node:https'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/core/time.ts'
import { createMailer } from '../../src/providers/mail/mailer.ts'
import { createOidcProvider } from '../../src/providers/oidc/oidc-provider.ts'
import { proxyFor } from '../../src/providers/outbound/outbound-proxy.ts'
import { createGuardedHttp } from '../../src/providers/vendors/guarded-http.ts'
import { startConnectProxy } from '../support/servers/connect-proxy.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { type LocalServer, listen } from '../support/servers/misbehaving-server.ts'
import { testCertificate } from '../support/servers/test-certificate.ts'

const before = getCACertificates()
let vendor: LocalServer
beforeAll(async () => {
  setDefaultCACertificates([...before, testCertificate.cert])
  vendor = await listen(
    createHttpsServer(testCertificate, ({ headers }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ host: headers.host }))
    }),
  )
})
afterAll(async () => {
  setDefaultCACertificates(before)
  await vendor[Symbol.asyncDispose]()
})

test.each([
  ['vendor.example', 443, '', true],
  ['localhost', 443, '', false],
  ['127.0.0.9', 443, '', false],
  ['::1', 443, '', false],
  ['vendor.example', 443, 'vendor.example', false],
  ['Vendor.Example.', 443, 'vendor.example', false],
  ['api.vendor.example', 443, '.vendor.example', false],
  ['notvendor.example', 443, 'vendor.example', true],
  ['vendor.example', 443, 'vendor.example:8443', true],
  ['vendor.example', 8443, 'vendor.example:8443', false],
  ['10.0.0.7', 443, '10.0.0.7', false],
  ['110.0.0.7', 443, '0.0.7', true],
  ['[2001:db8::7]', 443, '2001:db8::7', false],
  ['vendor.example', 443, '*', false],
])('%s:%d with NO_PROXY=%s goes through the proxy: %s', (hostname, port, noProxy, isProxied) => {
  const proxy = { url: 'http://proxy.example:3128', except: noProxy === '' ? [] : [noProxy] }
  expect(proxyFor({ host: hostname, port }, proxy)).toBe(isProxied ? proxy.url : undefined)
})

function openVendor(url: string, except: string[] = []) {
  const watch = { onCall: () => undefined, onBreaker: () => undefined }
  return createGuardedHttp('kyc', {
    ...{ deadlineMs: 5_000, proxy: { url, except } },
    breaker: { failures: 5, windowMs: 60_000, pauseMs: 60_000 },
    ...{ clock: systemClock, watch, logger: pino({ level: 'silent' }) },
  })
}

const ask = (url: string) => ({
  ...({ operation: 'check', method: 'GET', url, headers: {} } as const),
  read: (answer: unknown) => answer,
})

test('a vendor is reached through the proxy by its name, with TLS to the vendor itself', async () => {
  await using open = new AsyncDisposableStack()
  const proxy = open.use(await startConnectProxy(() => vendor.port))
  const url = new URL(proxy.url)
  Object.assign(url, { username: 'lender', password: 'secret' })
  const http = openVendor(url.href, ['localhost'])
  open.defer(() => http.close())
  expect(await http.send(ask('https://webhook.test/check'))).toEqual({ host: 'webhook.test' })
  expect(proxy.asked).toMatchObject([{ authority: 'webhook.test:443' }])
  expect(proxy.asked[0]?.headers['proxy-authorization']).toMatch(/^Basic /)
  await expect(http.send(ask('https://another.test/'))).rejects.toMatchObject({ reason: 'network' })
})

test('a vendor on this machine is reached without the proxy, and a refusal of the proxy is a failed call', async () => {
  await using open = new AsyncDisposableStack()
  const proxy = open.use(await startConnectProxy(() => ({ status: 407 })))
  const http = openVendor(proxy.url)
  open.defer(() => http.close())
  const near = `https://127.0.0.1:${vendor.port}/check`
  expect(await http.send(ask(near))).toEqual({ host: `127.0.0.1:${vendor.port}` })
  expect(proxy.asked).toEqual([])
  await expect(http.send(ask('https://webhook.test/'))).rejects.toMatchObject({ reason: 'network' })
})

test('a mail server whose name ends with a dot is asked for by the name without it', async () => {
  await using open = new AsyncDisposableStack()
  const names: string[] = []
  const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
    names.push(name)
    done(new Error('enough is seen'))
  }
  const server = open.use(await listen(createTlsServer({ ...testCertificate, SNICallback })))
  const proxy = open.use(await startConnectProxy(() => server.port))
  const mailer = createMailer({
    ...{ url: 'smtps://mail.example.', from: 'alerts@lender.example' },
    proxy: { url: proxy.url, except: [] },
  })
  open.defer(() => mailer.close())
  const mail = { to: 'ada@lender.example', messageId: 'one', subject: 'a', text: 'b' }
  await expect(mailer.send(mail)).rejects.toThrow()
  expect(names).toEqual(['mail.example'])
})

test('the mail server is reached through the proxy, and still must offer STARTTLS', async () => {
  await using open = new AsyncDisposableStack()
  const server = open.use(await startMailServer())
  const port = Number(new URL(server.url).port)
  const proxy = open.use(await startConnectProxy(() => port))
  const mailer = createMailer({
    ...{ url: 'smtp://mail.example', from: 'alerts@lender.example' },
    proxy: { url: proxy.url, except: [] },
  })
  open.defer(() => mailer.close())
  const mail = {
    to: 'ada@lender.example',
    messageId: 'one@lender.example',
    subject: 'a',
    text: 'b',
  }
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETLS' })
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['mail.example:587'])
  expect(server.mails).toEqual([])
})

test('an OIDC provider is discovered through the proxy', async () => {
  await using open = new AsyncDisposableStack()
  const proxy = open.use(await startConnectProxy(() => vendor.port))
  const provider = createOidcProvider(
    {
      ...{ issuer: 'https://webhook.test', clientId: 'console', clientSecret: 'x'.repeat(32) },
      ...{ name: 'Sign in', redirectUri: 'https://api.example.com/callback' },
    },
    { url: proxy.url, except: [] },
  )
  // The vendor's answer is no discovery document.
  await expect(provider.begin({ isFresh: false })).rejects.toThrow()
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['webhook.test:443'])
})
