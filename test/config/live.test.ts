import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { faultsOf, liveEnvironment } from '../support/process/config.ts'

const LIVE = liveEnvironment({
  databaseUrl: 'postgres://lending_app:a-password@localhost/lending',
  redisUrl: 'redis://:another-password@localhost',
})
const WEAK_KEY =
  'ENCRYPTION_KEYS contains a key that is published or not random (k1); make one with: openssl rand -base64 32'
const WEAK_SECRET =
  'contains a secret that is published or not random; make one with: openssl rand -hex 32'

const base64 = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('base64')
const random = (bytes = 32) => randomBytes(bytes)
const faultsWith = (env: Record<string, string>) => faultsOf({ ...LIVE, ...env })

/** All of each, because a part of them is refused for what is missing. */
const VENDORS = Object.fromEntries(
  ['CUSTODIAN', 'PAYMENTS'].flatMap((name) => [
    [`${name}_URL`, `https://${name.toLowerCase()}.example.com`],
    ...['TOKEN', 'SIGNING_SECRET', 'CALLBACK_SECRETS'].map((part) => [
      `${name}_${part}`,
      random().toString('hex'),
    ]),
  ]),
)

test('a live stack with random keys, narrow ranges and an https address starts', () => {
  expect(loadConfig(LIVE)).toMatchObject({ stack: 'live', publicUrl: 'https://api.example.com' })
})

const repeated = random(16)
test.each([
  ['zero', Buffer.alloc(32)],
  ['one byte repeated', Buffer.alloc(32, 7)],
  ['two bytes in turn', Buffer.alloc(32, 'ab')],
  ['half a key, twice', Buffer.concat([repeated, repeated])],
  ['counting up', Buffer.from([...Array(32).keys()])],
  ['readable text', Buffer.from('nothing on the sandbox is secret')],
])('on live a weak encryption key is refused: %s', (_name, bytes) => {
  expect(faultsWith({ ENCRYPTION_KEYS: `k1:${base64(bytes)}` })).toEqual([WEAK_KEY])
})

test('on live a weak encryption key is refused anywhere in the list', () => {
  const keys = `k2:${base64(random())},k1:${base64(Buffer.alloc(32))}`
  expect(faultsWith({ ENCRYPTION_KEYS: keys })).toEqual([WEAK_KEY])
})

test('on live a thousand random encryption keys are accepted', () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => `k${at}:${base64(random())}`)
  expect(faultsWith({ ENCRYPTION_KEYS: keys.join(',') })).toEqual([])
})

test('the sandbox starts with an encryption key that is public', () => {
  const env = { ...LIVE, STACK: 'sandbox', ENCRYPTION_KEYS: `k1:${base64(Buffer.alloc(32))}` }
  expect(faultsOf(env)).toEqual([])
})

test.each([
  ['with other bits behind its last byte', '2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaN='],
  ['without padding', '2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaM'],
  ['behind a blank', ' 2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaM='],
])('on live a published key is refused however it is spelled: %s', (_name, text) => {
  expect(faultsWith({ ENCRYPTION_KEYS: `k1:${text}` })).toEqual([WEAK_KEY])
})

test.each([' http://api.example.com', '\thttp://api.example.com', 'HTTP://api.example.com'])(
  'on live an address without TLS is refused however it is spelled: %j',
  (PUBLIC_URL) => {
    expect(faultsWith({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL must be an https:// address on the live stack',
    ])
  },
)

test('no key that this repository publishes starts a live stack', () => {
  const published = new Set(
    publishedTexts().flatMap((text) =>
      [...text.matchAll(/(?<![\w+/=,-])[A-Za-z0-9+/]{43}=(?![\w+/=])/g)].map(([key]) => key),
    ),
  )
  expect(published).toContain('bm90aGluZyBvbiB0aGUgc2FuZGJveCBpcyBzZWNyZXQ=')
  for (const key of published) {
    expect(faultsWith({ ENCRYPTION_KEYS: `k1:${key}` }), key).toEqual([WEAK_KEY])
  }
})

/** Everything that is written here, packages and generated locks aside. */
function publishedTexts(): string[] {
  const root = join(import.meta.dirname, '..', '..')
  const folders = ['docs', 'deploy', 'scripts', 'src', 'test', 'migrations']
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const atRoot = ['.env.example', 'docker-compose.yml', 'docker-compose.scaled.yml', 'README.md']
  const paths = [...inFolders, ...[...atRoot, 'openapi.json'].map((name) => join(root, name))]
  return paths.map((path) => readFileSync(path, 'utf8'))
}

test.each(['KYC_SIGNING_SECRET', 'KYC_TOKEN', 'AML_API_KEY', 'PAYMENTS_CALLBACK_SECRETS'])(
  'on live a weak secret of a provider is refused: %s',
  (name) => {
    expect(faultsWith({ ...VENDORS, [name]: 's'.repeat(32) })).toEqual([`${name} ${WEAK_SECRET}`])
    const example = 'an-example-of-a-signing-secret-0001'
    expect(faultsWith({ ...VENDORS, [name]: example })).toEqual([`${name} ${WEAK_SECRET}`])
    expect(faultsWith({ ...VENDORS, [name]: random().toString('hex') })).toEqual([])
  },
)

test('on live each secret that the docs show is refused', () => {
  const docs = join(import.meta.dirname, '..', '..', 'docs')
  const page = readFileSync(join(docs, 'provider-contract.md'), 'utf8')
  const shown = new Set([...page.matchAll(/`(an-example-[\w-]+)`/g)].map(([, text = '']) => text))
  expect(shown.size).toBe(2)
  for (const text of shown) {
    const fault = `KYC_SIGNING_SECRET ${WEAK_SECRET}`
    expect(faultsWith({ KYC_SIGNING_SECRET: text })).toEqual([fault])
  }
})

const secret = random()
test.each([
  ['KYC_CALLBACK_SECRETS', 'CUSTODIAN_CALLBACK_SECRETS'],
  ['KYC_SIGNING_SECRET', 'KYC_CALLBACK_SECRETS'],
  ['KYC_TOKEN', 'AML_API_KEY'],
  ['CUSTODIAN_SIGNING_SECRET', 'PAYMENTS_SIGNING_SECRET'],
])('on live one secret for both %s and %s is refused', (one, other) => {
  const text = secret.toString('hex')
  expect(faultsWith({ ...VENDORS, [one]: text, [other]: text })).toEqual([
    `${other} must differ from the secret in ${one}`,
  ])
  expect(
    faultsWith({
      ...VENDORS,
      [one]: text,
      [other]: createHash('md5').update(text).digest('hex'),
    }),
  ).toEqual([])
})

test.each(['base64', 'hex'] as const)(
  'on live an encryption key is refused as a signing secret in %s',
  (form) => {
    const env = {
      ENCRYPTION_KEYS: `k1:${base64(secret)}`,
      KYC_SIGNING_SECRET: secret.toString(form),
    }
    expect(faultsWith(env)).toEqual([
      'KYC_SIGNING_SECRET must differ from the secret in ENCRYPTION_KEYS',
    ])
  },
)

test('on live the second of several callback secrets is refused when it serves another purpose', () => {
  const [first, second] = [random().toString('hex'), random().toString('hex')]
  const env = {
    ...VENDORS,
    KYC_CALLBACK_SECRETS: `${first},${second}`,
    PAYMENTS_CALLBACK_SECRETS: second,
  }
  expect(faultsWith(env)).toEqual([
    'PAYMENTS_CALLBACK_SECRETS must differ from the secret in KYC_CALLBACK_SECRETS',
  ])
})

test('on live the password of a store is refused as a secret, and as that of the other store', () => {
  expect(faultsWith({ AML_API_KEY: 'another-password' })).toEqual([
    'REDIS_URL must differ from the secret in AML_API_KEY',
  ])
  const url = 'redis+cluster://:a-password@one:6379,two:6379'
  expect(faultsWith({ REDIS_URL: url })).toEqual([
    'REDIS_URL must differ from the secret in DATABASE_URL',
  ])
})

test('on live one encryption key under two ids is refused', () => {
  const key = base64(secret)
  expect(faultsWith({ ENCRYPTION_KEYS: `k1:${key},k2:${key}` })).toEqual([
    'ENCRYPTION_KEYS contains one key twice, as k1 and k2',
  ])
})

const SELF = 'deliveries could reach this machine or its network link'
test.each([
  ['0.0.0.0/0', SELF],
  ['::/0', SELF],
  ['0.0.0.0/1', SELF],
  ['127.0.0.0/8', SELF],
  ['127.0.0.1/32', SELF],
  ['::1/128', SELF],
  ['::ffff:0:0/96', SELF],
  ['::ffff:127.0.0.1/128', SELF],
  ['64:ff9b::/96', SELF],
  ['2002:7f00::/24', SELF],
  ['169.254.169.254/32', SELF],
  ['fe80::/10', SELF],
  ['10.0.0.0/8', 'it is wider than /16; name the networks of the receivers alone'],
  ['172.16.0.0/12', 'it is wider than /16; name the networks of the receivers alone'],
  ['fc00::/7', 'it is wider than /48; name the networks of the receivers alone'],
])(
  'on live a range of allowed webhook addresses is refused that opens too much: %s',
  (range, reason) => {
    expect(faultsWith({ WEBHOOK_ALLOW_CIDRS: range })).toEqual([
      `WEBHOOK_ALLOW_CIDRS must not contain ${range}: ${reason}`,
    ])
    expect(faultsOf({ ...LIVE, STACK: 'sandbox', WEBHOOK_ALLOW_CIDRS: range })).toEqual([])
  },
)

test('on live a range with a network of receivers is accepted', () => {
  expect(
    faultsWith({ WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16,192.168.7.0/24,fd12:3456:789a::/48' }),
  ).toEqual([])
})

test.each(['0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3'])(
  'on live a range of trusted proxies is refused that trusts every client: %s',
  (range) => {
    expect(faultsWith({ TRUSTED_PROXIES: range })).toEqual([
      `TRUSTED_PROXIES must not contain ${range}: any client could then choose the address that its failures count for`,
    ])
  },
)

test('on live a private network and the networks of a public proxy are accepted as trusted proxies', () => {
  expect(
    faultsWith({ TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8,104.16.0.0/13,2400:cb00::/32' }),
  ).toEqual([])
})

test('on live an address without TLS is refused', () => {
  expect(faultsWith({ PUBLIC_URL: 'HTTP://api.example.com' })).toEqual([
    'PUBLIC_URL must be an https:// address on the live stack',
  ])
})

test('on live a missing address is refused, because its default has no TLS', () => {
  expect(faultsWith({ PUBLIC_URL: '' })).toEqual([
    'PUBLIC_URL is required on the live stack: the https:// address that tenants know',
  ])
})

test('everything that is wrong with a live stack is in one report, a line each', () => {
  const faults = faultsWith({
    PORT: 'http',
    COMPLIANCE_PROVIDER: '',
    ENCRYPTION_KEYS: `k1:${base64(Buffer.alloc(32))},k2:${base64(Buffer.alloc(32, 1))}`,
    PUBLIC_URL: 'http://api.example.com',
    WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0',
    TRUSTED_PROXIES: '0.0.0.0/0',
    KYC_TOKEN: 'the-same-token-twice',
    AML_API_KEY: 'the-same-token-twice',
  })
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'PORT',
    'COMPLIANCE_PROVIDER',
    'PUBLIC_URL',
    'ENCRYPTION_KEYS',
    'ENCRYPTION_KEYS',
    'AML_API_KEY',
    'WEBHOOK_ALLOW_CIDRS',
    'TRUSTED_PROXIES',
  ])
  expect(faults.join()).not.toContain('the-same-token-twice')
})
