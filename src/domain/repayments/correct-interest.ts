import type { Instant } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { Facility } from '../facilities/facilities.ts'
import { returnExcessInterest } from '../facilities/ledger/debt.ts'
import { recordMovement } from '../facilities/ledger/ledger.ts'
import { refundCents } from '../facilities/refunds/refunds.ts'

/** Gives back interest that an earlier repayment has paid and that this one shows was not owed. */
export async function correctInterest(
  tx: Tx,
  facility: Facility,
  source: { sourceId: string; priceOf: (asset: string) => bigint },
  instant: Instant,
): Promise<Facility> {
  const { debt, principalCents, refundCents: refund } = returnExcessInterest(facility.debt)
  const excess = principalCents + refund
  if (excess === 0n) return facility
  const corrected = await recordMovement(
    tx,
    facility,
    {
      cause: `excess/${source.sourceId}`,
      kind: 'interest_return',
      debt,
      principal: {
        sourceId: source.sourceId,
        parts: [{ effectiveAt: debt.accruedAt, deltaCents: -principalCents }],
      },
      reservedCents: facility.reservedCents,
      refundDueCents: facility.refundDueCents + refund,
      // The accrual entry takes the income back; this one says where the credit it leaves goes.
      postings: [
        { account: 'interest_receivable', asset: 'USD', units: excess },
        { account: 'principal', asset: 'USD', units: -principalCents },
        { account: 'refund_payable', asset: 'USD', units: -refund },
      ],
    },
    instant.now,
  )
  await refundCents(tx, corrected, { ...source, cents: refund }, instant)
  return corrected
}
