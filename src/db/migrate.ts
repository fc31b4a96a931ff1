import { sql } from 'kysely'
import * as foundation from '../../migrations/0001-foundation.ts'
import * as facilities from '../../migrations/0002-facilities.ts'
import * as prices from '../../migrations/0003-prices.ts'
import * as margin from '../../migrations/0004-margin.ts'
import * as portfolioSource from '../../migrations/0005-portfolio-source.ts'
import * as judging from '../../migrations/0006-judging.ts'
import * as lienSequence from '../../migrations/0007-lien-sequence.ts'
import * as inquiries from '../../migrations/0008-inquiries.ts'
import * as saleOrders from '../../migrations/0009-sale-orders.ts'
import * as latestFacility from '../../migrations/0010-latest-facility.ts'
import * as readings from '../../migrations/0011-forget-readings.ts'
import * as journalNotEmptied from '../../migrations/0012-journal-not-emptied.ts'
import * as audit from '../../migrations/0013-audit.ts'
import * as outages from '../../migrations/0014-outages.ts'
import * as deliveryLookups from '../../migrations/0015-delivery-lookups.ts'
import * as floorPushedAt from '../../migrations/0016-floor-pushed-at.ts'
import * as providerCallbacks from '../../migrations/0017-provider-callbacks.ts'
import * as traceContext from '../../migrations/0018-trace-context.ts'
import * as monthsThatEnded from '../../migrations/0019-months-that-ended.ts'
import * as positionInquiries from '../../migrations/0020-position-inquiries.ts'
import * as repaymentReferences from '../../migrations/0021-repayment-references.ts'
import * as windowDeadline from '../../migrations/0022-window-deadline.ts'
import * as holdOutages from '../../migrations/0023-hold-outages.ts'
import * as shortDrops from '../../migrations/0024-drops-that-wait-little.ts'
import * as callTarget from '../../migrations/0025-call-target.ts'
import * as refusedRefunds from '../../migrations/0026-refused-refunds.ts'
import * as eventSubjects from '../../migrations/0029-event-subjects.ts'
import * as refundRedirects from '../../migrations/0031-refund-redirects.ts'
import * as oneTransferOnce from '../../migrations/0033-one-transfer-once.ts'
import * as work from '../../migrations/0035-work.ts'
import * as webhookDues from '../../migrations/0039-webhook-dues.ts'
import * as months from '../../migrations/0040-months.ts'
import * as retention from '../../migrations/0041-retention.ts'
import * as auditMarks from '../../migrations/0042-audit-marks.ts'
import * as crashDayIndexes from '../../migrations/0043-crash-day-indexes.ts'
import * as clockAdvances from '../../migrations/0047-clock-advances.ts'
import * as readingsInPlace from '../../migrations/0048-readings-in-place.ts'
import * as auditPages from '../../migrations/0050-audit-pages.ts'
import * as clockAdvanceHeld from '../../migrations/0053-clock-advance-held.ts'

import { type AppRole, grantAppRole } from './app-role.ts'
import { createDatabase, type Db } from './database.ts'
import { makeMonths } from './months.ts'
import { type Migration, type MigrationOptions, runMigrations } from './run-migrations.ts'

/** Every migration in order. Imported by name: what runs is what was type-checked. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-facilities': facilities,
  '0003-prices': prices,
  '0004-margin': margin,
  '0005-portfolio-source': portfolioSource,
  '0006-judging': judging,
  '0007-lien-sequence': lienSequence,
  '0008-inquiries': inquiries,
  '0009-sale-orders': saleOrders,
  '0010-latest-facility': latestFacility,
  '0011-forget-readings': readings,
  '0012-journal-not-emptied': journalNotEmptied,
  '0013-audit': audit,
  '0014-outages': outages,
  '0015-delivery-lookups': deliveryLookups,
  '0016-floor-pushed-at': floorPushedAt,
  '0017-provider-callbacks': providerCallbacks,
  '0018-trace-context': traceContext,
  '0019-months-that-ended': monthsThatEnded,
  '0020-position-inquiries': positionInquiries,
  '0021-repayment-references': repaymentReferences,
  '0022-window-deadline': windowDeadline,
  '0023-hold-outages': holdOutages,
  '0024-drops-that-wait-little': shortDrops,
  '0025-call-target': callTarget,
  '0026-refused-refunds': refusedRefunds,
  '0029-event-subjects': eventSubjects,
  '0031-refund-redirects': refundRedirects,
  '0033-one-transfer-once': oneTransferOnce,
  '0035-work': work,
  '0039-webhook-dues': webhookDues,
  '0040-months': months,
  '0041-retention': retention,
  '0042-audit-marks': auditMarks,
  '0043-crash-day-indexes': crashDayIndexes,
  '0047-clock-advances': clockAdvances,
  '0048-readings-in-place': readingsInPlace,
  '0050-audit-pages': auditPages,
  '0053-clock-advance-held': clockAdvanceHeld,
}

/**
 * Brings the database at this address to the newest schema; says which migrations it applied. Gives
 * `appRole`, where there is one, what the API and the worker need of it.
 */
export async function migrateToLatest(
  databaseUrl: string,
  appRole?: AppRole,
  options: MigrationOptions = {},
): Promise<{ applied: string[] }> {
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 2 })
  try {
    const applied = await runMigrations(db, MIGRATIONS, options)
    await makeMonths(db, new Date(), new Date(0), options)
    if (appRole) await grantAppRole(db, appRole)
    return { applied }
  } finally {
    await db.destroy()
  }
}

/** Whether every migration of this build has been applied: what `/readyz` asks. */
export async function isMigrated(db: Db): Promise<boolean> {
  const names = Object.keys(MIGRATIONS)
  const found = await sql<{ table: string | null }>`
    SELECT to_regclass('kysely_migration')::text AS table`.execute(db)
  if (found.rows[0]?.table === null) return false
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM kysely_migration WHERE name = ANY (${names})`.execute(db)
  return rows[0]?.count === BigInt(names.length)
}
