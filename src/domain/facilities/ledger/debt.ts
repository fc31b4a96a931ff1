import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'

export type Debt = {
  principalCents: bigint
  ratePpm: bigint
  /** All interest since the first draw until `accruedAt`: see core/interest.ts. */
  interestNumerator: bigint
  accruedAt: Date
  /** Interest in the journal, and what of it is paid or waived, since the first draw. */
  interestBookedCents: bigint
  interestPaidCents: bigint
}

declare const ACCRUED: unique symbol

/** Brought up to an instant by `accrue`: every change of principal needs it. */
export type AccruedDebt = Debt & { readonly [ACCRUED]: true }

export type PrincipalMovement = { effectiveAt: Date; deltaCents: bigint }

function numeratorAt(debt: Debt, at: Date): bigint {
  if (at <= debt.accruedAt) return debt.interestNumerator
  return (
    debt.interestNumerator + accrueInterest(debt.principalCents, debt.ratePpm, debt.accruedAt, at)
  )
}

/** Rounded up to the cent; cents paid ahead are deducted. */
export function interestDueCents(debt: Debt, at: Date): bigint {
  return maxOf(0n, interestCents(numeratorAt(debt, at)) - debt.interestPaidCents)
}

export function totalDebtCents(debt: Debt, at: Date): bigint {
  return debt.principalCents + interestDueCents(debt, at)
}

/** What every answer shows of a debt: one instant, one rounding. */
export type Outstanding = { principalCents: bigint; interestCents: bigint; totalCents: bigint }

export function outstandingAt(debt: Debt, at: Date): Outstanding {
  const { principalCents } = debt
  const interestCents = interestDueCents(debt, at)
  return { principalCents, interestCents, totalCents: principalCents + interestCents }
}

export function accrue(debt: Debt, at: Date): AccruedDebt {
  const interestNumerator = numeratorAt(debt, at)
  const accrued: Debt = {
    ...debt,
    interestNumerator,
    accruedAt: at > debt.accruedAt ? at : debt.accruedAt,
    interestBookedCents: maxOf(debt.interestPaidCents, interestCents(interestNumerator)),
  }
  return accrued as AccruedDebt
}

export function addPrincipal(debt: AccruedDebt, cents: bigint): AccruedDebt {
  return { ...debt, principalCents: debt.principalCents + cents }
}

export type Allocation = {
  interestCents: bigint
  refundCents: bigint
  principal: PrincipalMovement[]
}

export function repaidCents({ principal }: Allocation): bigint {
  return -sumOf(principal)
}

/** Pays what was owed at `valueDate`, when the money was reported, then what accrued since:
 * interest first, then principal; the rest is a refund. `later` are the movements since, in order
 * of time. */
export function applyPayment(
  debt: AccruedDebt,
  confirmedCents: bigint,
  valueDate: Date,
  later: readonly PrincipalMovement[],
): { debt: AccruedDebt; allocation: Allocation } {
  const { numerator, principal } = historyFrom(debt, valueDate, later)
  const dueThen = maxOf(0n, interestCents(numerator) - debt.interestPaidCents)
  const interestThen = minOf(confirmedCents, dueThen)
  const since = repayAlong(principal, confirmedCents - interestThen)
  const repaidThen = -sumOf(since)
  const afterThen: Debt = {
    ...debt,
    principalCents: debt.principalCents - repaidThen,
    interestNumerator: debt.interestNumerator + interestOf(debt, since),
    interestPaidCents: debt.interestPaidCents + interestThen,
  }

  const left = confirmedCents - interestThen - repaidThen
  const interestNow = minOf(left, interestDueCents(afterThen, debt.accruedAt))
  const principalNow = minOf(left - interestNow, afterThen.principalCents)
  const paid: Debt = {
    ...afterThen,
    principalCents: afterThen.principalCents - principalNow,
    interestPaidCents: afterThen.interestPaidCents + interestNow,
  }
  const movements = [...since, { effectiveAt: debt.accruedAt, deltaCents: -principalNow }]
  return {
    debt: accrue(paid, debt.accruedAt),
    allocation: {
      interestCents: interestThen + interestNow,
      refundCents: left - interestNow - principalNow,
      principal: movements.filter((part) => part.deltaCents !== 0n),
    },
  }
}

type Step = { from: Date; principalCents: bigint }

function historyFrom(debt: Debt, at: Date, later: readonly PrincipalMovement[]) {
  let principalCents = debt.principalCents - sumOf(later)
  const sinceThen = accrueInterest(principalCents, debt.ratePpm, at, debt.accruedAt)
  const principal: Step[] = [{ from: at, principalCents }]
  for (const [index, { effectiveAt, deltaCents }] of later.entries()) {
    principalCents += deltaCents
    // No time passes between parts that move at one instant.
    const isLast = later[index + 1]?.effectiveAt.getTime() !== effectiveAt.getTime()
    if (isLast) principal.push({ from: effectiveAt, principalCents })
  }
  return { numerator: debt.interestNumerator - sinceThen - interestOf(debt, later), principal }
}

/** Principal that other money repaid later was repaid by this until then: it is not repaid twice.
 * */
function repayAlong(steps: readonly Step[], cents: bigint): PrincipalMovement[] {
  let repaid = 0n
  return steps.map(({ from, principalCents }, index) => {
    const before = repaid
    repaid = minOf(index === 0 ? cents : before, principalCents)
    return { effectiveAt: from, deltaCents: before - repaid }
  })
}

function interestOf({ ratePpm, accruedAt }: Debt, movements: readonly PrincipalMovement[]): bigint {
  return movements.reduce(
    (sum, { effectiveAt, deltaCents }) =>
      sum + accrueInterest(deltaCents, ratePpm, effectiveAt, accruedAt),
    0n,
  )
}

export function sumOf(movements: readonly PrincipalMovement[]): bigint {
  return movements.reduce((sum, { deltaCents }) => sum + deltaCents, 0n)
}

export type ExcessInterest = { debt: Debt; principalCents: bigint; refundCents: bigint }

/** Takes back interest paid beyond what is owed, in whole cents: a payment reported earlier and
 * confirmed later may have repaid the principal that accrued it. */
export function returnExcessInterest(debt: AccruedDebt): ExcessInterest {
  const excess = maxOf(0n, debt.interestPaidCents - interestCents(debt.interestNumerator))
  const principalCents = minOf(excess, debt.principalCents)
  return {
    debt: {
      ...debt,
      principalCents: debt.principalCents - principalCents,
      interestPaidCents: debt.interestPaidCents - excess,
      interestBookedCents: debt.interestBookedCents - excess,
    },
    principalCents,
    refundCents: excess - principalCents,
  }
}

/** The debt at `at` if `drawnMoreCents` are paid out at `now`. */
export function projectDebtCents(
  debt: Debt,
  { now, at }: { now: Date; at: Date },
  drawnMoreCents: bigint,
): bigint {
  const more = accrueInterest(drawnMoreCents, debt.ratePpm, now, at)
  const interest = interestCents(numeratorAt(debt, at) + more)
  return debt.principalCents + drawnMoreCents + maxOf(0n, interest - debt.interestPaidCents)
}
