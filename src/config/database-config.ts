import { z } from 'zod'
import { CONSTANTS } from './constants.ts'
import { encryptionKeys } from './fields.ts'
import { readEnvironment } from './read-environment.ts'
import type { Environment } from './secrets.ts'
import { databaseUrl, stack } from './variables.ts'

/** Settings of a program that needs only the database: the operator's command line. */
export type DatabaseConfig = z.output<typeof environment>

const environment = z
  .object({
    STACK: stack.default('sandbox'),
    DATABASE_URL: databaseUrl.optional(),
    APP_ROLE_PASSWORD: z.string().optional(),
    ENCRYPTION_KEYS: encryptionKeys.optional(),
    LOCAL_DIR: z.string().default('.local'),
  })
  .transform((env) => ({
    stack: env.STACK,
    /** Undefined: that of the local stack which runs from `localFolder`, if one does. */
    databaseUrl: env.DATABASE_URL,
    /** The migrate command gives this password to the role that the processes use. */
    appRolePassword: env.APP_ROLE_PASSWORD,
    /** Undefined for the commands that need none. */
    encryptionKeys: env.ENCRYPTION_KEYS,
    maxActiveKeys: CONSTANTS.maxActiveKeys,
    localFolder: env.LOCAL_DIR,
  }))

/** Throws `ConfigError` with every fault. */
export function loadDatabaseConfig(env: Environment): DatabaseConfig {
  return readEnvironment(environment, env)
}
