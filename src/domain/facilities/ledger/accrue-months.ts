import { addMs, monthEnd } from '../../../core/time.ts'
import { accrue, type Debt } from './debt.ts'

export type MonthlyInterest = { id: string; cents: bigint; postedAt: Date }

/** Of months that end after the last accrual; each is posted at its last millisecond. */
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
