import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { SECRET_VARIABLES } from '../../src/config/secret-files.ts'
import { variables } from '../../src/config/variables.ts'
import { faultsOf, liveEnvironment } from '../support/process/config.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const folder = createTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())

function fileOf(content: string): string {
  const path = join(folder.path, `secret-${randomUUID()}`)
  writeFileSync(path, content)
  return path
}

const random = (length: number) => randomBytes(length / 2).toString('hex')

const PASSWORD = 'p/w:with@signs%'

const PLAIN: Record<string, string> = {
  ...liveEnvironment({
    databaseUrl: 'postgres://lending@db.internal/lending',
    redisUrl: 'rediss://:0f1e2d3c4b5a@redis.internal:6379',
  }),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  DATABASE_PASSWORD: PASSWORD,
  COMPLIANCE_PROVIDER: 'http',
  AML_URL: 'https://aml.example.com',
  AML_API_KEY: random(32),
  CONSOLE_OIDC_ISSUER: 'https://id.example.com',
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_OIDC_CLIENT_SECRET: random(32),
  DESK_OIDC_ISSUER: 'https://id.example.com',
  DESK_OIDC_CLIENT_ID: 'desk',
  DESK_OIDC_CLIENT_SECRET: random(32),
  SMTP_URL: 'smtps://lending:password@mail.example.com',
  SMTP_FROM: 'lending@example.com',
  HTTPS_PROXY: 'http://lending:password@proxy.example.com:3128',
  WEBHOOK_PROXY: 'http://lending:password@proxy.example.com:3129',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token,x-team=lending',
  APP_ROLE_PASSWORD: random(32),
  ...Object.fromEntries(
    ['KYC', 'CUSTODIAN', 'PAYMENTS'].flatMap((vendor) => [
      [`${vendor}_URL`, `https://${vendor.toLowerCase()}.example.com`],
      [`${vendor}_TOKEN`, random(32)],
      [`${vendor}_SIGNING_SECRET`, random(64)],
      [`${vendor}_CALLBACK_SECRETS`, `${random(64)},${random(64)}`],
    ]),
  ),
}

/** With each of these given as a file that ends as an editor ends it. */
function asFiles(names: readonly string[]): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...PLAIN }
  for (const name of names) {
    env[`${name}_FILE`] = fileOf(`${PLAIN[name]}\n`)
    delete env[name]
  }
  return env
}

const OF_PROCESSES = SECRET_VARIABLES.filter((name) => Object.hasOwn(variables, name))

test('every variable whose name is that of a secret can be given as a file', () => {
  const secrets = Object.keys(variables).filter((name) =>
    /(SECRETS?|TOKEN|PASSWORD|API_KEY|ENCRYPTION_KEYS|HEADERS|DATABASE_URL|REDIS_URL|SMTP_URL|S_PROXY|K_PROXY)$/.test(
      name,
    ),
  )
  expect([...OF_PROCESSES].sort()).toEqual(secrets.sort())
})

test('secrets in files make the same configuration as secrets in variables', () => {
  expect(loadConfig(asFiles(OF_PROCESSES))).toEqual(loadConfig(PLAIN))
  const given = ['DATABASE_URL', 'DATABASE_PASSWORD', 'APP_ROLE_PASSWORD', 'ENCRYPTION_KEYS']
  expect(loadDatabaseConfig(asFiles(given))).toEqual(loadDatabaseConfig(PLAIN))
})

test.each(SECRET_VARIABLES)('%s and its file at once are refused by name', (name) => {
  const env = { ...PLAIN, [`${name}_FILE`]: fileOf(PLAIN[name] ?? 'x') }
  const sentence = `${name}_FILE and ${name} are both set`
  if (Object.hasOwn(variables, name)) expect(faultsOf(env)).toEqual([sentence])
  else expect(() => loadDatabaseConfig(env)).toThrow(sentence)
})

test('a file that cannot be read is one sentence, without the path and beside other faults', () => {
  const path = join(folder.path, 'none')
  const env = { ...PLAIN, KYC_TOKEN: '', KYC_TOKEN_FILE: path, PORT: 'http' }
  expect(faultsOf(env)).toEqual([
    'KYC_TOKEN_FILE names a file that cannot be read (ENOENT)',
    'PORT must be a whole number from 0 to 65535',
  ])
  const { ENCRYPTION_KEYS: _, ...keyless } = PLAIN
  expect(faultsOf({ ...keyless, ENCRYPTION_KEYS_FILE: folder.path })).toEqual([
    'ENCRYPTION_KEYS_FILE names a file that cannot be read (EISDIR)',
  ])
})

test('an empty file is refused, and one newline at the end is cut', () => {
  const { KYC_TOKEN: token = '', ...rest } = PLAIN
  for (const content of ['', '\n', '\r\n']) {
    expect(faultsOf({ ...rest, KYC_TOKEN_FILE: fileOf(content) })).toEqual([
      'KYC_TOKEN_FILE names a file that is empty',
    ])
  }
  const read = (content: string) => loadConfig({ ...rest, KYC_TOKEN_FILE: fileOf(content) })
  expect(read(`${token}\r\n`).vendors.kyc?.token).toBe(token)
  expect(read(token).vendors.kyc?.token).toBe(token)
  expect(() => read(`${token}\n\n`)).toThrow(/KYC_TOKEN must be 16 to 1024 characters/)
})

test('a weak secret is refused on live from a file too, under the name of its variable', () => {
  const { KYC_SIGNING_SECRET: _, ...rest } = PLAIN
  expect(faultsOf({ ...rest, KYC_SIGNING_SECRET_FILE: fileOf('a'.repeat(32)) })).toEqual([
    'KYC_SIGNING_SECRET contains a secret that is published or not random; make one with: openssl rand -hex 32',
  ])
})

test('a command ignores the files of secrets that it does not read', () => {
  const env = { DATABASE_URL: 'postgres://db.internal/lending', KYC_TOKEN_FILE: '/nowhere' }
  expect(loadDatabaseConfig(env).databaseUrl).toBe(env.DATABASE_URL)
})

test('the password of the database may be a secret of its own, with any characters', () => {
  const { databaseUrl } = loadConfig(PLAIN)
  expect(decodeURIComponent(new URL(databaseUrl).password)).toBe(PASSWORD)
  expect(faultsOf({ ...PLAIN, DATABASE_URL: 'postgres://lending:other@db/lending' })).toEqual([
    'DATABASE_PASSWORD and DATABASE_URL each have a password',
  ])
  expect(() => loadDatabaseConfig({ DATABASE_PASSWORD: 'alone' })).toThrow(
    'DATABASE_PASSWORD needs a DATABASE_URL that names a host',
  )
})

test('the password of the database is for no second purpose', () => {
  const { KYC_TOKEN: token = '' } = PLAIN
  expect(faultsOf({ ...PLAIN, DATABASE_PASSWORD: token })).toEqual([
    'DATABASE_PASSWORD must differ from the secret in KYC_TOKEN',
  ])
})

test('headers of the collector are decoded, and refused where they have no name', () => {
  expect(loadConfig(PLAIN).otlpHeaders).toEqual({
    authorization: 'Bearer token',
    'x-team': 'lending',
  })
  for (const value of ['authorization', '=token', 'authorization=%ff']) {
    expect(faultsOf({ ...PLAIN, OTEL_EXPORTER_OTLP_HEADERS: value })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS needs headers such as name=value,other=value, percent-encoded',
    ])
  }
})
