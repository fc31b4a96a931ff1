import type { Tier } from '../policy.ts'
import type { GroupRow } from './rows.ts'

export type SaleSums = { grossCents: bigint; costsCents: bigint }

export type LossSums = SaleSums & { deficitCents: bigint; deficits: number }

export type StressSums = {
  facilities: number
  debtCents: bigint
  valueCents: bigint
  warned: Record<Tier, number>
  /** Of the warned, those that a warning of this tier is open for already. */
  warnedAlready: number
  /** Of the warned, those past their deadline that a reported repayment holds. */
  held: number
  escalated: { deadline: number; critical: number }
  cured: number
  called: number
  unsecured: number
  unsecuredCents: bigint
  stale: number
  /** Of what escalates and of live calls, at once. */
  sales: LossSums
  ifUncured: LossSums
}

export function emptySums(): StressSums {
  return {
    facilities: 0,
    debtCents: 0n,
    valueCents: 0n,
    warned: { 1: 0, 2: 0, 3: 0 },
    warnedAlready: 0,
    held: 0,
    escalated: { deadline: 0, critical: 0 },
    cured: 0,
    called: 0,
    unsecured: 0,
    unsecuredCents: 0n,
    stale: 0,
    sales: emptyLosses(),
    ifUncured: emptyLosses(),
  }
}

export function addToSums(sums: StressSums, row: GroupRow): void {
  const count = row.facilities
  sums.facilities += count
  sums.debtCents += row.debt
  sums.valueCents += row.value
  addLosses(isSoldAtOnce(row) ? sums.sales : sums.ifUncured, row)
  switch (row.outcome) {
    case 'warned':
    case 'held':
      sums.warned[row.tier ?? 1] += count
      if (row.outcome === 'held') sums.held += count
      if (row.warnedTier === row.tier) sums.warnedAlready += count
      return
    case 'overdue':
      sums.escalated.deadline += count
      return
    case 'critical':
      sums.escalated.critical += count
      return
    case 'unsecured':
      sums.unsecured += count
      sums.unsecuredCents += row.debt
      return
    case 'cured':
    case 'called':
    case 'stale':
      sums[row.outcome] += count
      return
    case 'clear':
      return
    default: {
      const unreachable: never = row.outcome
      throw new Error(`unknown outcome: ${unreachable}`)
    }
  }
}

export function isSoldAtOnce({ outcome }: Pick<GroupRow, 'outcome'>): boolean {
  return outcome === 'overdue' || outcome === 'critical' || outcome === 'called'
}

function addLosses(losses: LossSums, row: GroupRow): void {
  losses.grossCents += sumOf(row.gross)
  losses.costsCents += sumOf(row.costs)
  losses.deficitCents += row.deficit
  losses.deficits += row.deficits
}

function sumOf(byAsset: Record<string, string>): bigint {
  return Object.values(byAsset).reduce((sum, cents) => sum + BigInt(cents), 0n)
}

function emptyLosses(): LossSums {
  return { grossCents: 0n, costsCents: 0n, deficitCents: 0n, deficits: 0 }
}
