import { ONE_USD } from '../../collateral/prices.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { applyPayment, repaidCents } from '../../facilities/ledger/debt.ts'
import { accrueFacility } from '../../facilities/ledger/ledger.ts'
import { bookReceipt, receiptPostings } from '../../facilities/ledger/receipts.ts'
import { refundCents } from '../../facilities/refunds/refunds.ts'
import { type LiveCall, selectLiveCalls, updateLiveCall } from '../call-queries.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'

/** Books what a fill brought: costs, interest, principal, and what is over is the borrower's. */
export async function bookFill(
  margin: MarginContext,
  locked: Facility,
  call: LiveCall,
  fill: {
    number: number
    asset: string
    in_kind: boolean
    units: bigint
    proceedsCents: bigint
    costsCents: bigint
  },
): Promise<void> {
  const { tx, tenantId, now } = margin
  const { id } = locked
  const net = fill.proceedsCents > fill.costsCents ? fill.proceedsCents - fill.costsCents : 0n
  const facility = accrueFacility(locked, now)
  // Not before what was booked while this waited for the facility.
  const { debt, allocation } = applyPayment(facility.debt, net, facility.debt.accruedAt, [])
  const cause = `sale/${call.number}/${fill.number}`
  const received = fill.in_kind
    ? { asset: fill.asset, units: fill.units }
    : { asset: 'USD', units: net }
  const postings = net === 0n ? [] : receiptPostings(received, net, allocation)
  const receipt = { cause, kind: 'sale', sourceId: cause, debt, allocation, postings } as const
  const paid = await bookReceipt(tx, locked, receipt, now)
  const latest = await margin.prices.latest(tx, tenantId, now)
  // The sale has happened and must be booked: without a price, what is over goes back at par.
  const priceOf = (asset: string) => latest.get(asset)?.price ?? ONE_USD
  await refundCents(
    tx,
    paid,
    { sourceId: `${id}/${cause}`, cents: allocation.refundCents, priceOf },
    margin,
  )
  const [fresh] = await selectLiveCalls(tx, tenantId, [id])
  const sums = fresh ?? call
  await updateLiveCall(tx, tenantId, call, {
    costs_cents: sums.costs_cents + (fill.proceedsCents - net),
    interest_cents: sums.interest_cents + allocation.interestCents,
    principal_cents: sums.principal_cents + repaidCents(allocation),
    surplus_cents: sums.surplus_cents + allocation.refundCents,
  })
}
