import { maxOf, minOf } from '../../../core/money.ts'
import type { ChargeOff, Facility } from '../facilities.ts'
import type { Posting } from '../ledger/journal.ts'
import { recordMovement, updateFacility } from '../ledger/ledger.ts'
import type { LockedFacility } from '../locked-facility.ts'

export type Recovery = { principalCents: bigint; interestCents: bigint; refundCents: bigint }

/** What is charged off and not recovered; no interest runs on it. */
export function deficitOf({ chargedOff }: Facility): {
  principalCents: bigint
  interestCents: bigint
} {
  if (!chargedOff) return { principalCents: 0n, interestCents: 0n }
  const { principalCents, interestCents, recoveredCents } = chargedOff
  const beyondPrincipal = maxOf(0n, recoveredCents - principalCents)
  return {
    principalCents: maxOf(0n, principalCents - recoveredCents),
    interestCents: interestCents - beyondPrincipal,
  }
}

export function hasDeficit(facility: Facility): boolean {
  const { principalCents, interestCents } = deficitOf(facility)
  return principalCents + interestCents > 0n
}

/** Principal, then interest; the rest is a refund. */
export function allocateRecovery(facility: Facility, cents: bigint): Recovery {
  const deficit = deficitOf(facility)
  const principalCents = minOf(cents, deficit.principalCents)
  const interestCents = minOf(cents - principalCents, deficit.interestCents)
  return { principalCents, interestCents, refundCents: cents - principalCents - interestCents }
}

/** `received` are the lines of the money itself. */
export async function bookRecovery(
  locked: LockedFacility,
  chargedOff: ChargeOff,
  receipt: { cause: string; valueAt: Date; recovery: Recovery; received: readonly Posting[] },
): Promise<LockedFacility> {
  const { facility } = locked
  const { cause, valueAt, received } = receipt
  const { principalCents, interestCents, refundCents } = receipt.recovery
  const cents = principalCents + interestCents
  const booked = await recordMovement(locked, {
    cause,
    kind: 'recovery',
    valueAt,
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents + refundCents,
    postings: [
      ...received,
      { account: 'recoveries', asset: 'USD', units: -cents },
      { account: 'refunds_payable', asset: 'USD', units: -refundCents },
    ],
  })
  const recoveredCents = chargedOff.recoveredCents + cents
  await updateFacility(booked, { recovered_cents: recoveredCents })
  return {
    ...booked,
    facility: { ...booked.facility, chargedOff: { ...chargedOff, recoveredCents } },
  }
}
