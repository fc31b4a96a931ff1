import type { Facility } from '../facilities.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { type FacilityRow, updateFacilityRow } from '../queries.ts'
import { accrueMonths } from './accrue-months.ts'
import { accrue, type Debt, type PrincipalMovement, sumOf } from './debt.ts'
import { book, type JournalEntry, type Posting, transfer } from './journal.ts'
import { insertPrincipalMovement } from './journal-queries.ts'

type FurtherEntry = { id: string; kind: string; postings: readonly Posting[]; valueAt?: Date }

export type Movement = {
  /** 'draw/drw_…': a cause is booked once. */
  cause: string
  kind: string
  /** From when it counts; left out: from now. */
  valueAt?: Date
  debt: Debt
  /** Left out where the principal does not change. */
  principal?: { sourceId: string; parts: readonly PrincipalMovement[] }
  reservedCents: bigint
  refundDueCents: bigint
  postings: readonly Posting[]
  /** Entries that belong to it; without a value date, of the movement's. */
  further?: readonly FurtherEntry[]
  /** What changes of interest by value date; left out: interest is booked up to the debt's accrual. */
  accruals?: readonly { id: string; valueAt: Date; cents: bigint }[]
}

/** Throws where the parts are not the change of principal: all later interest follows from them. */
export async function recordMovement(
  locked: LockedFacility,
  movement: Movement,
): Promise<LockedFacility> {
  const { tx, tenantId, now, facility: before } = locked
  const { debt } = movement
  const paidInterest = debt.interestPaidCents - before.debt.interestPaidCents
  const { cause, kind, postings, valueAt = now, further = [] } = movement
  if (paidInterest < 0n && kind !== 'repayment') {
    throw new Error(`movement ${cause} would take interest back`)
  }
  const dated = { valueAt, bookedAt: now }
  await book(tx, tenantId, before.id, [
    ...accrualEntries(before.debt, movement, now),
    ...[{ id: cause, kind, postings }, ...further].map((entry) => ({ ...dated, ...entry })),
  ])
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

async function movePrincipal(
  { tx, facility: before }: LockedFacility,
  movement: Movement,
): Promise<void> {
  const { sourceId, parts } = movement.principal ?? { sourceId: movement.cause, parts: [] }
  if (sumOf(parts) !== movement.debt.principalCents - before.debt.principalCents) {
    throw new Error(`movement ${movement.cause} does not show how its principal changes`)
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

/** At each month's end, then up to the debt's accrual or, of a late payment, where it changes. */
function accrualEntries(
  before: Debt,
  movement: Pick<Movement, 'cause' | 'debt' | 'accruals'>,
  now: Date,
): JournalEntry[] {
  const { cause, debt: after } = movement
  const { months, debt } = accrueMonths(before, after.accruedAt)
  const cents = after.interestBookedCents - debt.interestBookedCents
  const { accruals = [{ id: `interest/${cause}`, valueAt: after.accruedAt, cents }] } = movement
  if (accruals.reduce((sum, accrual) => sum + accrual.cents, 0n) !== cents) {
    throw new Error(`movement ${cause} does not show how its interest changes`)
  }
  return [
    ...months.map(({ id, cents, postedAt }) => ({
      ...interestEntry(id, cents),
      valueAt: postedAt,
      bookedAt: postedAt,
    })),
    ...accruals.map(({ id, cents, valueAt }) => ({
      ...interestEntry(id, cents),
      valueAt,
      bookedAt: now,
    })),
  ]
}

function interestEntry(id: string, cents: bigint) {
  const postings = transfer('interest_income', 'interest_receivable', 'USD', cents)
  return { id, kind: 'interest', postings }
}

/** From `from` on, or from the last accrual if that is later; interest until then is booked at the rate
 * before. */
export async function changeRate(
  locked: LockedFacility,
  ratePpm: bigint,
  from: Date,
): Promise<LockedFacility> {
  const { tx, tenantId, now, facility: before } = locked
  const accrued = accrue(before.debt, from)
  const last = { ratePpm: accrued.ratePpm, until: accrued.accruedAt }
  const earlierRates = [...before.earlierRates, last]
  const cause = `rate/${before.id}/${earlierRates.length}`
  await book(tx, tenantId, before.id, accrualEntries(before.debt, { cause, debt: accrued }, now))
  const debt = { ...accrued, ratePpm }
  await updateFacility(locked, {
    rate_ppm: Number(ratePpm),
    interest_numerator: debt.interestNumerator,
    interest_booked_cents: debt.interestBookedCents,
    accrued_at: debt.accruedAt,
    earlier_rates: JSON.stringify(
      earlierRates.map((earlier) => ({
        rate_ppm: Number(earlier.ratePpm),
        until: earlier.until.toISOString(),
      })),
    ) as unknown as FacilityRow['earlier_rates'],
  })
  return { ...locked, facility: { ...before, debt, earlierRates, updatedAt: now } }
}

/** Stores a change that moves no money. */
export async function updateFacility(
  { tx, tenantId, facility, now }: LockedFacility,
  change: Parameters<typeof updateFacilityRow>[3],
): Promise<void> {
  await updateFacilityRow(tx, tenantId, facility, { updated_at: now, ...change })
}

export function usedCents(facility: Facility): bigint {
  return facility.debt.principalCents + facility.reservedCents
}
