import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'

/** What a facility owes, exactly. */
export type Debt = {
  principalCents: bigint
  ratePpm: bigint
  /** All interest since the first draw, up to `accruedAt`: see core/interest.ts. */
  interestNumerator: bigint
  accruedAt: Date
  /** Interest in the journal, and what of it has been paid or waived, since the first draw. */
  interestBookedCents: bigint
  interestPaidCents: bigint
}

declare const ACCRUED: unique symbol

/** A debt brought up to an instant by `accrue`, as every change of principal needs it. */
export type AccruedDebt = Debt & { readonly [ACCRUED]: true }

/** A change of principal and the instant from which it counts. */
export type PrincipalMovement = { effectiveAt: Date; deltaCents: bigint }

/** The exact interest up to `at`; never less than what has been accrued already. */
function numeratorAt(debt: Debt, at: Date): bigint {
  if (at <= debt.accruedAt) return debt.interestNumerator
  return (
    debt.interestNumerator + accrueInterest(debt.principalCents, debt.ratePpm, debt.accruedAt, at)
  )
}

/** Interest owed at `at`, rounded up to the cent. Cents paid ahead are carried against it. */
export function interestDueCents(debt: Debt, at: Date): bigint {
  return maxOf(0n, interestCents(numeratorAt(debt, at)) - debt.interestPaidCents)
}

/** The debt as shown at `at`: principal and interest, rounded up to the cent. */
export function totalDebtCents(debt: Debt, at: Date): bigint {
  return debt.principalCents + interestDueCents(debt, at)
}

/**
 * Brings a debt up to `at`: the interest is settled in the numerator, and booked in whole cents as
 * far as it is owed or paid. Reading a debt never needs this; every change of principal does.
 */
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

/** Where money went: interest first, then principal, and what is owed back. */
export type Allocation = {
  interestCents: bigint
  refundCents: bigint
  /** Changes of principal, by the instants from which they count; together what was repaid. */
  principal: PrincipalMovement[]
}

/** The principal that money has repaid. */
export function repaidCents({ principal }: Allocation): bigint {
  return -sumOf(principal)
}

/**
 * Applies confirmed money to a debt by the waterfall: interest, principal, refund. It is
 * value-dated at the arrival of its report, so what the tenant saw then is what it pays: interest
 * and principal as of `valueDate` come first, and what is left pays what has come up since.
 * `later` are the movements of principal after `valueDate`, in order of time.
 */
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

/** The exact interest as of `at`, and the principal from then on, step by step. */
function historyFrom(debt: Debt, at: Date, later: readonly PrincipalMovement[]) {
  let principalCents = debt.principalCents - sumOf(later)
  const sinceThen = accrueInterest(principalCents, debt.ratePpm, at, debt.accruedAt)
  const principal: Step[] = [{ from: at, principalCents }]
  for (const [index, { effectiveAt, deltaCents }] of later.entries()) {
    principalCents += deltaCents
    // What moves at one instant is one step: between its parts no time passes.
    const isLast = later[index + 1]?.effectiveAt.getTime() !== effectiveAt.getTime()
    if (isLast) principal.push({ from: effectiveAt, principalCents })
  }
  return { numerator: debt.interestNumerator - sinceThen - interestOf(debt, later), principal }
}

/**
 * Repays up to `cents` from the first step on. Where other money has repaid the same principal
 * since, this has paid it until then, and what it thus frees is not repaid twice.
 */
function repayAlong(steps: readonly Step[], cents: bigint): PrincipalMovement[] {
  let repaid = 0n
  return steps.map(({ from, principalCents }, index) => {
    const before = repaid
    repaid = minOf(index === 0 ? cents : before, principalCents)
    return { effectiveAt: from, deltaCents: before - repaid }
  })
}

/** The interest on changes of principal from their instants until the debt's last accrual. */
function interestOf({ ratePpm, accruedAt }: Debt, movements: readonly PrincipalMovement[]): bigint {
  return movements.reduce(
    (sum, { effectiveAt, deltaCents }) =>
      sum + accrueInterest(deltaCents, ratePpm, effectiveAt, accruedAt),
    0n,
  )
}

/** What movements change the principal by, together. */
export function sumOf(movements: readonly PrincipalMovement[]): bigint {
  return movements.reduce((sum, { deltaCents }) => sum + deltaCents, 0n)
}

/** Interest that was paid and is not owed after all: it pays principal, and the rest is owed back. */
export type ExcessInterest = { debt: Debt; principalCents: bigint; refundCents: bigint }

/**
 * Takes back, in whole cents, what an accrued debt was paid in interest beyond what it owes: money
 * that was reported sooner and confirmed later may have repaid the principal that bore it.
 */
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

/** The debt as it will be at `at` if `drawnMoreCents` are paid out at `now` and nothing else happens. */
export function projectDebtCents(
  debt: Debt,
  { now, at }: { now: Date; at: Date },
  drawnMoreCents: bigint,
): bigint {
  const more = accrueInterest(drawnMoreCents, debt.ratePpm, now, at)
  const interest = interestCents(numeratorAt(debt, at) + more)
  return debt.principalCents + drawnMoreCents + maxOf(0n, interest - debt.interestPaidCents)
}
