import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import * as deliveryChecks from '../../../src/domain/audit/delivery-queries.ts'
import * as eventChecks from '../../../src/domain/audit/event-queries.ts'
import * as marginChecks from '../../../src/domain/audit/margin-queries.ts'
import * as moneyChecks from '../../../src/domain/audit/money-queries.ts'
import * as operatorChecks from '../../../src/domain/audit/operator-queries.ts'
import * as requestChecks from '../../../src/domain/audit/request-queries.ts'
import * as runs from '../../../src/domain/audit/run-queries.ts'
import * as sqlChecks from '../../../src/domain/audit/sql-check-queries.ts'
import * as subjectQueries from '../../../src/domain/audit/subject-queries.ts'
import { FACILITIES } from '../../../src/domain/audit/subjects/facility-subjects.ts'
import * as tenantChecks from '../../../src/domain/audit/tenant-queries.ts'
import { queriesFile } from '../queries-file.ts'

const FACILITY_KEY = ['tenant_id', 'facility_id']

/** The checks themselves, lists of which these files export, are found and run by themselves. */
export const AUDIT_CALLS = [
  queriesFile('domain/audit/delivery-queries.ts', deliveryChecks, {}),
  queriesFile('domain/audit/event-queries.ts', eventChecks, {}),
  queriesFile('domain/audit/money-queries.ts', moneyChecks, {}),
  queriesFile('domain/audit/operator-queries.ts', operatorChecks, {}),
  queriesFile('domain/audit/request-queries.ts', requestChecks, {}),
  queriesFile('domain/audit/sql-check-queries.ts', sqlChecks, {}),
  queriesFile('domain/audit/margin-queries.ts', marginChecks, {
    selectDecisions: (tx, { tenantId, warned, distributed }) =>
      marginChecks.selectDecisions(
        tx,
        [[tenantId, warned.facilityId, '1', '1']],
        distributed ? tenantId : undefined,
      ),
  }),
  queriesFile('domain/audit/subject-queries.ts', subjectQueries, {
    selectTouched: (tx, { now }) =>
      subjectQueries.selectTouched(
        tx,
        FACILITIES,
        { from: addMs(now, -HOUR_MS), to: now },
        { limit: 200 },
      ),
    selectAll: (tx) =>
      subjectQueries.selectAll(
        tx,
        { table: 'facilities', key: FACILITY_KEY, order: FACILITIES.key },
        { limit: 200 },
      ),
    preferIndexes: (tx) => subjectQueries.preferIndexes(tx),
    selectNow: (tx) => subjectQueries.selectNow(tx),
  }),
  queriesFile('domain/audit/run-queries.ts', runs, {
    takeAuditSlot: (tx) => runs.takeAuditSlot(tx, 1n),
    updateAudit: (tx, { now }) =>
      runs.updateAudit(tx, {
        ...{ finishedAt: now, violations: {}, unfinished: 0, progress: {}, findings: [] },
      }),
    requestAuditRow: (tx, { now }) => runs.requestAuditRow(tx, now),
    takeRequestedAudit: async (tx, { now }) => {
      await runs.requestAuditRow(tx, now)
      await runs.takeRequestedAudit(tx)
    },
    selectAudit: (tx) => runs.selectAudit(tx),
    selectProgress: (tx) => runs.selectProgress(tx),
  }),
  queriesFile('domain/audit/tenant-queries.ts', tenantChecks, {
    selectOwners: (tx, { facilityIds }) => tenantChecks.selectOwners(tx, facilityIds),
    selectIdColumns: (tx) => tenantChecks.selectIdColumns(tx),
    selectForeignIds: (tx, { tenantId, warned, distributed }) =>
      tenantChecks.selectForeignIds(
        tx,
        {
          table: 'facilities',
          column: 'borrower_id',
          subjects: { ...FACILITIES, within: [] },
        },
        {
          keys: [[tenantId, warned.facilityId]],
          tenantId: distributed ? tenantId : undefined,
          limit: 100,
        },
      ),
  }),
]
