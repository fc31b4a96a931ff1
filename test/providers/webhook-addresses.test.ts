import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { createAddressPolicy } from '../../src/domain/webhooks/address-policy.ts'
import type { WebhookSender } from '../../src/domain/webhooks/webhook-sender.ts'
import { checkWebhookHost, parseWebhookUrl } from '../../src/domain/webhooks/webhook-url.ts'
import { createHostResolver } from '../../src/providers/webhooks/host-resolver.ts'
import { createWebhookSender } from '../../src/providers/webhooks/webhook-sender.ts'
import { type DnsZone, startDnsServer } from '../support/servers/dns-server.ts'
import { startCanary } from '../support/servers/misbehaving-server.ts'
import { PRIVATE, REACHING } from '../support/servers/private-addresses.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const PUBLIC = '93.184.216.34'
const REFUSED = 'The URL does not lead to a public address.'

const senders: WebhookSender[] = []
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()))
})

/** Resolves names by a name server of its own, which knows `zone` alone. */
async function startSender(options: { allow?: string[]; zone?: DnsZone } = {}) {
  const dns = await startDnsServer(options.zone ?? {})
  const policy = createAddressPolicy(options.allow ?? [])
  const resolve = createHostResolver({ servers: () => [dns.address], hostsFile: '/nonexistent' })
  const sender = createWebhookSender({ policy, resolve })
  senders.push(sender)
  return {
    dns,
    post: (url: string) => {
      const body = Buffer.from('{}')
      return sender.send({ url, body, eventId: 'evt_1', attempt: 1, secret: undefined }, NOW)
    },
    check: (url: string) => checkWebhookHost(new URL(url), policy, resolve),
    [Symbol.asyncDispose]: () => dns[Symbol.asyncDispose](),
  }
}

describe.each(['http', 'https'])('over %s', (scheme) => {
  test.each(REACHING)(
    '%s is refused at registration and at delivery, and the canary has no connection',
    async (host) => {
      await using canary = await startCanary()
      await using egress = await startSender()
      const url = `${scheme}://${host}:${canary.port}/`
      expect(parseWebhookUrl(url, { allowHttp: true })).toHaveProperty('url')
      expect(await egress.check(url)).toBe(REFUSED)
      expect(await egress.post(url)).toMatchObject({ error: 'address_not_allowed' })
      expect(canary.connections()).toBe(0)
    },
  )

  test.each(PRIVATE)('%s is refused at registration and at delivery', async (host) => {
    await using egress = await startSender()
    const url = `${scheme}://${host}/`
    expect(await egress.check(url)).toBe(REFUSED)
    expect(await egress.post(url)).toMatchObject({ error: 'address_not_allowed' })
  })
})

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)

// Without this, the tests above would also pass for addresses that lead nowhere.
test.each(REACHING.filter((host) => hasIpv6 || !host.startsWith('[')))(
  '%s reaches the canary where everything is allowed',
  async (host) => {
    await using canary = await startCanary()
    await using egress = await startSender({ allow: ['0.0.0.0/0', '::/0'] })
    await egress.post(`http://${host}:${canary.port}/`)
    expect(canary.connections()).toBeGreaterThan(0)
  },
)

test.each<[string, string[], { alias?: string }?]>([
  ['only a private address', ['127.0.0.1']],
  ['a public address, then a private one', [PUBLIC, '127.0.0.1']],
  ['a private address, then a public one', ['127.0.0.1', PUBLIC]],
  ['a public IPv4 and a private IPv6 address', [PUBLIC, '::1']],
  ['a private IPv4 and a public IPv6 address', ['127.0.0.1', '2606:4700::1111']],
  ['an IPv4-mapped address', ['::ffff:7f00:1']],
  ['an alias that is private', ['127.0.0.1'], { alias: 'inside.test' }],
])('a name with %s is refused at registration and at delivery', async (_what, addresses, alias) => {
  await using canary = await startCanary()
  await using egress = await startSender({ zone: { 'a.test': [{ addresses, ...alias }] } })
  const url = `http://a.test:${canary.port}/`
  expect(await egress.check(url)).toBe(REFUSED)
  expect(await egress.post(url)).toMatchObject({ error: 'address_not_allowed' })
  expect(canary.connections()).toBe(0)
})

test('the address connected to is the one checked: one lookup for each connection, no other after it', async () => {
  // 127.0.0.2 plays the public address; a second lookup would lead to the canary on 127.0.0.3.
  const zone = { 'a.test': [{ addresses: ['127.0.0.2'] }, { addresses: ['127.0.0.3'] }] }
  await using endpoint = await startCanary('127.0.0.2')
  await using egress = await startSender({ allow: ['127.0.0.2/32'], zone })
  const url = `http://a.test:${endpoint.port}/`
  expect(await egress.post(url)).toMatchObject({ succeeded: true })
  expect(endpoint.connections()).toBe(1)
  expect(egress.dns.lookups('a.test', 'A')).toBe(1)
  // The endpoint has closed its connection, so the next attempt needs a new one, checked again.
  expect(await egress.post(url)).toMatchObject({ error: 'address_not_allowed' })
})

test('a name that does not resolve is accepted at registration and fails with dns', async () => {
  await using egress = await startSender({ zone: { 'broken.test': [{ rcode: 2 }] } })
  for (const url of ['https://unknown.test/', 'https://broken.test/']) {
    expect(await egress.check(url)).toBeUndefined()
    expect(await egress.post(url)).toMatchObject({ error: 'dns' })
  }
})
