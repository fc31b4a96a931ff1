import { findDisagreements } from '../facilities/ledger/check-ledger.ts'
import { decideAgain, readDecisionFacts } from '../margin/decisions/decision-record.ts'
import type { Check, Invariant, Scan, Violation } from './check.ts'
import { DELIVERY_CHECKS } from './delivery-queries.ts'
import { EVENT_CHECKS } from './event-queries.ts'
import { MARGIN_CHECKS, selectDecisions } from './margin-queries.ts'
import { MONEY_CHECKS } from './money-queries.ts'
import { OPERATOR_CHECKS } from './operator-queries.ts'
import { REQUEST_CHECKS } from './request-queries.ts'
import { pageOf, type Subjects } from './subject-queries.ts'
import { DECISIONS, FACILITIES } from './subjects/facility-subjects.ts'
import { selectForeignIds, selectIdColumns, TENANT_CHECKS } from './tenant-queries.ts'

/** Compares the sum of the journal with every balance. */
const LEDGER = checkOf(
  'I4',
  'balances-as-booked',
  FACILITIES,
  async (tx, keys, { tenantId }, limit) => {
    const all = await findDisagreements(tx, { within: pageOf(FACILITIES, keys), tenantId, limit })
    return all.map(({ tenantId, facilityId, balance, asset, stored, recomputed }) => ({
      tenantId,
      subject: facilityId,
      detail: `${balance} is ${stored} of ${asset} as stored and ${recomputed} as booked`,
    }))
  },
)

const FOREIGN_IDS: Check = {
  invariant: 'I6',
  name: 'rows-of-their-tenant',
  async scans(read) {
    const columns = await read(selectIdColumns)
    return columns.map((column): Scan => {
      const { table, subjects } = column
      return {
        name: `rows-of-their-tenant/${table}.${column.column}`,
        subjects,
        find: async (tx, keys, { tenantId }, limit) =>
          await selectForeignIds(tx, column, { keys, tenantId, limit }),
      }
    })
  },
}

/** Decides again from the record. */
const DECIDED = checkOf(
  'I8',
  'decided-as-recorded',
  DECISIONS,
  async (tx, keys, { tenantId }, limit) =>
    (await selectDecisions(tx, keys, tenantId)).flatMap(findContradiction).slice(0, limit),
)

function checkOf(
  invariant: Invariant,
  name: string,
  subjects: Subjects,
  find: Scan['find'],
): Check {
  return { invariant, name, scans: () => [{ name: `${name}/${subjects.name}`, subjects, find }] }
}

type Decision = Awaited<ReturnType<typeof selectDecisions>>[number]

function findContradiction(row: Decision): Violation[] {
  const detail = contradictionIn(row)
  if (detail === undefined) return []
  const subject = `${row.facility_id}/${row.warning_number} decision ${row.number}`
  return [{ tenantId: row.tenant_id, subject, detail }]
}

function contradictionIn({ kind, facts }: { kind: string; facts: unknown }): string | undefined {
  try {
    const record = readDecisionFacts(facts)
    const again = decideAgain(record)
    if (record.decision.kind !== kind) return `is kept as ${kind}, decided ${record.decision.kind}`
    if (toText(again) === toText(record.decision)) return undefined
    return `decided ${record.decision.kind}; its record makes it ${again.kind}`
  } catch {
    return 'cannot be made again from its record'
  }
}

/** JSONB does not keep the order of members. */
function toText(decision: object): string {
  return JSON.stringify(Object.entries(decision).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export const CHECKS: readonly Check[] = [
  ...REQUEST_CHECKS,
  ...EVENT_CHECKS,
  ...OPERATOR_CHECKS,
  ...DELIVERY_CHECKS,
  LEDGER,
  ...MONEY_CHECKS,
  FOREIGN_IDS,
  ...TENANT_CHECKS,
  ...MARGIN_CHECKS,
  DECIDED,
].sort((a, b) => (a.invariant < b.invariant ? -1 : a.invariant > b.invariant ? 1 : 0))
