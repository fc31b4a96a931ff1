import { z } from 'zod'
import { DEFAULT_MARGIN_POLICY } from '../domain/margin/policy.ts'
import { CONSTANTS } from './constants.ts'
import { findPasswordFaults, withPassword } from './database-password.ts'
import { encryptionKeys } from './fields.ts'
import { isFourEyes } from './live.ts'
import { localErasedFile } from './local-files.ts'
import { localDeskUrl } from './page-address.ts'
import { readEnvironment } from './read-environment.ts'
import type { Environment } from './secrets.ts'
import { databaseUrl, stack, variables } from './variables.ts'

export type DatabaseConfig = z.output<typeof environment>

const given = {
  STACK: stack.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_PASSWORD: variables.DATABASE_PASSWORD,
  APP_ROLE_PASSWORD: z.string().optional(),
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  ERASED_FILE: variables.ERASED_FILE,
  LOCAL_DIR: z.string().default('.local'),
  PUBLIC_URL: variables.PUBLIC_URL,
  DESK_URL: variables.DESK_URL,
  METRICS_PORT: variables.METRICS_PORT,
  FOUR_EYES: variables.FOUR_EYES,
  EVENT_RETENTION_DAYS: variables.EVENT_RETENTION_DAYS,
  REQUEST_LOG_DAYS: variables.REQUEST_LOG_DAYS,
}

const environment = z
  .object(given)
  .superRefine((env, context) => {
    for (const { path, message } of findPasswordFaults(env)) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
  .transform((env) => ({
    stack: env.STACK ?? ('sandbox' as const),
    isStackSet: env.STACK !== undefined,
    /** Undefined: that of the local stack in `localFolder`. */
    databaseUrl: env.DATABASE_URL && withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    /** Password of the role that the processes use, for the migrate command. */
    appRolePassword: env.APP_ROLE_PASSWORD,
    encryptionKeys: env.ENCRYPTION_KEYS,
    erasedFile: env.ERASED_FILE ?? (env.DATABASE_URL ? undefined : localErasedFile(env.LOCAL_DIR)),
    isFourEyes: isFourEyes(env),
    maxActiveKeys: CONSTANTS.maxActiveKeys,
    retention: { events: env.EVENT_RETENTION_DAYS, requestLog: env.REQUEST_LOG_DAYS },
    localFolder: env.LOCAL_DIR,
    /** For links to the console. */
    publicUrl: env.PUBLIC_URL,
    /** For links to the desk: as the API has it. */
    deskUrl: env.DESK_URL ?? localDeskUrl(env.METRICS_PORT),
    pricesProvider: env.STACK === 'live' ? ('exchanges' as const) : ('sandbox' as const),
    sandboxMarket: CONSTANTS.sandboxMarket,
    marginPolicy: DEFAULT_MARGIN_POLICY,
  }))

export function loadDatabaseConfig(env: Environment): DatabaseConfig {
  return readEnvironment(environment, given, env)
}
