import type { Rates } from '../../../core/interest.ts'
import { encodeRates } from '../corrections/rates.ts'
import type { ChargeOff, Facility } from '../facilities.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { type FacilityRow, updateFacilityRow } from '../queries.ts'
import { accrue, accrueMonths, type Debt } from './debt.ts'
import { type Eased, encodeEased } from './eased.ts'
import { book, type JournalEntry, type Posting, transfer } from './journal.ts'
import { insertPrincipalMovement } from './journal-queries.ts'

export type FurtherEntry = {
  id: string
  kind: string
  postings: readonly Posting[]
  valueAt?: Date
}

/** A change of principal, and from when it counts. `sourceId` names what changes it. */
export type PrincipalPart = { sourceId: string; effectiveAt: Date; deltaCents: bigint }

export type Movement = {
  /** 'draw/drw_…': a cause is booked once. */
  cause: string
  kind: string
  /** From when it counts; left out: from now. */
  valueAt?: Date
  debt: Debt
  principal?: readonly PrincipalPart[]
  reservedCents: bigint
  refundDueCents: bigint
  chargedOff?: ChargeOff | undefined
  eased?: readonly Eased[]
  /** In place of those in force until now. */
  rates?: Rates | undefined
  postings: readonly Posting[]
  /** Entries that belong to it; without a value date, of the movement's. */
  further?: readonly FurtherEntry[]
  /** What a replay changes of interest, by value date. Left out: interest is booked up to the debt's
   * accrual, and none is taken back. */
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
  const { cause, kind, postings, valueAt = now, further = [], chargedOff, rates } = movement
  if (paidInterest < 0n && !movement.accruals) {
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
    ...overLimit(before, movement),
    ...(movement.eased && { eased: encodeEased(movement.eased) }),
    ...(rates && storedRates(rates)),
    ...(chargedOff && {
      charged_off_principal_cents: chargedOff.principalCents,
      charged_off_interest_cents: chargedOff.interestCents,
      recovered_cents: chargedOff.recoveredCents,
    }),
  })
  const { reservedCents, refundDueCents, eased = before.eased } = movement
  const { earlierRates } = rates ?? before
  const changed = { debt, reservedCents, refundDueCents, eased, earlierRates, updatedAt: now }
  const facility = { ...before, ...changed, ...(chargedOff && { chargedOff }) }
  return { ...locked, facility }
}

function storedRates(rates: Rates) {
  const earlier_rates = JSON.stringify(
    encodeRates(rates),
  ) as unknown as FacilityRow['earlier_rates']
  return { rate_ppm: Number(rates.ratePpm), earlier_rates }
}

/** Only a replay may bring principal that no limit allows. */
function overLimit({ limitCents }: Facility, { accruals, debt, reservedCents }: Movement) {
  const over = debt.principalCents + reservedCents - limitCents
  return accruals && over > 0n ? { over_limit_cents: over } : {}
}

async function movePrincipal(
  { tx, facility: before }: LockedFacility,
  { cause, debt, principal = [] }: Movement,
): Promise<void> {
  const cents = principal.reduce((sum, { deltaCents }) => sum + deltaCents, 0n)
  if (cents !== debt.principalCents - before.debt.principalCents) {
    throw new Error(`movement ${cause} does not show how its principal changes`)
  }
  const moved = principal.filter(({ deltaCents }) => deltaCents !== 0n)
  for (const [sourceId, parts] of Map.groupBy(moved, (part) => part.sourceId)) {
    for (const [index, { effectiveAt, deltaCents }] of parts.entries()) {
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
    ...storedRates({ ratePpm, earlierRates }),
    interest_numerator: debt.interestNumerator,
    interest_booked_cents: debt.interestBookedCents,
    accrued_at: debt.accruedAt,
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
