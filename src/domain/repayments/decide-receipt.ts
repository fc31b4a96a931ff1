import { type Amount, unitsPerWhole } from '../../core/money.ts'
import { addMs, HOUR_MS, type Instant } from '../../core/time.ts'
import type { Receipt } from '../facilities/ports.ts'
import type { Repayment } from './repayments.ts'

/** Without the provider's instant a receipt counts from its report, but at most this long before its
 * confirmation: a bank transfer takes up to three days, and who reports on the day of the draw what
 * is paid much later has had the money meanwhile. */
export const LONGEST_UNDATED_MS = 72 * HOUR_MS

/** Whole units of the asset. Interest of some days and fees stay below; what is further above the
 * claim is a mistake, or money of someone else. */
export const MOST_OVER_CLAIM = 100n

export type ReceiptDecision =
  | { kind: 'nothing' }
  /** Far beyond the claim, and in another asset: nothing moves before an operator has looked. */
  | { kind: 'doubt' }
  /** In another asset than the repayment's: it is sent back. */
  | ({ kind: 'return'; received: Amount } & Dated)
  /** `suspended`, of the same asset, is far beyond the claim: operators decide. */
  | ({ kind: 'pay'; confirmed: Amount; suspended: Amount | undefined } & Dated)

/** From when the money counts, and until when it can be taken back (the tenant's time). */
type Dated = { valueAt: Date; finalAt: Date | undefined }

type Reported = Pick<Repayment, 'amount' | 'delivered' | 'requestedAt' | 'reportedAt'>

/** Decides what a receipt pays, and from when it counts. */
export function decideReceipt(
  repayment: Reported,
  receipt: Receipt | undefined,
  instant: Instant,
): ReceiptDecision {
  if (!receipt || receipt.amount.units === 0n) return { kind: 'nothing' }
  const { amount: received, receivedAt, finalAt } = receipt
  const dated = {
    valueAt: chooseValueDate(repayment, receivedAt, instant),
    finalAt: finalAt && finalAt > instant.realNow ? toTenantTime(finalAt, instant) : undefined,
  }
  const claim = repayment.delivered ?? repayment.amount
  if (received.asset !== repayment.amount.asset) {
    return isFarBeyond(received, claim) ? { kind: 'doubt' } : { kind: 'return', received, ...dated }
  }
  const { asset } = received
  const claimed = claim.units
  const over = received.units - claimed
  if (over <= MOST_OVER_CLAIM * unitsPerWhole(asset)) {
    return { kind: 'pay', confirmed: received, suspended: undefined, ...dated }
  }
  const confirmed = { asset, units: claimed }
  return { kind: 'pay', confirmed, suspended: { asset, units: over }, ...dated }
}

/** Both are dollars, or claims on them. */
function isFarBeyond(received: Amount, claim: Amount): boolean {
  const most = claim.units + MOST_OVER_CLAIM * unitsPerWhole(claim.asset)
  return received.units * unitsPerWhole(claim.asset) > most * unitsPerWhole(received.asset)
}

/** When the money arrived, if the provider knows; never before the repayment was requested, and never
 * ahead. */
function chooseValueDate(
  { requestedAt, reportedAt }: Reported,
  receivedAt: Date | undefined,
  instant: Instant,
): Date {
  const { now } = instant
  const arrived = receivedAt
    ? toTenantTime(receivedAt, instant)
    : later(reportedAt ?? now, addMs(now, -LONGEST_UNDATED_MS))
  return earlier(later(arrived, requestedAt), now)
}

/** The tenant's clock may be ahead of the provider's. */
function toTenantTime(at: Date, { now, realNow }: Instant): Date {
  return addMs(at, now.getTime() - realNow.getTime())
}

const earlier = (a: Date, b: Date) => (a < b ? a : b)
const later = (a: Date, b: Date) => (a > b ? a : b)
