import * as stack from '../../../migrations/0001-stack.ts'
import * as tenants from '../../../migrations/0002-tenants.ts'
import * as partitions from '../../../migrations/0003-partitions.ts'
import * as requests from '../../../migrations/0004-requests.ts'
import * as events from '../../../migrations/0005-events.ts'
import * as webhooks from '../../../migrations/0006-webhooks.ts'
import * as deliveries from '../../../migrations/0007-deliveries.ts'
import * as work from '../../../migrations/0008-work.ts'
import * as onboarding from '../../../migrations/0009-onboarding.ts'
import * as collateral from '../../../migrations/0010-collateral.ts'
import * as facilities from '../../../migrations/0011-facilities.ts'
import * as journal from '../../../migrations/0012-journal.ts'
import * as repayments from '../../../migrations/0013-repayments.ts'
import * as margin from '../../../migrations/0014-margin.ts'
import * as marginDecisions from '../../../migrations/0015-margin-decisions.ts'
import * as loanToValue from '../../../migrations/0016-loan-to-value.ts'
import * as providers from '../../../migrations/0017-providers.ts'
import * as consoles from '../../../migrations/0018-console.ts'
import * as operators from '../../../migrations/0019-operators.ts'
import * as operatorActs from '../../../migrations/0020-operator-acts.ts'
import * as mails from '../../../migrations/0021-mails.ts'
import * as audit from '../../../migrations/0022-audit.ts'
import * as pauses from '../../../migrations/0023-pauses.ts'
import * as holds from '../../../migrations/0024-holds.ts'
import * as fixedTerms from '../../../migrations/0025-fixed-terms.ts'
import * as returns from '../../../migrations/0026-returns.ts'
import * as corrections from '../../../migrations/0027-corrections.ts'
import * as amendments from '../../../migrations/0028-amendments.ts'
import * as evidence from '../../../migrations/0029-evidence.ts'
import * as reconciliation from '../../../migrations/0030-reconciliation.ts'
import * as personalData from '../../../migrations/0031-personal-data.ts'
import * as sealedRecord from '../../../migrations/0032-sealed-record.ts'
import { distributeAdded } from '../cluster/distribute.ts'
import {
  assertStack,
  claimDatabase,
  readStack,
  type StackName,
} from '../connections/stack-identity.ts'
import { createDatabase, type Db } from '../database.ts'
import { type AppRole, grantAppRole } from './app-role.ts'
import { ensureCaseFolding } from './case-folding.ts'
import { makeMonths } from './months.ts'
import {
  assertWorksOn,
  type Migration,
  type MigrationState,
  type RunOptions,
  readMigrationState,
  runMigrations,
} from './run-migrations.ts'
import { sealPersonalData } from './seal-personal-data.ts'
import { assertServerVersion } from './server-version.ts'
import { makeSpans } from './spans.ts'

/** Imported by name, so that what runs was type-checked. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-stack': stack,
  '0002-tenants': tenants,
  '0003-partitions': partitions,
  '0004-requests': requests,
  '0005-events': events,
  '0006-webhooks': webhooks,
  '0007-deliveries': deliveries,
  '0008-work': work,
  '0009-onboarding': onboarding,
  '0010-collateral': collateral,
  '0011-facilities': facilities,
  '0012-journal': journal,
  '0013-repayments': repayments,
  '0014-margin': margin,
  '0015-margin-decisions': marginDecisions,
  '0016-loan-to-value': loanToValue,
  '0017-providers': providers,
  '0018-console': consoles,
  '0019-operators': operators,
  '0020-operator-acts': operatorActs,
  '0021-mails': mails,
  '0022-audit': audit,
  '0023-pauses': pauses,
  '0024-holds': holds,
  '0025-fixed-terms': fixedTerms,
  '0026-returns': returns,
  '0027-corrections': corrections,
  '0028-amendments': amendments,
  '0029-evidence': evidence,
  '0030-reconciliation': reconciliation,
  '0031-personal-data': personalData,
  '0032-sealed-record': sealedRecord,
}

/** The migrations of this build. */
export const NEWEST_MIGRATION = Object.keys(MIGRATIONS).sort().at(-1) ?? ''

export type MigrateOptions = RunOptions & {
  /** Written into a database that belongs to no stack yet. */
  stack: StackName
  appRole?: AppRole | undefined
}

/** `newer`: applied by a newer build. `distributed`: tables that were added to a Citus cluster. Throws
 * `ForeignStack`, and on a server that is too old, before it changes anything. */
export async function migrateToLatest(
  databaseUrl: string,
  { stack, appRole, ...options }: MigrateOptions,
): Promise<{ applied: string[]; newer: readonly string[]; distributed: string[] }> {
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 2, limitMs: 0 })
  try {
    assertStack(await readStack(db), stack)
    await assertServerVersion(db)
    await ensureCaseFolding(db)
    const applied = await runMigrations(db, MIGRATIONS, options)
    await claimDatabase(db, stack)
    await sealPersonalData(db, options.sealer, options)
    const distributed = await distributeAdded(db)
    const { unknown: newer } = await readState(db)
    await makeMonths(db, new Date(), new Date(0), options)
    await makeSpans(db, new Date(), options)
    if (appRole) await grantAppRole(db, appRole, { keepsOthers: newer.length > 0 })
    return { applied, newer, distributed }
  } finally {
    await db.destroy()
  }
}

export async function readState(db: Db): Promise<MigrationState> {
  return await readMigrationState(db, MIGRATIONS)
}

/** Throws for a state in which this build can neither use the database nor migrate it. */
export const assertUsableState = (state: MigrationState): void => assertWorksOn(state, MIGRATIONS)
