// Secrets of a live stack that protect nothing: published, guessable or used twice.
import { readRedisAddress } from '../redis/redis-address.ts'

export type ConfigFault = { path: string; message: string }

export type Environment = Readonly<Record<string, string | undefined>>

type Secret = { path: string; text: string }

export const TEXT_SECRETS = [
  'KYC_TOKEN',
  'KYC_SIGNING_SECRET',
  'AML_API_KEY',
  'CUSTODIAN_TOKEN',
  'CUSTODIAN_SIGNING_SECRET',
  'PAYMENTS_TOKEN',
  'PAYMENTS_SIGNING_SECRET',
] as const
export const SECRET_LISTS = [
  'KYC_CALLBACK_SECRETS',
  'CUSTODIAN_CALLBACK_SECRETS',
  'PAYMENTS_CALLBACK_SECRETS',
] as const

/** Examples in this repository that look like real secrets. */
const PUBLISHED_KEY = '2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaM='
const PUBLISHED: ReadonlySet<string> = new Set([
  PUBLISHED_KEY,
  'an-example-of-a-signing-secret-0001',
  'an-example-of-a-callback-secret-001',
])

function readKeys({
  ENCRYPTION_KEYS: keys,
}: Environment): { id: string; text: string; bytes: Buffer }[] {
  return listOf(keys).map((item) => {
    const [id = '', text = ''] = item.split(':')
    return { id, text, bytes: Buffer.from(text, 'base64') }
  })
}

export function findWeakKeys(env: Environment): ConfigFault[] {
  // Compares bytes, because base64 has several spellings of one key.
  const published = Buffer.from(PUBLISHED_KEY, 'base64')
  const weak = readKeys(env).filter(({ bytes }) => {
    return bytes.length === 32 && (bytes.equals(published) || isGuessable(bytes))
  })
  return weak.map(({ id }) => ({
    path: 'ENCRYPTION_KEYS',
    message: `contains a key that is published or not random (${id}); make one with: openssl rand -base64 32`,
  }))
}

/** 32 random bytes contain about 30 different ones; one key in 10^13 is readable text. */
function isGuessable(bytes: Buffer): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0)))
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return new Set(bytes).size <= 16 || steps.size === 1 || isText
}

export function findWeakSecrets(env: Environment): ConfigFault[] {
  const weak = vendorSecrets(env)
    .filter(({ text }) => PUBLISHED.has(text) || new Set(text).size < 8)
    .map(({ path }) => path)
  return [...new Set(weak)].map((path) => ({
    path,
    message:
      'contains a secret that is published or not random; make one with: openssl rand -hex 32',
  }))
}

export function findSharedSecrets(env: Environment): ConfigFault[] {
  return [...findRepeatedKeys(env), ...findSecondPurposes(env)]
}

function findRepeatedKeys(env: Environment): ConfigFault[] {
  const faults: ConfigFault[] = []
  const idOf = new Map<string, string>()
  for (const { id, bytes } of readKeys(env)) {
    const value = bytes.toString('base64')
    const first = idOf.get(value)
    if (bytes.length === 32 && first !== undefined && first !== id) {
      faults.push({
        path: 'ENCRYPTION_KEYS',
        message: `contains one key twice, as ${first} and ${id}`,
      })
    }
    idOf.set(value, first ?? id)
  }
  return faults
}

function findSecondPurposes(env: Environment): ConfigFault[] {
  const purposes = new Map<string, string>()
  const secrets: Secret[] = [
    ...readKeys(env).map(({ text }) => ({ path: 'ENCRYPTION_KEYS', text })),
    ...vendorSecrets(env),
    ...passwords(env),
  ]
  const found = new Map<string, ConfigFault>()
  for (const { path, text } of secrets) {
    for (const form of formsOf(text)) {
      const first = purposes.get(form) ?? path
      purposes.set(form, first)
      if (first === path) continue
      found.set(`${path} ${first}`, {
        path,
        message: `must differ from the secret in ${first}`,
      })
    }
  }
  return [...found.values()]
}

/** The text, and the 32 bytes that it may encode. */
function formsOf(text: string): string[] {
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(text, 'base64')
  return bytes.length === 32 ? [text, bytes.toString('base64')] : [text]
}

function vendorSecrets(env: Environment): Secret[] {
  const given = [
    ...TEXT_SECRETS.flatMap((path) => (env[path] ? [{ path, text: env[path] }] : [])),
    ...SECRET_LISTS.flatMap((path) => listOf(env[path]).map((text) => ({ path, text }))),
  ]
  // A shorter secret is refused for its length.
  return given.filter(({ text }) => text.length >= 16)
}

function passwords(env: Environment): Secret[] {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATABASE_PASSWORD: ownPassword } = env
  const redis = readRedisAddress(redisUrl ?? '')
  const redisPassword = redis?.kind === 'cluster' ? redis.password : passwordOf(redis?.url)
  const databasePassword = passwordOf(databaseUrl)
  return [
    ...(databasePassword ? [{ path: 'DATABASE_URL', text: databasePassword }] : []),
    ...(ownPassword ? [{ path: 'DATABASE_PASSWORD', text: ownPassword }] : []),
    ...(redisPassword ? [{ path: 'REDIS_URL', text: redisPassword }] : []),
  ]
}

function passwordOf(url: string | undefined): string | undefined {
  const password = URL.parse(url ?? '')?.password ?? ''
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

export function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((item) => item.trim() || [])
}
