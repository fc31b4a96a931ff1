import { noteDoubt } from '../doubts/doubts.ts'
import { debitCents, moneyOut } from '../ledger/conversion.ts'
import { type Posting, transfer } from '../ledger/journal.ts'
import { recordMovement } from '../ledger/ledger.ts'
import type { Rebooking } from '../ledger/rebook.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { type RefundRow, updatePendingRefund } from './refund-queries.ts'

// Money that was never for the debt goes back as it came: what was in suspense, or came in another asset.
// Once its own transfer is taken back, it is owed back no longer. The suspense has what is not decided.

/** Cancels one of which no payment is under way, because its transfer was taken back. */
export async function cancelInKind(
  locked: LockedFacility,
  refund: RefundRow,
): Promise<LockedFacility> {
  const { tx, tenantId, facility } = locked
  const { refund_id: refundId, asset, amount_units: units, cents } = refund
  await updatePendingRefund(tx, tenantId, refundId, {
    status: 'CANCELLED',
    taken_cents: cents,
    recalled_at: null,
  })
  return await recordMovement(locked, {
    cause: `cancelled/${refundId}`,
    kind: 'refund_cancel',
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents - cents,
    postings: transfer('suspense', 'refunds_payable', asset, units),
  })
}

/** What was paid in another asset and whose transfer was taken back is the lender's loss: operators see
 * to it, and nobody is charged. */
export async function bookLoss(locked: LockedFacility, refund: RefundRow): Promise<LockedFacility> {
  const { facility } = locked
  const { refund_id: refundId, asset, amount_units: units } = refund
  const subject = { subjectId: refundId, facilityId: facility.id }
  await noteDoubt(locked, {
    ...subject,
    reason: 'paid_out',
    answer: { amount_units: String(units), asset },
  })
  return await recordMovement(locked, {
    cause: `loss/${refundId}`,
    kind: 'refund_loss',
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents,
    postings: transfer('suspense', 'write_offs', asset, units),
  })
}

/** Paid out of suspense, it counts as a refund that was paid: principal from that day, if nothing is owed
 * back. In 10^-8 USD. */
export function chargePayout(
  { refund_id: refundId, asset, amount_units: units }: RefundRow,
  paidAt: Date,
  price: bigint,
): NonNullable<Rebooking['add']>[number] {
  const amount = { asset, units }
  const cents = debitCents(amount, price)
  const id = `payout/${refundId}`
  const event = { id, kind: 'payout', valueAt: paidAt, cents } as const
  const money = moneyOut(amount, cents).map(toSuspense)
  return { event, kind: 'payout', sourceId: id, money }
}

/** Money that has gone through the bank before. */
export function toSuspense(line: Posting): Posting {
  const isCash = line.account === 'bank' || line.account === 'wallet'
  return isCash ? { ...line, account: 'suspense' } : line
}
