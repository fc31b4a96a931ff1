import type { Amount } from '../../core/money.ts'
import type { Allocation } from './debt.ts'
import { type Posting, transfer } from './journal.ts'

/**
 * The postings of money that has come in and was allocated: `cents` is what it pays. What came in
 * another asset than dollars goes through the exchange account.
 */
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
