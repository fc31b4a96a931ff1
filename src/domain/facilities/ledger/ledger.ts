import type { Facility } from '../facilities.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { insertPrincipalMovement, updateFacilityRow } from '../queries.ts'
import { type Debt, type PrincipalMovement, sumOf } from './debt.ts'
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
 * Stores a movement with its movements of principal, its journal entry and that of the interest
 * accrued until then, and returns the facility as it is afterwards. A cause can be booked only once.
 * Throws where the parts of principal do not add up to its change: all later interest follows them.
 */
export async function recordMovement(
  locked: LockedFacility,
  movement: Movement,
): Promise<LockedFacility> {
  const { tx, tenantId, now, facility: before } = locked
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
  await book(tx, tenantId, before.id, [accrual, entry])
  await movePrincipal(locked, movement)
  await updateFacility(locked, {
    principal_cents: debt.principalCents,
    interest_numerator: debt.interestNumerator,
    interest_booked_cents: debt.interestBookedCents,
    interest_paid_cents: debt.interestPaidCents,
    accrued_at: debt.accruedAt,
    reserved_cents: movement.reservedCents,
    refund_due_cents: movement.refundDueCents,
  })
  const { reservedCents, refundDueCents } = movement
  return { ...locked, facility: { ...before, debt, reservedCents, refundDueCents, updatedAt: now } }
}

/** Stores the parts of a movement by which its principal changes; parts of nothing are left out. */
async function movePrincipal(
  { tx, facility: before }: LockedFacility,
  movement: Movement,
): Promise<void> {
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

/** Stores a change that moves no money. */
export async function updateFacility(
  { tx, tenantId, facility, now }: LockedFacility,
  change: Parameters<typeof updateFacilityRow>[3],
): Promise<void> {
  await updateFacilityRow(tx, tenantId, facility, { updated_at: now, ...change })
}

/** What is drawn and reserved, which the limit bounds. */
export function usedCents(facility: Facility): bigint {
  return facility.debt.principalCents + facility.reservedCents
}
