import { type Config, loadConfig } from '../../../src/config/config.ts'
import { ConfigError } from '../../../src/config/read-environment.ts'
import { testKey } from '../stores/sealer.ts'

/** The first worker of a database would check everything at its start, beside what a test waits for. */
export const NO_AUDIT = { AUDIT_MINUTES: '0' }

/** The environment of a sandbox stack on these stores, which may deliver to this machine. */
export function testEnvironment(
  stores: { databaseUrl: string; redisUrl: string },
  rest: Record<string, string> = {},
): Record<string, string> {
  return {
    STACK: 'sandbox',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    ENCRYPTION_KEYS: `test:${testKey('test').bytes.toString('base64')}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...NO_AUDIT,
    ...rest,
  }
}

/** The environment of a live stack on these stores, without providers. */
export function liveEnvironment(
  stores: { databaseUrl: string; redisUrl: string },
  rest: Record<string, string> = {},
): Record<string, string> {
  return testEnvironment(stores, { ...LIVE, ...rest })
}

/** What makes a sandbox's environment a live one. */
export const LIVE = {
  STACK: 'live',
  COMPLIANCE_PROVIDER: 'manual',
  PUBLIC_URL: 'https://api.example.com',
  WEBHOOK_ALLOW_CIDRS: '',
}

export function testConfig(...given: Parameters<typeof testEnvironment>): Config {
  return loadConfig(testEnvironment(...given))
}

/** What is wrong with an environment, a line for each fault. */
export function faultsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}
