import * as tenants from '../../../migrations/0001-tenants.ts'
import * as months from '../../../migrations/0002-months.ts'
import * as events from '../../../migrations/0003-events.ts'
import * as webhooks from '../../../migrations/0004-webhooks.ts'
import * as work from '../../../migrations/0005-work.ts'
import * as onboarding from '../../../migrations/0006-onboarding.ts'
import * as collateral from '../../../migrations/0007-collateral.ts'
import * as facilities from '../../../migrations/0008-facilities.ts'
import * as journal from '../../../migrations/0009-journal.ts'
import * as repayments from '../../../migrations/0010-repayments.ts'
import * as margin from '../../../migrations/0011-margin.ts'
import * as providers from '../../../migrations/0012-providers.ts'
import * as audit from '../../../migrations/0013-audit.ts'
import * as custody from '../../../migrations/0014-custody.ts'
import * as books from '../../../migrations/0015-books.ts'
import * as recoveries from '../../../migrations/0016-recoveries.ts'
import * as marginNotices from '../../../migrations/0017-margin-notices.ts'
import * as eventChain from '../../../migrations/0019-event-chain.ts'
import * as hotRows from '../../../migrations/0020-hot-rows.ts'
import * as stack from '../../../migrations/0021-stack.ts'
import * as lastAnswers from '../../../migrations/0022-last-answers.ts'
import * as webhookRecoveries from '../../../migrations/0024-webhook-recoveries.ts'
import * as consoles from '../../../migrations/0025-console.ts'
import * as history from '../../../migrations/0026-history.ts'
import * as tenantDeliveries from '../../../migrations/0027-tenant-deliveries.ts'
import * as operators from '../../../migrations/0030-operators.ts'
import * as approvals from '../../../migrations/0031-approvals.ts'
import * as operatorTokens from '../../../migrations/0032-operator-tokens.ts'
import * as desk from '../../../migrations/0033-desk.ts'
import * as marginDesk from '../../../migrations/0034-margin-desk.ts'
import * as operations from '../../../migrations/0035-operations.ts'
import * as marginPolicyVersions from '../../../migrations/0036-margin-policy-versions.ts'
import * as tenantSuspension from '../../../migrations/0037-tenant-suspension.ts'
import * as failureMails from '../../../migrations/0038-failure-mails.ts'
import * as waitingLists from '../../../migrations/0039-waiting-lists.ts'
import * as distributed from '../../../migrations/0040-distributed.ts'
import * as shardable from '../../../migrations/0041-shardable.ts'
import * as tenantList from '../../../migrations/0042-tenant-list.ts'
import * as cells from '../../../migrations/0043-cells.ts'
import * as tenantMoves from '../../../migrations/0044-tenant-moves.ts'
import * as cluster from '../../../migrations/0046-cluster.ts'
import * as unnumberedEvents from '../../../migrations/0047-unnumbered-events.ts'
import * as people from '../../../migrations/0048-people.ts'
import * as keyActs from '../../../migrations/0049-key-acts.ts'
import * as onePeople from '../../../migrations/0050-people.ts'
import * as credentials from '../../../migrations/0051-credentials.ts'
import * as facilityActs from '../../../migrations/0054-facility-acts.ts'
import * as facilityActsValidated from '../../../migrations/0055-facility-acts-validated.ts'
import * as transferClaims from '../../../migrations/0057-transfer-claims.ts'
import * as valueDates from '../../../migrations/0058-value-dates.ts'
import * as suspense from '../../../migrations/0059-suspense.ts'
import * as recoveryPaces from '../../../migrations/0061-recovery-paces.ts'
import * as invitationPace from '../../../migrations/0062-invitation-pace.ts'
import * as mails from '../../../migrations/0064-mails.ts'
import * as tenantsStay from '../../../migrations/0065-tenants-stay.ts'
import * as replacedCredentials from '../../../migrations/0066-replaced-credentials.ts'
import * as everyEvent from '../../../migrations/0067-every-event.ts'
import * as eventText from '../../../migrations/0068-event-text.ts'
import * as lanes from '../../../migrations/0069-lanes.ts'
import * as workLanes from '../../../migrations/0070-work-lanes.ts'
import * as keyOwners from '../../../migrations/0071-key-owners.ts'
import * as listedDeliveries from '../../../migrations/0071-listed-deliveries.ts'
import * as lanesFilled from '../../../migrations/0072-lanes-filled.ts'
import * as deliveriesValidated from '../../../migrations/0073-deliveries-validated.ts'
import * as writeProbe from '../../../migrations/0077-write-probe.ts'
import * as keyExpiry from '../../../migrations/0078-key-expiry.ts'
import * as tenantsClosed from '../../../migrations/0079-tenants-closed.ts'
import * as deficits from '../../../migrations/0082-deficits.ts'
import * as externalIds from '../../../migrations/0083-external-ids.ts'
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
  type Migration,
  type MigrationOptions,
  type MigrationState,
  readMigrationState,
  runMigrations,
} from './run-migrations.ts'
import { assertServerVersion } from './server-version.ts'
import { makeSpans } from './spans.ts'

/** Imported by name, so that what runs was type-checked. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-tenants': tenants,
  '0002-months': months,
  '0003-events': events,
  '0004-webhooks': webhooks,
  '0005-work': work,
  '0006-onboarding': onboarding,
  '0007-collateral': collateral,
  '0008-facilities': facilities,
  '0009-journal': journal,
  '0010-repayments': repayments,
  '0011-margin': margin,
  '0012-providers': providers,
  '0013-audit': audit,
  '0014-custody': custody,
  '0015-books': books,
  '0016-recoveries': recoveries,
  '0017-margin-notices': marginNotices,
  '0019-event-chain': eventChain,
  '0020-hot-rows': hotRows,
  '0021-stack': stack,
  '0022-last-answers': lastAnswers,
  '0024-webhook-recoveries': webhookRecoveries,
  '0025-console': consoles,
  '0026-history': history,
  '0027-tenant-deliveries': tenantDeliveries,
  '0030-operators': operators,
  '0031-approvals': approvals,
  '0032-operator-tokens': operatorTokens,
  '0033-desk': desk,
  '0034-margin-desk': marginDesk,
  '0035-operations': operations,
  '0036-margin-policy-versions': marginPolicyVersions,
  '0037-tenant-suspension': tenantSuspension,
  '0038-failure-mails': failureMails,
  '0039-waiting-lists': waitingLists,
  '0040-distributed': distributed,
  '0041-shardable': shardable,
  '0042-tenant-list': tenantList,
  '0043-cells': cells,
  '0044-tenant-moves': tenantMoves,
  '0046-cluster': cluster,
  '0047-unnumbered-events': unnumberedEvents,
  '0048-people': people,
  '0049-key-acts': keyActs,
  '0050-people': onePeople,
  '0051-credentials': credentials,
  '0054-facility-acts': facilityActs,
  '0055-facility-acts-validated': facilityActsValidated,
  '0057-transfer-claims': transferClaims,
  '0058-value-dates': valueDates,
  '0059-suspense': suspense,
  '0061-recovery-paces': recoveryPaces,
  '0062-invitation-pace': invitationPace,
  '0064-mails': mails,
  '0065-tenants-stay': tenantsStay,
  '0066-replaced-credentials': replacedCredentials,
  '0067-every-event': everyEvent,
  '0068-event-text': eventText,
  '0071-key-owners': keyOwners,
  '0070-work-lanes': workLanes,
  '0069-lanes': lanes,
  '0071-listed-deliveries': listedDeliveries,
  '0072-lanes-filled': lanesFilled,
  '0073-deliveries-validated': deliveriesValidated,
  '0082-deficits': deficits,
  '0083-external-ids': externalIds,
  '0078-key-expiry': keyExpiry,
  '0079-tenants-closed': tenantsClosed,
  '0077-write-probe': writeProbe,
}

/** The migrations of this build. */
export const NEWEST_MIGRATION = Object.keys(MIGRATIONS).sort().at(-1) ?? ''

export type MigrateOptions = MigrationOptions & {
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
    const distributed = await distributeAdded(db)
    const { newer } = await readState(db)
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
