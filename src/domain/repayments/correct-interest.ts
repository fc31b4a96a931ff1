import { accrue, returnExcessInterest } from '../facilities/ledger/debt.ts'
import { recordMovement } from '../facilities/ledger/ledger.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'
import { refundCents } from '../facilities/refunds/refunds.ts'

/** Returns interest that an earlier repayment paid and that this one shows was not owed. */
export async function correctInterest(
  locked: LockedFacility,
  source: { sourceId: string; priceOf: (asset: string) => bigint },
): Promise<LockedFacility> {
  const { facility, now } = locked
  const owed = returnExcessInterest(accrue(facility.debt, now))
  const { debt, principalCents, refundCents: refund } = owed
  const excess = principalCents + refund
  if (excess === 0n) return locked
  const corrected = await recordMovement(locked, {
    cause: `excess/${source.sourceId}`,
    kind: 'interest_return',
    debt,
    principal: {
      sourceId: source.sourceId,
      parts: [{ effectiveAt: debt.accruedAt, deltaCents: -principalCents }],
    },
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents + refund,
    // The accrual entry takes the income back; this one books the credit that it leaves.
    postings: [
      { account: 'interest_receivable', asset: 'USD', units: excess },
      { account: 'loans_receivable', asset: 'USD', units: -principalCents },
      { account: 'refunds_payable', asset: 'USD', units: -refund },
    ],
  })
  await refundCents(corrected, { ...source, cents: refund })
  return corrected
}
