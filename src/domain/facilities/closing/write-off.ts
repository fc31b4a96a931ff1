import { accrue, type Debt, interestDueCents } from '../ledger/debt.ts'
import { transfer } from '../ledger/journal.ts'
import { countWaivers } from '../ledger/journal-queries.ts'
import { recordMovement } from '../ledger/ledger.ts'
import type { LockedFacility } from '../locked-facility.ts'

/** Writes off all that is owed, once. */
export async function writeOff(
  locked: LockedFacility,
  kind: 'waiver' | 'charge_off',
): Promise<{ written: LockedFacility; principalCents: bigint; interestCents: bigint }> {
  const { tx, tenantId, facility, now } = locked
  const accrued = accrue(facility.debt, now)
  const { principalCents } = accrued
  const interest = interestDueCents(accrued, now)
  const debt: Debt = {
    ...accrued,
    principalCents: 0n,
    interestPaidCents: accrued.interestPaidCents + interest,
  }
  // One that was taken back is booked too.
  const times = kind === 'waiver' ? await countWaivers(tx, tenantId, facility.id) : 0
  const cause = times === 0 ? kind : `${kind}/${times + 1}`
  const movement = {
    cause,
    kind,
    valueAt: debt.accruedAt,
    debt,
    principal: [{ sourceId: cause, effectiveAt: debt.accruedAt, deltaCents: -principalCents }],
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents,
    postings: [
      ...transfer('interest_receivable', 'write_offs', 'USD', interest),
      ...transfer('loans_receivable', 'write_offs', 'USD', principalCents),
    ],
  }
  const written = await recordMovement(locked, movement)
  return { written, principalCents, interestCents: interest }
}
