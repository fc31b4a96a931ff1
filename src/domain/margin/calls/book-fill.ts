import { execute } from '../../../db/transactions/execute.ts'
import { ONE_USD, type Prices } from '../../collateral/prices.ts'
import { moneyIn } from '../../facilities/ledger/conversion.ts'
import { type Allocation, accrue, applyPayment } from '../../facilities/ledger/debt.ts'
import type { Posting } from '../../facilities/ledger/journal.ts'
import { allocationPostings, bookReceipt } from '../../facilities/ledger/receipts.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { refundCents } from '../../facilities/refunds/refunds.ts'
import { type LiveCall, selectLiveCalls, updateLiveCall } from '../call-queries.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'

type Fill = {
  number: number
  asset: string
  in_kind: boolean
  units: bigint
  proceedsCents: bigint
  costsCents: bigint
}

export async function bookFill(
  locked: LockedFacility<MarginContext>,
  call: LiveCall,
  fill: Fill,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { id } = facility
  const net = fill.proceedsCents > fill.costsCents ? fill.proceedsCents - fill.costsCents : 0n
  const accrued = accrue(facility.debt, now)
  // Not before what was booked while this waited for the lock.
  const { debt, allocation } = applyPayment(accrued, net)
  const cause = `sale/${call.number}/${fill.number}`
  const paid = await bookReceipt(locked, {
    cause,
    kind: 'sale',
    sourceId: cause,
    valueAt: debt.accruedAt,
    debt,
    allocation,
    ...salePostings(fill, net, allocation, cause),
  })
  const isOver = allocation.refundCents > 0n
  const latest: Prices = isOver ? await locked.prices.latest(tx, tenantId, now) : new Map()
  // The sale must be booked: without a price, the surplus is refunded at par.
  const priceOf = (asset: string) => latest.get(asset)?.price ?? ONE_USD
  const refund = { sourceId: `${id}/${cause}`, cents: allocation.refundCents, priceOf }
  await refundCents(paid, refund)
  const [fresh] = await execute(tx, selectLiveCalls({ tenantId, ids: [id] }))
  const sums = fresh ?? call
  await updateLiveCall(tx, tenantId, call, {
    costs_cents: sums.costs_cents + (fill.proceedsCents - net),
    interest_cents: sums.interest_cents + allocation.interestCents,
    principal_cents: sums.principal_cents + allocation.principalCents,
    surplus_cents: sums.surplus_cents + allocation.refundCents,
  })
}

/** Proceeds gross with the costs on their own, then what they pay: both accounts end at nothing. */
function salePostings(fill: Fill, netCents: bigint, allocation: Allocation, cause: string) {
  const { proceedsCents } = fill
  // Never more than the proceeds: the borrower owes no costs beyond them.
  const costsCents = proceedsCents - netCents
  const received = fill.in_kind
    ? { asset: fill.asset, units: fill.units }
    : { asset: 'USD', units: netCents }
  const postings: Posting[] = [
    ...moneyIn(received, netCents),
    { account: 'sale_costs', asset: 'USD', units: costsCents },
    { account: 'collateral_proceeds', asset: 'USD', units: -proceedsCents },
  ]
  const applied: Posting[] = [
    { account: 'collateral_proceeds', asset: 'USD', units: proceedsCents },
    { account: 'sale_costs', asset: 'USD', units: -costsCents },
    ...allocationPostings(netCents, allocation),
  ]
  return { postings, further: [{ id: `${cause}/applied`, kind: 'proceeds', postings: applied }] }
}
