import { addMs, monthEnd } from '../../../core/time.ts'
import { accrue, type Debt } from './debt.ts'

export type MonthlyInterest = { id: string; cents: bigint; postedAt: Date }

/** The interest of each month that ends after the last accrual, up to the instant, posted at the
 * month's last millisecond; and the debt as it is then. */
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
