import { findDisagreements } from '../facilities/check-ledger.ts'
import { decideAgain, readDecisionFacts } from '../margin/decision-record.ts'
import type { Check, Violation } from './check.ts'
import { DELIVERY_CHECKS } from './delivery-queries.ts'
import { EVENT_CHECKS } from './event-queries.ts'
import {
  type DecisionPlace,
  MARGIN_CHECKS,
  selectDecisionsAfter,
  selectNow,
} from './margin-queries.ts'
import { MONEY_CHECKS } from './money-queries.ts'
import { REQUEST_CHECKS } from './request-queries.ts'
import { selectForeignIds, selectIdColumns, TENANT_CHECKS } from './tenant-queries.ts'

/** The fold of the journal against every balance. */
const LEDGER: Check = {
  invariant: 'I4',
  name: 'balances-as-booked',
  async find(read, _terms, { limit }) {
    const all = await read((tx) => findDisagreements(tx, limit))
    return all.map(({ tenantId, facilityId, balance, asset, stored, recomputed }) => ({
      tenantId,
      subject: facilityId,
      detail: `${balance} is ${stored} of ${asset} as stored and ${recomputed} as booked`,
    }))
  },
}

const FOREIGN_IDS: Check = {
  invariant: 'I6',
  name: 'rows-of-their-tenant',
  // Each column stands alone: a snapshot for each.
  async find(read, _terms, { limit, signal }) {
    const found: Violation[] = []
    for (const column of await read(selectIdColumns)) {
      signal?.throwIfAborted()
      const wanted = limit - found.length
      found.push(...(await read((tx) => selectForeignIds(tx, column, wanted))))
      if (found.length >= limit) break
    }
    return found
  },
}

const DECISIONS_AT_ONCE = 200

/**
 * Makes recorded decisions again, in the order in which they were written: a page at a time, each in
 * a snapshot of its own, for a decision is never altered and stands alone.
 */
const DECISIONS: Check = {
  invariant: 'I8',
  name: 'decided-as-recorded',
  async find(read, _terms, bounds) {
    const { limit, signal, decisionsSince, isLate, onDecisions } = bounds
    const found: Violation[] = []
    const startedAt = await read(selectNow)
    let after: DecisionPlace | undefined
    for (;;) {
      signal?.throwIfAborted()
      const from = { since: decisionsSince, after }
      const page = await read((tx) => selectDecisionsAfter(tx, from, DECISIONS_AT_ONCE))
      found.push(...page.flatMap(findContradiction))
      if (found.length >= limit) return found.slice(0, limit)
      after = page.at(-1)
      if (after === undefined || page.length < DECISIONS_AT_ONCE) break
      if (found.length === 0) onDecisions?.(after.written_at)
      if (isLate?.()) throw new CheckTookTooLong()
    }
    if (found.length === 0) onDecisions?.(startedAt)
    return found
  },
}

/** A check that goes on page by page has not come to its end in time. */
export class CheckTookTooLong extends Error {
  override readonly name = 'CheckTookTooLong'
}

type Decision = Awaited<ReturnType<typeof selectDecisionsAfter>>[number]

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

/** Members in one order, whatever the database has made of theirs. */
function toText(decision: object): string {
  return JSON.stringify(Object.entries(decision).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Everything that is looked for, by invariant. */
export const CHECKS: readonly Check[] = [
  ...REQUEST_CHECKS,
  ...EVENT_CHECKS,
  ...DELIVERY_CHECKS,
  LEDGER,
  ...MONEY_CHECKS,
  FOREIGN_IDS,
  ...TENANT_CHECKS,
  ...MARGIN_CHECKS,
  DECISIONS,
].sort((a, b) => (a.invariant < b.invariant ? -1 : a.invariant > b.invariant ? 1 : 0))
