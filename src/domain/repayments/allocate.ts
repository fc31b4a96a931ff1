import { monthStart } from '../../core/time.ts'
import { accrueMonths, type MonthlyInterest } from '../facilities/ledger/accrue-months.ts'
import { accrue, applyPayment } from '../facilities/ledger/debt.ts'
import { selectHistory, selectPrincipalMovements } from '../facilities/ledger/journal-queries.ts'
import { applyLatePayment, type LatePayment, type Step } from '../facilities/ledger/late-payment.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'

/** Allocates money by its value date. Only where something of a later one is booked, or a month has
 * ended since, is the journal read: what was booked from then on is corrected. */
export async function allocate(
  { tx, tenantId, facility, now }: LockedFacility,
  payment: { cents: bigint; valueAt: Date },
): Promise<LatePayment> {
  const { id, closeReason } = facility
  // What was written off is not owed again: the money goes back.
  if (closeReason !== undefined || payment.valueAt >= facility.debt.accruedAt) {
    const debt = accrue(facility.debt, payment.valueAt)
    return { ...applyPayment(debt, payment.cents), corrections: [] }
  }
  // A month that has ended may be closed: none of its interest is left to book.
  const { months, debt } = accrueMonths(facility.debt, monthStart(now))
  const { movements, steps } = await selectHistory(tx, tenantId, id)
  const principal = await selectPrincipalMovements(tx, tenantId, id)
  return applyLatePayment(accrue(debt, debt.accruedAt), payment, {
    movements,
    steps: [...steps, ...months.map(toStep)],
    principal,
    earlierRates: facility.earlierRates,
  })
}

function toStep({ cents, postedAt }: MonthlyInterest): Step {
  return {
    valueAt: postedAt,
    accruedCents: cents,
    interestCents: 0n,
    principalCents: 0n,
    refundCents: 0n,
  }
}
