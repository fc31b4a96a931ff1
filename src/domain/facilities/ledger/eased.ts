import { interestCents } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'
import { addMs, HOUR_MS } from '../../../core/time.ts'
import type { Facility } from '../facilities.ts'
import { accrue, type Debt, totalDebtCents } from './debt.ts'

/** Neither a bank's message nor an undone correction sells anybody out: for so long, what is critical, the
 * start of a sale and each of its plans are evaluated with the debt without it. A warning that it raises has
 * at least so long. */
export const EASED_MS = 2 * HOUR_MS

/** Debt that a message has brought at `at`, and the interest on it. */
export type Eased = {
  at: Date
  /** Undefined: nothing was evaluated with it yet. */
  until: Date | undefined
  principalCents: bigint
  interestNumerator: bigint
  interestPaidCents: bigint
}

/** Returns the facility's with what `after` has more than `before`, and without what has ended. */
export function easeDebt(
  { debt: before, eased }: Facility,
  after: Debt,
  now: Date,
): readonly Eased[] {
  const running = eased.filter((one) => isRunning(one, now))
  if (totalDebtCents(after, now) <= totalDebtCents(before, now)) return running
  const [accrued, accruedBefore] = [accrue(after, now), accrue(before, now)]
  const more = {
    at: now,
    until: undefined,
    principalCents: accrued.principalCents - accruedBefore.principalCents,
    interestNumerator: accrued.interestNumerator - accruedBefore.interestNumerator,
    interestPaidCents: accrued.interestPaidCents - accruedBefore.interestPaidCents,
  }
  return [...running, more]
}

const isRunning = ({ until }: Eased, now: Date) => until === undefined || until > now

/** At the first evaluation that decides with it, minutes or, after an outage or a late recall, hours after
 * it was booked. Undefined where all of it was evaluated before. */
export function beginEased({ eased }: Facility, now: Date): readonly Eased[] | undefined {
  if (eased.every(({ until }) => until)) return undefined
  return eased.map((one) => ({ ...one, until: one.until ?? addMs(now, EASED_MS) }))
}

/** For a warning raised at `now`. Undefined where all of the debt counts. */
export function prolongEased({ eased }: Facility, now: Date): readonly Eased[] | undefined {
  const until = addMs(now, EASED_MS)
  if (!eased.some((one) => one.until && one.until > now && one.until < until)) return undefined
  return eased.map((one) => (isRunning(one, now) ? { ...one, until } : one))
}

/** Undefined where all of the debt counts. */
export function easedDebtCents({ debt, eased }: Facility, now: Date): bigint | undefined {
  const running = eased.filter((one) => isRunning(one, now))
  if (running.length === 0) return undefined
  const accrued = accrue(debt, now)
  const without = running.reduce(takeOff, accrued)
  // A payment since has paid interest on it first, which without it would have been principal. What was
  // paid ahead of all interest is carried either way.
  const dueCents = interestBalance(without) - minOf(0n, interestBalance(accrued))
  return maxOf(0n, minOf(without.principalCents + dueCents, totalDebtCents(debt, now)))
}

/** Below 0 where more was paid than has accrued. */
function interestBalance({ interestNumerator, interestPaidCents }: Debt): bigint {
  return interestCents(interestNumerator) - interestPaidCents
}

/** When the next of it counts. */
export function nextEasedEnd({ eased }: Facility, now: Date): Date | undefined {
  const ends = eased.flatMap(({ until }) => (until && until > now ? [until] : []))
  return ends.sort((a, b) => a.getTime() - b.getTime())[0]
}

function takeOff(debt: Debt, eased: Eased): Debt {
  const sinceMs = BigInt(debt.accruedAt.getTime() - eased.at.getTime())
  const grown = eased.principalCents * debt.ratePpm * sinceMs
  return {
    ...debt,
    principalCents: debt.principalCents - eased.principalCents,
    interestNumerator: debt.interestNumerator - eased.interestNumerator - grown,
    interestPaidCents: debt.interestPaidCents - eased.interestPaidCents,
  }
}

type StoredEased = Record<'at' | 'principal' | 'numerator' | 'paid', string> & {
  until: string | null
}

/** As JSON: cents and numerators are text. */
export function encodeEased(eased: readonly Eased[]): string | null {
  if (eased.length === 0) return null
  return JSON.stringify(
    eased.map((one) => ({
      at: one.at.toISOString(),
      until: one.until?.toISOString() ?? null,
      principal: String(one.principalCents),
      numerator: String(one.interestNumerator),
      paid: String(one.interestPaidCents),
    })),
  )
}

export function decodeEased(stored: unknown): readonly Eased[] {
  if (!Array.isArray(stored)) return []
  return stored.map((one: StoredEased) => ({
    at: new Date(one.at),
    until: one.until === null ? undefined : new Date(one.until),
    principalCents: BigInt(one.principal),
    interestNumerator: BigInt(one.numerator),
    interestPaidCents: BigInt(one.paid),
  }))
}
