import { accrueInterest, interestCents } from '../../core/interest.ts'
import { maxOf, minOf } from '../../core/money.ts'

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
export function accrue(debt: Debt, at: Date): Debt {
  const interestNumerator = numeratorAt(debt, at)
  return {
    ...debt,
    interestNumerator,
    accruedAt: at > debt.accruedAt ? at : debt.accruedAt,
    interestBookedCents: maxOf(debt.interestPaidCents, interestCents(interestNumerator)),
  }
}

/** Adds a completed draw to an accrued debt. */
export function addPrincipal(debt: Debt, cents: bigint): Debt {
  return { ...debt, principalCents: debt.principalCents + cents }
}

/** Where money went: interest first, then principal, and what is owed back. */
export type Allocation = {
  interestCents: bigint
  refundCents: bigint
  /** Principal repaid, by the instant from which it counts; one or two parts. */
  principal: PrincipalMovement[]
}

/**
 * Applies confirmed money to an accrued debt by the waterfall: interest, principal, refund. It is
 * value-dated at the arrival of its report, so what the tenant saw then is what it pays: interest
 * and principal as of `valueDate` come first, and what is left pays what has come up since.
 * `later` are the movements of principal after `valueDate`, in order of time.
 */
export function applyPayment(
  debt: Debt,
  confirmedCents: bigint,
  valueDate: Date,
  later: readonly PrincipalMovement[],
): { debt: Debt; allocation: Allocation } {
  const history = viewAt(debt, valueDate, later)
  const dueThen = maxOf(0n, interestCents(history.numerator) - debt.interestPaidCents)
  const interestThen = minOf(confirmedCents, dueThen)
  // What is repaid from then on must have been owed ever since.
  const principalThen = minOf(confirmedCents - interestThen, history.leastPrincipalCents)
  const reversed = accrueInterest(principalThen, debt.ratePpm, valueDate, debt.accruedAt)
  const afterThen: Debt = {
    ...debt,
    principalCents: debt.principalCents - principalThen,
    interestNumerator: debt.interestNumerator - reversed,
    interestPaidCents: debt.interestPaidCents + interestThen,
  }

  const left = confirmedCents - interestThen - principalThen
  const interestNow = minOf(left, interestDueCents(afterThen, debt.accruedAt))
  const principalNow = minOf(left - interestNow, afterThen.principalCents)
  const paid: Debt = {
    ...afterThen,
    principalCents: afterThen.principalCents - principalNow,
    interestPaidCents: afterThen.interestPaidCents + interestNow,
  }
  return {
    debt: accrue(paid, debt.accruedAt),
    allocation: {
      interestCents: interestThen + interestNow,
      refundCents: left - interestNow - principalNow,
      principal: [
        { effectiveAt: valueDate, deltaCents: -principalThen },
        { effectiveAt: debt.accruedAt, deltaCents: -principalNow },
      ].filter((part) => part.deltaCents !== 0n),
    },
  }
}

/** The exact interest as of `at`, and the least principal from then until now. */
function viewAt(debt: Debt, at: Date, later: readonly PrincipalMovement[]) {
  const sum = later.reduce((total, movement) => total + movement.deltaCents, 0n)
  const principalThen = debt.principalCents - sum
  let leastPrincipalCents = principalThen
  let running = principalThen
  let since = accrueInterest(principalThen, debt.ratePpm, at, debt.accruedAt)
  for (const { effectiveAt, deltaCents } of later) {
    running += deltaCents
    leastPrincipalCents = minOf(leastPrincipalCents, running)
    since += accrueInterest(deltaCents, debt.ratePpm, effectiveAt, debt.accruedAt)
  }
  return { numerator: debt.interestNumerator - since, leastPrincipalCents }
}

/**
 * Interest that was paid ahead and that nothing is left to carry against, once the principal is
 * repaid for good: owed back. Whole cents; at most what was paid.
 */
export function excessInterestCents(debt: Debt): bigint {
  if (debt.principalCents > 0n) return 0n
  return maxOf(0n, debt.interestPaidCents - interestCents(debt.interestNumerator))
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
