import { expect, test, vi } from 'vitest'
import { createAddressPolicy } from '../../../src/domain/webhooks/address-policy.ts'
import {
  checkWebhookHost,
  literalAddress,
  parseWebhookUrl,
} from '../../../src/domain/webhooks/webhook-url.ts'

function parse(text: string): URL {
  const result = parseWebhookUrl(text, { allowHttp: true })
  if ('refusal' in result) throw new Error(`${text}: ${result.refusal}`)
  return result.url
}

test.each([
  'https://example.com',
  'https://example.com/hooks?tenant=1&x=%20',
  'HTTPS://Example.COM:8443/hooks',
  'https://example.com./',
  'https://example.com/hooks?',
  `https://${'a'.repeat(63)}.example/`,
  'https://bücher.example/ü',
  'https://93.184.216.34/',
  'https://[2606:4700::1111]:1/',
  'https://user.example/@hooks?to=me@example.com',
])('%s is accepted', (text) => {
  expect(parseWebhookUrl(text, { allowHttp: false })).toEqual({ url: new URL(text) })
})

test.each([
  ['http://example.com/', 'must use https'],
  ['ftp://example.com/', 'must use https'],
  ['javascript:alert(1)', 'cannot be read'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://user@example.com/', 'credentials'],
  ['https://@example.com/', 'credentials'],
  ['https://example.com/#top', 'fragment'],
  ['https://example.com/#', 'fragment'],
  ['https://', 'cannot be read'],
  ['https:///hooks', 'cannot be read'],
  ['https://:443/', 'cannot be read'],
  ['https://exa mple.com/', 'cannot be read'],
  ['https://example.com:65536/', 'cannot be read'],
  ['https://256.256.256.256/', 'cannot be read'],
  ['https://[fe80::1%25eth0]/', 'cannot be read'],
  ['example.com/hooks', 'cannot be read'],
  ['', 'cannot be read'],
  // A URL parser would quietly repair these; what is registered should be what is delivered to.
  [' https://example.com/', 'cannot be read'],
  ['https://example.com/\n', 'cannot be read'],
  ['https://exam\tple.com/', 'cannot be read'],
  ['https:example.com', 'cannot be read'],
  ['https:\\\\example.com\\', 'cannot be read'],
  ['https://example.com\\@127.0.0.1/', 'cannot be read'],
  ['https://example.com:0/', 'port 0'],
  ['https://example.com:00/', 'port 0'],
  ['https://example..com/', '1 to 63'],
  ['https://example.com../', '1 to 63'],
  ['https://.example.com/', '1 to 63'],
  ['https://./', '1 to 63'],
  ['https://example。。com/', '1 to 63'],
  [`https://${'a'.repeat(64)}.example/`, '1 to 63'],
  [`https://example.com/${'a'.repeat(2_029)}`, 'longer than 2048'],
  [`https://example.com/${'ü'.repeat(1_000)}`, 'longer than 2048'],
])('%j is refused: %s', (text, reason) => {
  const result = parseWebhookUrl(text, { allowHttp: false })
  expect(result).toEqual({ refusal: expect.stringContaining(reason) })
})

test('a URL of 2,048 characters is accepted', () => {
  const text = `https://example.com/${'a'.repeat(2_028)}`
  expect(parseWebhookUrl(text, { allowHttp: false })).toEqual({ url: new URL(text) })
})

test('plain http is accepted where it is allowed, other schemes never', () => {
  expect(parseWebhookUrl('http://example.com/', { allowHttp: true })).toHaveProperty('url')
  expect(parseWebhookUrl('ftp://example.com/', { allowHttp: true })).toHaveProperty('refusal')
})

test.each([
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f000001/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://017700000001/', '127.0.0.1'],
  ['http://0177.0.0.01/', '127.0.0.1'],
  ['http://127%2e0%2e0%2e1/', '127.0.0.1'],
  ['http://１２７．０．０．１/', '127.0.0.1'],
  ['http://127。0。0。1/', '127.0.0.1'],
  ['http://0/', '0.0.0.0'],
  ['http://[::1]/', '::1'],
  ['http://[0:0:0:0:0:0:0:1]/', '::1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[::127.0.0.1]/', '::7f00:1'],
  ['http://[64:ff9b::127.0.0.1]/', '64:ff9b::7f00:1'],
])('%s is read as the address %s', (text, address) => {
  expect(literalAddress(parse(text))).toBe(address)
})

test.each([
  'http://example.com/',
  'http://127.0.0.1.example.com/',
  'http://localhost/',
  'http://a.1b/',
])('%s is a host name, not an address', (text) => {
  expect(literalAddress(parse(text))).toBeUndefined()
})

const strict = createAddressPolicy([])

function check(text: string, resolve: () => Promise<readonly string[]>, policy = strict) {
  return checkWebhookHost(parse(text), policy, resolve)
}

const REFUSED = 'The URL does not lead to a public address.'

test('a literal address is checked without a name server', async () => {
  const resolve = vi.fn(async () => ['8.8.8.8'])
  expect(await check('https://2130706433/', resolve)).toBe(REFUSED)
  expect(await check('https://[::ffff:8.8.8.8]/', resolve)).toBe(REFUSED)
  expect(await check('https://8.8.8.8/', resolve)).toBeUndefined()
  expect(resolve).not.toHaveBeenCalled()
})

test('one refused address among the answers refuses the name, at any place', async () => {
  expect(await check('https://a.test/', async () => ['8.8.8.8', '2606:4700::1111'])).toBeUndefined()
  expect(await check('https://a.test/', async () => ['8.8.8.8', '10.0.0.1'])).toBe(REFUSED)
  expect(await check('https://a.test/', async () => ['::1', '8.8.8.8'])).toBe(REFUSED)
})

test('a name that does not resolve, or has a failing name server, is accepted', async () => {
  expect(await check('https://a.test/', async () => [])).toBeUndefined()
  const failing = () => Promise.reject(new Error('SERVFAIL'))
  expect(await check('https://a.test/', failing)).toBeUndefined()
})

test.each([
  'postgres',
  'redis.',
  'db.internal',
  'DB.Internal.',
  'x.corp',
  'nas.home.arpa',
  'a.lan',
])('the inner name %s gets the same answer whether it exists or not', async (host) => {
  expect(await check(`https://${host}/`, async () => ['10.0.0.1'])).toBe(REFUSED)
  expect(await check(`https://${host}/`, async () => [])).toBe(REFUSED)
  const failing = () => Promise.reject(new Error('SERVFAIL'))
  expect(await check(`https://${host}/`, failing)).toBe(REFUSED)
  const opened = createAddressPolicy(['10.0.0.0/8'])
  expect(await check(`https://${host}/`, async () => ['10.0.0.1'], opened)).toBeUndefined()
})

test.each(['localhost', 'localhost.', 'LOCALHOST', 'foo.localhost', 'foo.localhost.'])(
  '%s is refused whatever it resolves to, unless loopback is allowed',
  async (host) => {
    expect(await check(`https://${host}/`, async () => ['8.8.8.8'])).toBe(REFUSED)
    const local = createAddressPolicy(['127.0.0.0/8'])
    expect(await check(`https://${host}/`, async () => ['127.0.0.1'], local)).toBeUndefined()
    expect(await check(`https://${host}/`, async () => ['10.0.0.1'], local)).toBe(REFUSED)
  },
)

test.each([
  ['http://127.0.0.1/', 80],
  ['https://127.0.0.1/', 443],
  ['https://localhost:5432/', 5432],
  ['http://localhost:80/', 80],
])(
  '%s is refused where port %i is the stack’s own, though loopback is allowed',
  async (url, port) => {
    const own = { ports: [port], addresses: () => [] }
    const policy = createAddressPolicy(['127.0.0.0/8'], own)
    expect(await check(url, async () => ['127.0.0.1'], policy)).toBe(REFUSED)
    const other = createAddressPolicy(['127.0.0.0/8'], { ...own, ports: [port + 1] })
    expect(await check(url, async () => ['127.0.0.1'], other)).toBeUndefined()
  },
)

test('a name that only ends like an inner name is an ordinary name', async () => {
  expect(await check('https://notlocalhost/', async () => ['8.8.8.8'])).toBeUndefined()
})
