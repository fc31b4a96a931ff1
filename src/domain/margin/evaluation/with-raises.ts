import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { type Case, heldHighCents } from '../case.ts'
import { selectRaises } from '../decisions/decision-queries.ts'
import { readDecisionFacts } from '../decisions/decision-record.ts'
import { positionsAtRaise } from '../ladder/raise-facts.ts'
import { tierAt } from '../ladder/tiers.ts'
import type { MarginContext } from './evaluate-facilities.ts'
import { isAnsweredAt } from './question.ts'

/** With the raise, where the first answer since neither upheld the warning nor shows a breach. */
export async function withRaises(
  { tx, tenantId, now }: MarginContext,
  cases: readonly Case[],
): Promise<readonly Case[]> {
  const doubtful = cases.filter((one) => {
    const { warning, held, facility, policy } = one
    const highCents = heldHighCents(one)
    if (!warning || warning.upheld || highCents === undefined) return false
    if (!isAnsweredAt(held?.readAt, warning.raisedAt, policy)) return false
    return tierAt(totalDebtCents(facility.debt, now), highCents, policy) === undefined
  })
  if (doubtful.length === 0) return cases
  const rows = await selectRaises(
    tx,
    tenantId,
    doubtful.map(({ facility, warning }) => {
      return { facilityId: facility.id, number: warning?.number ?? 0 }
    }),
  )
  const raiseOf = new Map(rows.map((row) => [row.facility_id, readDecisionFacts(row.facts)]))
  const isDoubtful = new Set(doubtful)
  return cases.map((one) => {
    const raise = isDoubtful.has(one) ? raiseOf.get(one.facility.id) : undefined
    if (!raise) return one
    const { ladder, policy, rounds } = raise
    const positions = positionsAtRaise(one.held?.positions ?? [], one.pushed, raise)
    const { staleMs, floorLtvPpm, haircuts } = policy
    const terms = { staleMs, floorLtvPpm, haircuts }
    return { ...one, raise: { now: ladder.now, debt: ladder.debt, ...terms, positions, rounds } }
  })
}
