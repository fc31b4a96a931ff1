import type { Tx } from '../../../db/database.ts'
import type { Facility } from '../facilities.ts'
import { type Debt, interestDueCents } from '../ledger/debt.ts'
import { transfer } from '../ledger/journal.ts'
import { accrueFacility, recordMovement } from '../ledger/ledger.ts'

/**
 * Gives up all that a locked facility owes, once: a small rest when it closes, or the deficit when
 * nothing is left to sell. Returns the facility without debt and what was given up, in cents.
 */
export async function writeOff(
  tx: Tx,
  locked: Facility,
  kind: 'waiver' | 'charge_off',
  now: Date,
): Promise<{ facility: Facility; cents: bigint }> {
  const accrued = accrueFacility(locked, now)
  const { principalCents } = accrued.debt
  const interest = interestDueCents(accrued.debt, now)
  const debt: Debt = {
    ...accrued.debt,
    principalCents: 0n,
    interestPaidCents: accrued.debt.interestPaidCents + interest,
  }
  const movement = {
    cause: kind,
    kind,
    debt,
    principal: {
      sourceId: kind,
      parts: [{ effectiveAt: debt.accruedAt, deltaCents: -principalCents }],
    },
    reservedCents: accrued.reservedCents,
    refundDueCents: accrued.refundDueCents,
    postings: [
      ...transfer('interest_receivable', kind, 'USD', interest),
      ...transfer('principal', kind, 'USD', principalCents),
    ],
  }
  const facility = await recordMovement(tx, locked, movement, now)
  return { facility, cents: principalCents + interest }
}
