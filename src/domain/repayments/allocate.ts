import { accrue, applyPayment } from '../facilities/ledger/debt.ts'
import {
  selectDebtMovements,
  selectPrincipalMovements,
} from '../facilities/ledger/journal-queries.ts'
import {
  applyLatePayment,
  type LatePayment,
  NO_CORRECTION,
} from '../facilities/ledger/late-payment.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'

/** Allocates money by its value date. Where other movements have a later one, it also corrects what
 * they paid. */
export async function allocate(
  { tx, tenantId, facility, now }: LockedFacility,
  { cents, valueAt }: { cents: bigint; valueAt: Date },
): Promise<LatePayment> {
  // A report may be stamped by a clock ahead of this one.
  const debt = accrue(facility.debt, valueAt > now ? valueAt : now)
  // What was written off is not owed again: the money goes back.
  if (facility.closeReason !== undefined) {
    return { ...applyPayment(debt, cents, debt.accruedAt), correction: NO_CORRECTION }
  }
  const { movements, refundCents } = await selectDebtMovements(tx, tenantId, facility.id)
  const isLate = movements.some((movement) => movement.valueAt > valueAt)
  if (!isLate) return { ...applyPayment(debt, cents, valueAt), correction: NO_CORRECTION }
  const principal = await selectPrincipalMovements(tx, tenantId, facility.id)
  return applyLatePayment(debt, { cents, valueAt }, { movements, principal, refundCents })
}
