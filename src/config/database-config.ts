import { z } from 'zod'
import { CONSTANTS } from './constants.ts'
import { encryptionKeys } from './fields.ts'
import { readEnvironment } from './read-environment.ts'
import type { Environment } from './secrets.ts'
import { databaseUrl, stack } from './variables.ts'

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
    /** Undefined: that of the local stack in `localFolder`. */
    databaseUrl: env.DATABASE_URL,
    /** Password of the role that the processes use, for the migrate command. */
    appRolePassword: env.APP_ROLE_PASSWORD,
    encryptionKeys: env.ENCRYPTION_KEYS,
    maxActiveKeys: CONSTANTS.maxActiveKeys,
    localFolder: env.LOCAL_DIR,
  }))

export function loadDatabaseConfig(env: Environment): DatabaseConfig {
  return readEnvironment(environment, env)
}
