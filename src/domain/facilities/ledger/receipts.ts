import type { LockedFacility } from '../locked-facility.ts'
import type { Allocation, Debt } from './debt.ts'
import type { Posting } from './journal.ts'
import type { Step } from './late-payment.ts'
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
  /** Of what is booked already. */
  corrections?: readonly Step[]
}

export async function bookReceipt(
  locked: LockedFacility,
  { sourceId, allocation, corrections = [], further = [], ...receipt }: Receipt,
): Promise<LockedFacility> {
  const { reservedCents, refundDueCents: refundBefore } = locked.facility
  const numbered = corrections.map((step, index) => ({ step, id: `${receipt.cause}/${index + 1}` }))
  return await recordMovement(locked, {
    ...receipt,
    principal: { sourceId, parts: allocation.principal },
    reservedCents,
    refundDueCents: refundBefore + allocation.refundCents + refundOf(corrections),
    ...(corrections.length > 0 && {
      accruals: numbered.map(({ id, step: { valueAt, accruedCents: cents } }) => ({
        id: `interest/${id}`,
        valueAt,
        cents,
      })),
    }),
    further: [
      ...further,
      ...numbered.map(({ id, step }) => ({
        id: `correction/${id}`,
        kind: 'correction',
        valueAt: step.valueAt,
        postings: correctionPostings(step),
      })),
    ],
  })
}

export function refundOf(corrections: readonly Step[]): bigint {
  return corrections.reduce((sum, { refundCents }) => sum + refundCents, 0n)
}

/** A cent that rounding leaves is written off. */
function correctionPostings({ interestCents, principalCents, refundCents }: Step): Posting[] {
  return [
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -principalCents },
    { account: 'refunds_payable', asset: 'USD', units: -refundCents },
    { account: 'write_offs', asset: 'USD', units: interestCents + principalCents + refundCents },
  ]
}

export function allocationPostings(cents: bigint, allocation: Allocation): Posting[] {
  const { interestCents, refundCents: refund } = allocation
  return [
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -(cents - interestCents - refund) },
    { account: 'refunds_payable', asset: 'USD', units: -refund },
  ]
}
