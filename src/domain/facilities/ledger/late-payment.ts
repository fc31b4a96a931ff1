import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'
import { type AccruedDebt, type Allocation, accrue, type PrincipalMovement } from './debt.ts'

/** Money that changed a debt, draws positive, from its value date on. */
export type DebtMovement = { valueAt: Date; cents: bigint }

/** What the books hold of a facility before a payment. */
export type BookedHistory = {
  /** In order of their value dates, draws first. */
  movements: readonly DebtMovement[]
  principal: readonly PrincipalMovement[]
  /** Of all receipts, whether paid out or not. */
  refundCents: bigint
}

/** What changes of payments that are booked already; never of how they were reported. */
export type Correction = { interestCents: bigint; principalCents: bigint; refundCents: bigint }

export const NO_CORRECTION: Correction = {
  interestCents: 0n,
  principalCents: 0n,
  refundCents: 0n,
}

export type LatePayment = { debt: AccruedDebt; allocation: Allocation; correction: Correction }

/** Applies a payment that arrived before others that are booked: replays them all in order of their
 * value dates, so that the debt is the same in whatever order payments are confirmed.
 * 5,000.00 of day 0 confirmed after 1,000.00 of day 73 on 10,000.00 at 10 %: the later one paid
 * 200.00 of interest and now owes 100.00, so the correction moves 100.00 to principal. */
export function applyLatePayment(
  debt: AccruedDebt,
  payment: { cents: bigint; valueAt: Date },
  booked: BookedHistory,
): LatePayment {
  const { cents, valueAt } = payment
  const movements = insertAt(booked.movements, { valueAt, cents: -cents })
  const replayed = replay(debt, movements)
  const refundCents = maxOf(0n, replayed.refundCents - booked.refundCents)
  const refund = minOf(cents, refundCents)
  const interest = minOf(cents - refund, replay(debt, movementsUntil(movements, valueAt)).lastDue)
  const principal = cents - refund - interest
  return {
    debt: accrue({ ...debt, ...replayed.debt }, debt.accruedAt),
    allocation: {
      interestCents: interest,
      principalCents: principal,
      refundCents: refund,
      principal: differences(booked.principal, replayed.principal),
    },
    correction: {
      interestCents: replayed.debt.interestPaidCents - debt.interestPaidCents - interest,
      principalCents: debt.principalCents - replayed.debt.principalCents - principal,
      refundCents: refundCents - refund,
    },
  }
}

/** After what has the same value date: the order among payments of one instant changes nothing, and
 * a draw of that instant is owed. */
function insertAt(movements: readonly DebtMovement[], one: DebtMovement): DebtMovement[] {
  const at = movements.findIndex(({ valueAt }) => valueAt > one.valueAt)
  return at < 0 ? [...movements, one] : movements.toSpliced(at, 0, one)
}

function movementsUntil(movements: readonly DebtMovement[], at: Date): DebtMovement[] {
  return movements.filter(({ valueAt }) => valueAt <= at)
}

function replay({ ratePpm, accruedAt }: AccruedDebt, movements: readonly DebtMovement[]) {
  let principalCents = 0n
  let interestNumerator = 0n
  let interestPaidCents = 0n
  let refundCents = 0n
  /** The interest due where the last payment arrived. */
  let lastDue = 0n
  let since = movements[0]?.valueAt ?? accruedAt
  const principal: PrincipalMovement[] = []
  for (const { valueAt, cents } of movements) {
    interestNumerator += accrueInterest(principalCents, ratePpm, since, valueAt)
    since = valueAt
    let deltaCents = cents
    if (cents < 0n) {
      lastDue = interestCents(interestNumerator) - interestPaidCents
      const interest = minOf(-cents, lastDue)
      deltaCents = -minOf(-cents - interest, principalCents)
      interestPaidCents += interest
      refundCents += -cents - interest + deltaCents
    }
    principalCents += deltaCents
    principal.push({ effectiveAt: valueAt, deltaCents })
  }
  interestNumerator += accrueInterest(principalCents, ratePpm, since, accruedAt)
  const debt = { principalCents, interestNumerator, interestPaidCents }
  return { debt, principal, refundCents, lastDue }
}

/** What turns the principal as booked into the principal as replayed. */
function differences(
  booked: readonly PrincipalMovement[],
  replayed: readonly PrincipalMovement[],
): PrincipalMovement[] {
  const deltas = new Map<number, bigint>()
  const add = (at: Date, cents: bigint) =>
    deltas.set(at.getTime(), (deltas.get(at.getTime()) ?? 0n) + cents)
  for (const { effectiveAt, deltaCents } of replayed) add(effectiveAt, deltaCents)
  for (const { effectiveAt, deltaCents } of booked) add(effectiveAt, -deltaCents)
  return [...deltas]
    .filter(([, deltaCents]) => deltaCents !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([at, deltaCents]) => ({ effectiveAt: new Date(at), deltaCents }))
}
