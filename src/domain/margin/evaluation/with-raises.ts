import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { Case } from '../case.ts'
import { selectRaises } from '../decisions/decision-queries.ts'
import { readDecisionFacts } from '../decisions/decision-record.ts'
import { tierAt } from '../ladder/ladder.ts'
import { positionsAtRaise } from '../ladder/raise-facts.ts'
import type { MarginContext } from './evaluate-facilities.ts'

/** With what each warning was raised on, where the custodian has answered and neither has upheld the
 * warning nor is in breach: it may have been a mistake. */
export async function withRaises(
  { tx, tenantId, now, marginPolicy }: MarginContext,
  cases: readonly Case[],
): Promise<readonly Case[]> {
  const doubtful = cases.filter(({ warning, push, facility, collateral: { values } }) => {
    if (!warning || warning.upheld || !push?.answeredAt || !values) return false
    return tierAt(totalDebtCents(facility.debt, now), values.highCents, marginPolicy) === undefined
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
    const positions = positionsAtRaise(one.positions, one.pushed, raise)
    const { now: raisedAt, debt } = ladder
    return { ...one, raise: { now: raisedAt, debt, staleMs: policy.staleMs, positions, rounds } }
  })
}
