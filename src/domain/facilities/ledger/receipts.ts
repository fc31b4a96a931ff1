import type { LockedFacility } from '../locked-facility.ts'
import type { Allocation, Debt } from './debt.ts'
import type { Posting } from './journal.ts'
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
}

export async function bookReceipt(
  locked: LockedFacility,
  { sourceId, allocation, ...receipt }: Receipt,
): Promise<LockedFacility> {
  const { reservedCents, refundDueCents } = locked.facility
  const { principalCents, refundCents } = allocation
  return await recordMovement(locked, {
    ...receipt,
    principal: [{ sourceId, effectiveAt: receipt.valueAt, deltaCents: -principalCents }],
    reservedCents,
    refundDueCents: refundDueCents + refundCents,
  })
}

export function allocationPostings(cents: bigint, allocation: Allocation): Posting[] {
  const { interestCents, refundCents: refund } = allocation
  return [
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -(cents - interestCents - refund) },
    { account: 'refunds_payable', asset: 'USD', units: -refund },
  ]
}
