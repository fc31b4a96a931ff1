import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { variables } from '../../src/config/variables.ts'
import { faultsOf, liveEnvironment, testEnvironment } from '../support/process/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

const SANDBOX = testEnvironment({
  databaseUrl: 'postgres://localhost:5432/lending',
  redisUrl: 'redis://localhost:6379',
})
const LIVE = liveEnvironment({
  databaseUrl: 'postgres://localhost:5432/lending',
  redisUrl: 'redis://localhost:6379',
})

test('an operator has sixty settings at most: what does not differ between deployments is a constant', () => {
  expect(Object.keys(variables).length).toBeLessThanOrEqual(60)
})

test.each([
  ['STACK', 'STACK must be "live" or "sandbox"'],
  ['DATABASE_URL', 'DATABASE_URL must be a postgres:// address'],
  [
    'REDIS_URL',
    'REDIS_URL must be a redis:// address, or redis+cluster:// with the members of a Cluster',
  ],
  [
    'ENCRYPTION_KEYS',
    'ENCRYPTION_KEYS is required: <id>:<base64 of 32 random bytes>, comma separated, current first',
  ],
])('a missing %s is reported with its name and what it must hold', (name, sentence) => {
  expect(faultsOf({ ...SANDBOX, [name]: undefined })).toEqual([sentence])
  // Compose files write an unset variable as an empty one.
  expect(faultsOf({ ...SANDBOX, [name]: '' })).toEqual([sentence])
})

test('a missing variable is reported together with all the others', () => {
  const names = faultsOf({}).map((fault) => fault.replace(/ .*/, ''))
  expect(names.sort()).toEqual(['DATABASE_URL', 'ENCRYPTION_KEYS', 'REDIS_URL', 'STACK'])
})

test.each([
  ['STACK', 'production', 'STACK must be "live" or "sandbox"'],
  ['DATABASE_URL', 'mysql://localhost/lending', 'DATABASE_URL must be a postgres:// address'],
  [
    'REDIS_URL',
    'localhost:6379',
    'REDIS_URL must be a redis:// address, or redis+cluster:// with the members of a Cluster',
  ],
  ['PORT', 'http', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', ' ', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535'],
  ['DRAIN_SECONDS', '0', 'DRAIN_SECONDS must be a whole number from 1 to 600'],
  [
    'LOG_LEVEL',
    'loud',
    'LOG_LEVEL must be "trace", "debug", "info", "warn", "error", "fatal" or "silent"',
  ],
  ['COMPLIANCE_PROVIDER', 'acme', 'COMPLIANCE_PROVIDER must be "sandbox", "manual" or "http"'],
  ['PUBLIC_URL', 'ftp://example.com', 'PUBLIC_URL must be an http(s):// address'],
  [
    'TRUSTED_PROXIES',
    '10.0.0.0/8,10.0.0.1',
    'TRUSTED_PROXIES needs address ranges such as 10.0.0.0/8,fd00::/8',
  ],
  [
    'RATE_LIMITS',
    'reads=fast',
    'RATE_LIMITS "reads=fast" must read class=rate/burst, for example reads=20/200.',
  ],
  [
    'ENCRYPTION_KEYS',
    `k1:${KEY.slice(4)}`,
    'ENCRYPTION_KEYS needs entries of the form <id>:<base64 of 32 random bytes>',
  ],
  [
    'ENCRYPTION_KEYS',
    KEY,
    'ENCRYPTION_KEYS needs entries of the form <id>:<base64 of 32 random bytes>',
  ],
  ['ENCRYPTION_KEYS', `k1:${KEY},k2:${KEY},k1:${KEY}`, 'ENCRYPTION_KEYS must use each key id once'],
])('%s=%s is refused in one sentence', (name, value, sentence) => {
  expect(faultsOf({ ...SANDBOX, [name]: value })).toEqual([sentence])
})

test('a secret that cannot be used is never repeated in its error', () => {
  const secret = 'c2VjcmV0LW1hdGVyaWFs'
  expect(faultsOf({ ...SANDBOX, ENCRYPTION_KEYS: `k1:${secret}` }).join()).not.toContain(secret)
  const url = 'mysql://lending:hunter2@localhost/lending'
  expect(faultsOf({ ...SANDBOX, DATABASE_URL: url }).join()).not.toContain('hunter2')
})

test('an API process may open 16 connections and a worker 10, or each as many as are set', () => {
  expect(loadConfig(SANDBOX).databaseConnections).toEqual({ api: 16, worker: 10 })
  const set = loadConfig({ ...SANDBOX, DATABASE_CONNECTIONS: '40' })
  expect(set.databaseConnections).toEqual({ api: 40, worker: 40 })
})

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(
    ['PORT', 'LOG_LEVEL', 'TRUSTED_PROXIES', 'RATE_LIMITS', 'PUBLIC_URL'].map((name) => [name, '']),
  )
  const { LOG_LEVEL: _silent, ...rest } = SANDBOX
  expect(loadConfig({ ...rest, ...empty })).toEqual(loadConfig(rest))
})

test('a live stack starts with its own settings, and refuses plain http webhooks', () => {
  expect(loadConfig(LIVE)).toMatchObject({
    stack: 'live',
    complianceProvider: 'manual',
    webhookAllowHttp: false,
  })
})

test.each([
  [
    'sandbox',
    'COMPLIANCE_PROVIDER must not be "sandbox" on the live stack: it would approve anyone',
  ],
  [
    '',
    'COMPLIANCE_PROVIDER is required on the live stack: "manual" sends each check to the operator',
  ],
])('a live stack refuses the compliance provider "%s"', (provider, sentence) => {
  expect(faultsOf({ ...LIVE, COMPLIANCE_PROVIDER: provider })).toEqual([sentence])
})

test('a live stack has its prices from the exchanges unless prices are switched off', () => {
  expect(loadConfig(LIVE).pricesProvider).toBe('exchanges')
  expect(loadConfig({ ...LIVE, EXCHANGE_URLS: 'none' }).pricesProvider).toBe('none')
  expect(loadConfig({ ...SANDBOX, EXCHANGE_URLS: '' }).pricesProvider).toBe('sandbox')
})

test('a live stack refuses to start without encryption keys', () => {
  expect(faultsOf({ ...LIVE, ENCRYPTION_KEYS: '' })).toHaveLength(1)
})

test('the addresses that tenants are shown have no doubled slash, however they are configured', () => {
  const shown = loadConfig({ ...SANDBOX, PUBLIC_URL: 'https://api.example.com/' })
  expect(shown.publicUrl).toBe('https://api.example.com')
  expect(shown.errorsUrl).toBe('https://api.example.com/errors')
})

describe.each(['server.ts', 'worker.ts'])('the process of src/%s', (entry) => {
  test('a process reports a configuration error in plain sentences and exits with 1', async () => {
    const path = fileURLToPath(new URL(`../../src/${entry}`, import.meta.url))
    const child = spawn(process.execPath, [path], { env: { ...SANDBOX, PORT: 'http' } })
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toBe(
      'Invalid configuration. Correct these variables and start again:\nPORT must be a whole number from 0 to 65535\n',
    )
  })
})
