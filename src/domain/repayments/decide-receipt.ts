import type { Amount } from '../../core/money.ts'
import { addMs, HOUR_MS, type Instant } from '../../core/time.ts'
import type { Receipt } from '../facilities/ports.ts'
import type { Repayment } from './repayments.ts'

/** Without the provider's instant a receipt counts from its report, but at most this long before its
 * confirmation: a bank transfer takes up to three days, and who reports on the day of the draw what
 * is paid much later has had the money meanwhile. */
export const LONGEST_UNDATED_MS = 72 * HOUR_MS

export type ReceiptDecision =
  | { kind: 'nothing' }
  /** In another asset than the repayment's: it is sent back. */
  | { kind: 'return'; received: Amount; valueAt: Date }
  | { kind: 'pay'; confirmed: Amount; valueAt: Date }

type Reported = Pick<Repayment, 'amount' | 'requestedAt' | 'reportedAt'>

/** Decides what a receipt pays, and from when it counts. */
export function decideReceipt(
  repayment: Reported,
  receipt: Receipt | undefined,
  instant: Instant,
): ReceiptDecision {
  if (!receipt || receipt.amount.units === 0n) return { kind: 'nothing' }
  const { amount: received, receivedAt } = receipt
  const valueAt = chooseValueDate(repayment, receivedAt, instant)
  return received.asset === repayment.amount.asset
    ? { kind: 'pay', confirmed: received, valueAt }
    : { kind: 'return', received, valueAt }
}

/** When the money arrived, if the provider knows; never before the repayment was requested, and never
 * ahead. */
function chooseValueDate(
  { requestedAt, reportedAt }: Reported,
  receivedAt: Date | undefined,
  { now, realNow }: Instant,
): Date {
  const arrived = receivedAt
    ? // The tenant's clock may be ahead of real time.
      addMs(receivedAt, now.getTime() - realNow.getTime())
    : later(reportedAt ?? now, addMs(now, -LONGEST_UNDATED_MS))
  return earlier(later(arrived, requestedAt), now)
}

const earlier = (a: Date, b: Date) => (a < b ? a : b)
const later = (a: Date, b: Date) => (a > b ? a : b)
