import { type DatabaseConfig, loadDatabaseConfig } from '../../config/database-config.ts'
import { Refusal } from '../../core/errors.ts'
import { createSealer, type Sealer } from '../../core/sealing.ts'
import { assertStack, readStack, type StackName } from '../../db/connections/stack-identity.ts'
import { createDatabase, type Db, openForReads, type ReadDb } from '../../db/database.ts'
import { isPasswordMissing, PASSWORD_MISSING } from '../../db/errors.ts'
import { assertUsableState, readState } from '../../db/migrate/migrate.ts'
import { partitionMaker } from '../../db/migrate/partitions.ts'
import type { PriceFeed } from '../../domain/collateral/prices.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { TermsAt } from '../../domain/margin/policy.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import { type ClockFor, createClockFor } from '../../domain/tenants/tenant-clock.ts'
import { isTenant } from '../../domain/tenants/tenants.ts'
import { messageOf } from '../../local/local-failure.ts'
import { findRunningStack, type RunningStack } from '../../local/running-stack.ts'
import type { CliIo } from './cli-io.ts'

export type Session = {
  io: CliIo
  config: DatabaseConfig
  db: ReadDb
  now: Date
  /** Facilities are valued and evaluated by them. */
  prices: PriceFeed
  termsAt: TermsAt
  clockFor: ClockFor
  isShared: boolean
} & Pick<DatabaseConfig, 'maxActiveKeys' | 'stack' | 'isFourEyes' | 'retention'>

/** Refuses `unavailable` unless the database answers and is migrated; closes it afterwards. */
export async function withSession<T>(
  io: CliIo,
  command: (session: Session) => Promise<T>,
  maxConnections = 1,
): Promise<T> {
  const config = io.loadConfig()
  const databaseUrl = locateDatabase(config)
  const makePartitions = partitionMaker(io.clock, config.retention.events)
  const keys = locateKeys(config)
  const sealer = keys && createSealer(keys)
  const db = createDatabase({
    connectionString: databaseUrl,
    ...{ maxConnections, makePartitions, sealer },
  })
  try {
    await assertUsable(db, databaseUrl, config.stack)
    const { maxActiveKeys, stack, isFourEyes, retention } = config
    const own = { policy: DEFAULT_POLICY, marginPolicy: config.marginPolicy }
    return await command({
      ...{ io, config, db: openForReads(db), now: io.clock() },
      ...{ prices: io.choosePrices(config), termsAt: createTermsAt(own, io.clock) },
      ...{ clockFor: createClockFor(stack, io.clock), isShared: stack === 'live' },
      ...{ maxActiveKeys, stack, isFourEyes, retention },
    })
  } finally {
    await db.destroy()
  }
}

/** The database of DATABASE_URL, else the local stack's; refuses `unavailable` without either. */
export function locateDatabase(config: DatabaseConfig): string {
  return config.databaseUrl ?? requireRunningStack(config).databaseUrl
}

/** From ENCRYPTION_KEYS, else the local stack's; undefined where DATABASE_URL alone is set. */
export function locateKeys(config: DatabaseConfig): DatabaseConfig['encryptionKeys'] {
  if (config.encryptionKeys || config.databaseUrl !== undefined) return config.encryptionKeys
  const { encryptionKeys } = requireRunningStack(config)
  return loadDatabaseConfig({ ENCRYPTION_KEYS: encryptionKeys }).encryptionKeys
}

/** With the keys of `locateKeys`; refuses `validation_failed` without them. */
export function requireSealer(config: DatabaseConfig): Sealer {
  const keys = locateKeys(config)
  if (keys) return createSealer(keys)
  throw new Refusal(
    'validation_failed',
    'ENCRYPTION_KEYS is not set: use the list of the API and the worker.',
  )
}

function requireRunningStack({ stack, localFolder }: DatabaseConfig): RunningStack {
  // npm start runs a sandbox: a live operator must never reach it by accident.
  const running = stack === 'sandbox' ? findRunningStack(localFolder) : undefined
  if (running) return running
  throw new Refusal(
    'unavailable',
    stack === 'live'
      ? 'DATABASE_URL is not set: set it to the database of the live stack.'
      : `DATABASE_URL is not set and no local stack runs from ${localFolder}: set it, or run npm start.`,
  )
}

async function assertUsable(db: Db, databaseUrl: string, stack: StackName): Promise<void> {
  const ask = async () => ({ found: await readStack(db), state: await readState(db) })
  const { found, state } = await ask().catch((error: unknown) => {
    throw unusable(databaseUrl, error)
  })
  try {
    assertStack(found, stack)
    assertUsableState(state)
  } catch (error) {
    throw unusable(databaseUrl, error)
  }
  if (state.kind === 'behind') {
    throw new Refusal(
      'unavailable',
      'The database lacks migrations of this version: run the migrate command first.',
    )
  }
}

/** Names the database without its password. */
export function unusable(databaseUrl: string, cause: unknown): Refusal {
  const { host, pathname } = new URL(databaseUrl)
  return new Refusal(
    'unavailable',
    `The database ${host}${pathname} cannot be used: ${isPasswordMissing(cause) ? PASSWORD_MISSING : messageOf(cause)}.`,
    { cause },
  )
}

/** Refuses `not_found`: an empty list would hide a mistyped id. */
export async function assertTenant({ db }: Session, tenantId: string): Promise<void> {
  if (!(await isTenant(db, tenantId))) {
    throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  }
}
