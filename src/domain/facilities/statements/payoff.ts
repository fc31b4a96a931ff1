import { Refusal } from '../../../core/errors.ts'
import { accrueInterest, INTEREST_PER_CENT } from '../../../core/interest.ts'
import { divideUp } from '../../../core/money.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import { deficitOf } from '../closing/recover.ts'
import type { Facility } from '../facilities.ts'
import { accrue, type Debt, type Outstanding, outstandingAt } from '../ledger/debt.ts'

export type Payoff = {
  at: Date
  outstanding: Outstanding
  /** A day's interest at that principal, rounded up. */
  perDayCents: bigint
  /** From then on a cent more is owed; undefined where no interest runs. */
  risesAt: Date | undefined
}

export const FURTHEST_PAYOFF_DAYS = 366

/** Of a debt that was charged off, what is left to recover. Refuses `validation_failed`. */
export function readPayoff(
  facility: Facility,
  { at, now }: { at: Date | undefined; now: Date },
): Payoff {
  if (at && (at < now || at > addMs(now, FURTHEST_PAYOFF_DAYS * DAY_MS))) {
    const detail = `Expected an instant from now to ${FURTHEST_PAYOFF_DAYS} days ahead.`
    throw new Refusal('validation_failed', 'The query is not valid; see errors.', {
      errors: [{ pointer: '?at', code: 'out_of_range', detail }],
    })
  }
  if (!facility.chargedOff) return payoffAt(debtBy(facility, at ?? now), at ?? now)
  const { principalCents, interestCents } = deficitOf(facility)
  const totalCents = principalCents + interestCents
  const outstanding = { principalCents, interestCents, totalCents }
  return { at: at ?? now, outstanding, perDayCents: 0n, risesAt: undefined }
}

/** With the rate that an amendment gives it until then. */
function debtBy({ debt, nextTerms }: Facility, at: Date): Debt {
  if (nextTerms?.ratePpm === undefined || nextTerms.at >= at) return debt
  return { ...accrue(debt, nextTerms.at), ratePpm: nextTerms.ratePpm }
}

export function payoffAt(debt: Debt, at: Date): Payoff {
  const outstanding = outstandingAt(debt, at)
  const aDay = accrueInterest(debt.principalCents, debt.ratePpm, at, addMs(at, DAY_MS))
  return {
    at,
    outstanding,
    perDayCents: divideUp(aDay, INTEREST_PER_CENT),
    risesAt: findNextCent(debt, at, outstanding.interestCents),
  }
}

const LATEST_MS = 8_640_000_000_000_000n

function findNextCent(debt: Debt, at: Date, dueCents: bigint): Date | undefined {
  const perMs = debt.principalCents * debt.ratePpm
  if (perMs === 0n) return undefined
  const { interestNumerator, interestPaidCents, accruedAt } = accrue(debt, at)
  const passed = (dueCents + interestPaidCents) * INTEREST_PER_CENT + 1n
  const ms = BigInt(accruedAt.getTime()) + divideUp(passed - interestNumerator, perMs)
  return ms > LATEST_MS ? undefined : new Date(Number(ms))
}
