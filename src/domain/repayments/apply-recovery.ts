import type { Prices } from '../collateral/prices.ts'
import { allocateRecovery, bookRecovery } from '../facilities/closing/recover.ts'
import type { ChargeOff } from '../facilities/facilities.ts'
import { creditCents, unitsPaying } from '../facilities/ledger/dollar-value.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'
import { refundCents } from '../facilities/refunds/refunds.ts'
import { type ConfirmedRepayment, finishApplied, lastPrice } from './finish-applied.ts'
import { receivedPostings } from './suspense.ts'

/** Money for a debt that was charged off: what is beyond the deficit is refunded. */
export async function applyRecovery(
  locked: LockedFacility,
  chargedOff: ChargeOff,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { facility } = locked
  const { id, confirmed, valueAt } = repayment
  const { asset, units } = confirmed
  const priceOf = (code: string) => lastPrice(prices, code)
  const cents = creditCents(confirmed, priceOf(asset))
  const allocation = allocateRecovery(facility, cents)
  const booked = await bookRecovery(locked, chargedOff, {
    cause: `repayment/${id}`,
    valueAt,
    recovery: allocation,
    received: receivedPostings(repayment, cents),
  })
  const spent = unitsPaying(asset, cents - allocation.refundCents, priceOf(asset))
  const left = { asset, units: units - spent }
  await refundCents(booked, { sourceId: id, cents: allocation.refundCents, priceOf, left })
  await finishApplied(locked, repayment, { allocation, outstandingCents: 0n, isRecovery: true })
}
