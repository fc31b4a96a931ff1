import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'
import { addMs, monthEnd } from '../../../core/time.ts'

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
  principalCents: bigint
  refundCents: bigint
}

/** Interest first, then principal. Money of an earlier value date needs a replay. */
export function applyPayment(
  debt: AccruedDebt,
  confirmedCents: bigint,
): { debt: AccruedDebt; allocation: Allocation } {
  const { principalCents, interestPaidCents } = debt
  const interestPaid = minOf(confirmedCents, interestDueCents(debt, debt.accruedAt))
  const principalPaid = minOf(confirmedCents - interestPaid, principalCents)
  return {
    debt: {
      ...debt,
      principalCents: principalCents - principalPaid,
      interestPaidCents: interestPaidCents + interestPaid,
    },
    allocation: {
      interestCents: interestPaid,
      principalCents: principalPaid,
      refundCents: confirmedCents - interestPaid - principalPaid,
    },
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

export type MonthlyInterest = { id: string; cents: bigint; postedAt: Date }

/** Accrues the months that end after the last accrual; each is posted at its last millisecond. */
export function accrueMonths(debt: Debt, until: Date): { months: MonthlyInterest[]; debt: Debt } {
  const months: MonthlyInterest[] = []
  let accrued = debt
  for (let end = monthEnd(debt.accruedAt); end <= until; end = monthEnd(end)) {
    const next = accrue(accrued, end)
    const postedAt = addMs(end, -1)
    const cents = next.interestBookedCents - accrued.interestBookedCents
    if (cents > 0n)
      months.push({ id: `interest/${postedAt.toISOString().slice(0, 7)}`, cents, postedAt })
    accrued = next
  }
  return { months, debt: accrued }
}
