import type { LockedFacility } from '../locked-facility.ts'
import type { Allocation, Debt } from './debt.ts'
import type { Posting } from './journal.ts'
import { type Correction, NO_CORRECTION } from './late-payment.ts'
import { type Movement, recordMovement } from './ledger.ts'

export type Receipt = {
  /** `sourceId` names it among the movements of principal. */
  cause: string
  kind: 'repayment' | 'sale'
  sourceId: string
  valueAt: Date
  debt: Debt
  allocation: Allocation
  postings: readonly Posting[]
  further?: NonNullable<Movement['further']>
  /** Of receipts that are booked already. */
  correction?: Correction
}

export async function bookReceipt(
  locked: LockedFacility,
  { sourceId, allocation, correction = NO_CORRECTION, further = [], ...receipt }: Receipt,
): Promise<LockedFacility> {
  const { reservedCents, refundDueCents: refundBefore } = locked.facility
  return await recordMovement(locked, {
    ...receipt,
    principal: { sourceId, parts: allocation.principal },
    reservedCents,
    refundDueCents: refundBefore + allocation.refundCents + correction.refundCents,
    further: [
      ...further,
      {
        id: `correction/${receipt.cause}`,
        kind: 'correction',
        postings: correctionPostings(correction),
      },
    ],
  })
}

/** A cent that rounding leaves is written off. */
function correctionPostings({ interestCents, principalCents, refundCents }: Correction): Posting[] {
  return [
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -principalCents },
    { account: 'refunds_payable', asset: 'USD', units: -refundCents },
    { account: 'write_offs', asset: 'USD', units: interestCents + principalCents + refundCents },
  ]
}

/** What `cents` received pay. */
export function allocationPostings(cents: bigint, allocation: Allocation): Posting[] {
  const { interestCents, refundCents: refund } = allocation
  return [
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -(cents - interestCents - refund) },
    { account: 'refunds_payable', asset: 'USD', units: -refund },
  ]
}
