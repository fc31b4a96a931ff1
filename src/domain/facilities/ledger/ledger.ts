import type { Tx } from '../../../db/database.ts'
import type { Facility } from '../facilities.ts'
import { insertPrincipalMovement, updateFacility } from '../queries.ts'
import { accrue, type Debt, type PrincipalMovement, sumOf } from './debt.ts'
import { book, type JournalEntry, type Posting, transfer } from './journal.ts'

/** A movement of money on a facility: the balances it leaves, and how it is booked. */
export type Movement = {
  /** 'draw/drw_…': what happened, once. */
  cause: string
  kind: string
  debt: Debt
  /** What moves the principal, and when each part counts from; left out where nothing does. */
  principal?: { sourceId: string; parts: readonly PrincipalMovement[] }
  reservedCents: bigint
  refundDueCents: bigint
  postings: readonly Posting[]
}

/**
 * Brings a locked facility's interest up to `now`, which every change of principal begins with. The
 * result is not stored yet: `recordMovement` stores and books it together with the change.
 */
export function accrueFacility(facility: Facility, now: Date): Facility {
  return { ...facility, debt: accrue(facility.debt, now) }
}

/**
 * Stores a movement on a facility that the caller has locked, with its movements of principal, its
 * journal entry and that of the interest accrued until then, and returns the facility as it is
 * afterwards. They change in one transaction or not at all; the same cause can be booked only once.
 * Throws where the parts of principal are not together what the principal changes by: all later
 * interest follows from them.
 */
export async function recordMovement(
  tx: Tx,
  before: Facility,
  movement: Movement,
  now: Date,
): Promise<Facility> {
  const { tenantId, id } = before
  const { debt } = movement
  const paidInterest = debt.interestPaidCents - before.debt.interestPaidCents
  const accrual = accrualEntry(before.debt, debt, movement.cause, now)
  const entry: JournalEntry = {
    id: movement.cause,
    kind: movement.kind,
    postings: movement.postings,
    bookedAt: now,
  }
  if (paidInterest < 0n && movement.kind !== 'interest_return') {
    throw new Error(`movement ${movement.cause} would take interest back`)
  }
  await book(tx, tenantId, id, [accrual, entry])
  await movePrincipal(tx, before, movement)
  await updateFacility(tx, tenantId, before, {
    principal_cents: debt.principalCents,
    interest_numerator: debt.interestNumerator,
    interest_booked_cents: debt.interestBookedCents,
    interest_paid_cents: debt.interestPaidCents,
    accrued_at: debt.accruedAt,
    reserved_cents: movement.reservedCents,
    refund_due_cents: movement.refundDueCents,
    updated_at: now,
  })
  const { reservedCents, refundDueCents } = movement
  return { ...before, debt, reservedCents, refundDueCents, updatedAt: now }
}

/** Stores the parts of a movement by which its principal changes; parts of nothing are left out. */
async function movePrincipal(tx: Tx, before: Facility, movement: Movement): Promise<void> {
  const { sourceId, parts } = movement.principal ?? { sourceId: movement.cause, parts: [] }
  if (sumOf(parts) !== movement.debt.principalCents - before.debt.principalCents) {
    throw new Error(`movement ${movement.cause} does not say how its principal changes`)
  }
  const moved = parts.filter(({ deltaCents }) => deltaCents !== 0n)
  for (const [index, { effectiveAt, deltaCents }] of moved.entries()) {
    await insertPrincipalMovement(tx, {
      tenant_id: before.tenantId,
      facility_id: before.id,
      source_id: sourceId,
      part: index + 1,
      effective_at: effectiveAt,
      delta_cents: deltaCents,
    })
  }
}

/** Interest that has come up since the last booking; back-dated repayments may take some back. */
function accrualEntry(before: Debt, after: Debt, cause: string, now: Date): JournalEntry {
  const bookedCents = after.interestBookedCents - before.interestBookedCents
  return {
    id: `interest/${cause}`,
    kind: 'interest',
    postings: transfer('interest_income', 'interest_receivable', 'USD', bookedCents),
    bookedAt: now,
  }
}

/** Changes a facility that the caller has locked, and that is still in the state it was read in. */
export async function changeFacility(
  tx: Tx,
  locked: Facility,
  change: Parameters<typeof updateFacility>[3],
  now: Date,
): Promise<void> {
  await updateFacility(tx, locked.tenantId, locked, { ...change, updated_at: now })
}

/** What is drawn and reserved, which the limit bounds. */
export function usedCents(facility: Facility): bigint {
  return facility.debt.principalCents + facility.reservedCents
}
