import { findDisagreements } from '../facilities/check-ledger.ts'
import { decideAgain, readDecisionFacts } from '../margin/decision-record.ts'
import type { Check, Violation } from './check.ts'
import { DELIVERY_CHECKS } from './delivery-queries.ts'
import { EVENT_CHECKS } from './event-queries.ts'
import { MARGIN_CHECKS, selectDecisionsAfter } from './margin-queries.ts'
import { MONEY_CHECKS } from './money-queries.ts'
import { REQUEST_CHECKS } from './request-queries.ts'
import { selectForeignIds, selectIdColumns, TENANT_CHECKS } from './tenant-queries.ts'

/** The fold of the journal against every balance. */
const LEDGER: Check = {
  invariant: 'I4',
  name: 'balances-as-booked',
  async find(tx, _terms, { limit }) {
    const all = await findDisagreements(tx, limit)
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
  async find(tx, _terms, { limit, signal }) {
    const found: Violation[] = []
    for (const column of await selectIdColumns(tx)) {
      signal?.throwIfAborted()
      found.push(...(await selectForeignIds(tx, column, limit - found.length)))
      if (found.length >= limit) break
    }
    return found
  },
}

const DECISIONS_AT_ONCE = 200

/** Makes every recorded decision again, a page at a time. */
const DECISIONS: Check = {
  invariant: 'I8',
  name: 'decided-as-recorded',
  async find(tx, _terms, { limit, signal }) {
    const found: Violation[] = []
    let page = await selectDecisionsAfter(tx, undefined, DECISIONS_AT_ONCE)
    while (page.length > 0 && found.length < limit) {
      signal?.throwIfAborted()
      for (const row of page) {
        const detail = contradictionIn(row)
        if (detail === undefined) continue
        const subject = `${row.facility_id}/${row.warning_number} decision ${row.number}`
        found.push({ tenantId: row.tenant_id, subject, detail })
      }
      page = await selectDecisionsAfter(tx, page.at(-1), DECISIONS_AT_ONCE)
    }
    return found.slice(0, limit)
  },
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
