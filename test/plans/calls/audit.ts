import * as deliveryChecks from '../../../src/domain/audit/delivery-queries.ts'
import * as eventChecks from '../../../src/domain/audit/event-queries.ts'
import * as marginChecks from '../../../src/domain/audit/margin-queries.ts'
import * as moneyChecks from '../../../src/domain/audit/money-queries.ts'
import * as requestChecks from '../../../src/domain/audit/request-queries.ts'
import * as runs from '../../../src/domain/audit/run-queries.ts'
import * as sqlChecks from '../../../src/domain/audit/sql-check-queries.ts'
import * as tenantChecks from '../../../src/domain/audit/tenant-queries.ts'
import { queriesFile } from '../queries-file.ts'

/** The checks themselves, lists of which these files export, are found and run by themselves. */
export const AUDIT_CALLS = [
  queriesFile('domain/audit/delivery-queries.ts', deliveryChecks, {}),
  queriesFile('domain/audit/event-queries.ts', eventChecks, {}),
  queriesFile('domain/audit/money-queries.ts', moneyChecks, {}),
  queriesFile('domain/audit/request-queries.ts', requestChecks, {}),
  queriesFile('domain/audit/sql-check-queries.ts', sqlChecks, {}),
  queriesFile('domain/audit/margin-queries.ts', marginChecks, {
    selectDecisionsAfter: (tx, { tenantId, warned, now }) =>
      marginChecks.selectDecisionsAfter(
        tx,
        {
          since: undefined,
          after: {
            written_at: now,
            written: now.toISOString(),
            tenant_id: tenantId,
            facility_id: warned.facilityId,
            warning_number: 1,
            number: 1,
          },
        },
        200,
      ),
    selectNow: (tx) => marginChecks.selectNow(tx),
  }),
  queriesFile('domain/audit/run-queries.ts', runs, {
    takeAuditSlot: (tx) => runs.takeAuditSlot(tx, 1n),
    updateAudit: (tx, { now }) =>
      runs.updateAudit(tx, { finishedAt: now, violations: {}, unfinished: 0, decisionsUntil: now }),
    selectAudit: (tx) => runs.selectAudit(tx),
  }),
  queriesFile('domain/audit/tenant-queries.ts', tenantChecks, {
    selectIdColumns: (tx) => tenantChecks.selectIdColumns(tx),
    selectForeignIds: (tx) =>
      tenantChecks.selectForeignIds(tx, { table: 'draws', column: 'facility_id' }, 100),
  }),
]
