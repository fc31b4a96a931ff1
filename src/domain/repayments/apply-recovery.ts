import type { Prices } from '../collateral/prices.ts'
import { allocateRecovery, bookRecovery, type Recovery } from '../facilities/closing/recover.ts'
import type { ChargeOff } from '../facilities/facilities.ts'
import { creditCents, unitsPaying } from '../facilities/ledger/conversion.ts'
import { loadHistory } from '../facilities/ledger/history.ts'
import { rebook } from '../facilities/ledger/rebook.ts'
import type { BookedEntry } from '../facilities/ledger/replay.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'
import { balanceRefunds } from '../facilities/refunds/balance-refunds.ts'
import { refundCents } from '../facilities/refunds/refunds.ts'
import { type ConfirmedRepayment, finishApplied, lastPrice } from './finish-applied.ts'
import { receivedPostings } from './suspense.ts'

type Booked = { booked: LockedFacility; allocation: Recovery; owedBackCents?: bigint }

/** Money for a debt that was charged off: what is beyond the deficit is refunded. What has an earlier
 * value date than something that is booked is put in its place. */
export async function applyRecovery(
  locked: LockedFacility,
  chargedOff: ChargeOff,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { tx, tenantId, facility } = locked
  const { id, confirmed, valueAt } = repayment
  const { asset, units } = confirmed
  const priceOf = (code: string) => lastPrice(prices, code)
  const cents = creditCents(confirmed, priceOf(asset))
  const history = await loadHistory(tx, tenantId, facility.id)
  const isLate = history.some(({ step }) => step.valueAt > valueAt)
  const { booked, allocation, owedBackCents } = isLate
    ? await bookLate(locked, { repayment, cents, history })
    : await bookInTime(locked, { chargedOff, repayment, cents })
  const spent = unitsPaying(asset, cents - allocation.refundCents, priceOf(asset))
  const left = { asset, units: units - spent }
  await refundCents(booked, { sourceId: id, cents: allocation.refundCents, priceOf, left })
  if (owedBackCents !== undefined) {
    await balanceRefunds(booked, owedBackCents, { sourceId: `${id}/correction`, priceOf })
  }
  await finishApplied(locked, repayment, { allocation, outstandingCents: 0n, isRecovery: true })
}

type Recovering = { chargedOff: ChargeOff; repayment: ConfirmedRepayment; cents: bigint }

async function bookInTime(
  locked: LockedFacility,
  { chargedOff, repayment, cents }: Recovering,
): Promise<Booked> {
  const allocation = allocateRecovery(locked.facility, cents)
  const booked = await bookRecovery(locked, chargedOff, {
    cause: `repayment/${repayment.id}`,
    valueAt: repayment.valueAt,
    recovery: allocation,
    received: receivedPostings(repayment, cents),
  })
  return { booked, allocation }
}

async function bookLate(
  locked: LockedFacility,
  {
    repayment,
    cents,
    history,
  }: Omit<Recovering, 'chargedOff'> & { history: readonly BookedEntry[] },
): Promise<Booked> {
  const { id: sourceId, valueAt } = repayment
  const event = { id: `repayment/${sourceId}`, kind: 'recovery', valueAt, cents } as const
  const money = receivedPostings(repayment, cents)
  const { rebooked, replayed } = await rebook(locked, {
    ...{ cause: event.id, sourceId },
    add: [{ event, kind: 'recovery', sourceId, money }],
  })
  const { recoveredCents, refundCents: rest } = replayed.stepOf(event.id)
  const then = { ...locked.facility, chargedOff: chargedOffAt(history, valueAt) }
  const allocation = { ...allocateRecovery(then, recoveredCents), refundCents: rest }
  return { booked: rebooked, allocation, owedBackCents: replayed.owedBackCents }
}

/** The charge-off as of the value date: later waivers had not reduced it yet. */
function chargedOffAt(history: readonly BookedEntry[], at: Date): ChargeOff {
  const chargedOff = { principalCents: 0n, interestCents: 0n, recoveredCents: 0n }
  for (const { step } of history) {
    if (step.valueAt > at) continue
    chargedOff.recoveredCents += step.recoveredCents
    if (!step.isChargeOff) continue
    chargedOff.principalCents += step.principalCents
    chargedOff.interestCents += step.interestCents
  }
  return chargedOff
}
