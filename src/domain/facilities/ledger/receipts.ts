import type { Amount } from '../../../core/money.ts'
import type { LockedFacility } from '../locked-facility.ts'
import type { Allocation, Debt } from './debt.ts'
import { type Posting, transfer } from './journal.ts'
import { recordMovement } from './ledger.ts'

export type Receipt = {
  /** `sourceId` names it among the movements of principal. */
  cause: string
  kind: 'repayment' | 'sale'
  sourceId: string
  debt: Debt
  allocation: Allocation
  postings: readonly Posting[]
}

export async function bookReceipt(
  locked: LockedFacility,
  { cause, kind, sourceId, debt, allocation, postings }: Receipt,
): Promise<LockedFacility> {
  const { reservedCents } = locked.facility
  const refundDueCents = locked.facility.refundDueCents + allocation.refundCents
  const principal = { sourceId, parts: allocation.principal }
  const movement = { cause, kind, debt, principal, reservedCents, refundDueCents, postings }
  return await recordMovement(locked, movement)
}

/** `cents` is what the money pays. Another asset than dollars goes through the exchange account. */
export function receiptPostings(
  confirmed: Amount,
  cents: bigint,
  allocation: Allocation,
): Posting[] {
  const from = confirmed.asset === 'USD' ? 'cash' : 'exchange'
  const received =
    confirmed.asset === 'USD' ? [] : transfer('exchange', 'cash', confirmed.asset, confirmed.units)
  const { interestCents, refundCents: refund } = allocation
  return [
    ...received,
    { account: from, asset: 'USD', units: cents },
    { account: 'interest_receivable', asset: 'USD', units: -interestCents },
    { account: 'principal', asset: 'USD', units: -(cents - interestCents - refund) },
    { account: 'refund_payable', asset: 'USD', units: -refund },
  ]
}
