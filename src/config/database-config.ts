import { z } from 'zod'
import { DEFAULT_MARGIN_POLICY } from '../domain/margin/policy.ts'
import { CONSTANTS } from './constants.ts'
import { encryptionKeys } from './fields.ts'
import { readEnvironment } from './read-environment.ts'
import type { Environment } from './secrets.ts'
import { databaseUrl, stack, variables } from './variables.ts'

export type DatabaseConfig = z.output<typeof environment>

const environment = z
  .object({
    STACK: stack.optional(),
    DATABASE_URL: databaseUrl.optional(),
    APP_ROLE_PASSWORD: z.string().optional(),
    ENCRYPTION_KEYS: encryptionKeys.optional(),
    LOCAL_DIR: z.string().default('.local'),
    PUBLIC_URL: variables.PUBLIC_URL,
    SANDBOX_PRICES: variables.SANDBOX_PRICES,
    PRICE_STALE_SECONDS: variables.PRICE_STALE_SECONDS,
  })
  .transform((env) => ({
    stack: env.STACK ?? ('sandbox' as const),
    isStackSet: env.STACK !== undefined,
    /** Undefined: that of the local stack in `localFolder`. */
    databaseUrl: env.DATABASE_URL,
    /** Password of the role that the processes use, for the migrate command. */
    appRolePassword: env.APP_ROLE_PASSWORD,
    encryptionKeys: env.ENCRYPTION_KEYS,
    maxActiveKeys: CONSTANTS.maxActiveKeys,
    localFolder: env.LOCAL_DIR,
    /** For links to the console. */
    publicUrl: env.PUBLIC_URL,
    pricesProvider: env.STACK === 'live' ? ('exchanges' as const) : ('sandbox' as const),
    sandboxMarket: env.SANDBOX_PRICES,
    marginPolicy: { ...DEFAULT_MARGIN_POLICY, staleMs: env.PRICE_STALE_SECONDS * 1_000 },
  }))

export function loadDatabaseConfig(env: Environment): DatabaseConfig {
  return readEnvironment(environment, env)
}
