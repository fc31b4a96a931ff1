import { Refusal } from '../../../core/errors.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { Facility } from '../facilities.ts'
import type { Outstanding } from '../ledger/debt.ts'
import {
  balanceOf,
  foldStatement,
  type InterestLines,
  type Position,
  type StatementLine,
} from './fold-statement.ts'
import { listMovements } from './movements.ts'
import {
  type Period,
  type Sums,
  selectEntries,
  selectParts,
  selectSumsUntil,
} from './statement-queries.ts'

export const LONGEST_PERIOD_DAYS = 366

/** Of entries in the journal, and of changes of principal, in a period. */
export const MAX_MOVEMENTS = 1_000

export type Statement = Period & {
  facilityId: string
  opening: Outstanding
  lines: StatementLine[]
  closing: Outstanding
}

export type StatementTerms = { from?: Date; to?: Date; interest: InterestLines }

/** By default from the day of the application, or a year back. Refuses `validation_failed`. */
export async function readStatement(
  { db, now }: { db: Db; now: Date },
  facility: Facility,
  terms: StatementTerms,
): Promise<Statement> {
  const { tenantId, id: facilityId, debt } = facility
  const period = choosePeriod(facility, terms, now)
  const sums = await selectSumsUntil(db, tenantId, facilityId, period.from)
  const bounded = { ...period, limit: MAX_MOVEMENTS + 1 }
  const entries = await selectEntries(db, tenantId, facilityId, bounded)
  const parts = await selectParts(db, tenantId, facilityId, bounded)
  if (Math.max(entries.length, parts.length) > MAX_MOVEMENTS) {
    throw refuse('?from', `The period has more than ${MAX_MOVEMENTS} movements. Shorten it.`)
  }
  const opening = toPosition(sums, period.from, debt.ratePpm)
  const { lines, closing } = foldStatement(opening, listMovements(entries, parts), {
    ...period,
    ratePpm: debt.ratePpm,
    interest: terms.interest,
  })
  return {
    ...period,
    facilityId,
    opening: balanceOf(opening),
    lines,
    closing: balanceOf(closing),
  }
}

function choosePeriod(facility: Facility, { from, to }: StatementTerms, now: Date): Period {
  // A booking of another machine may be a moment ahead of this one's clock.
  const latest = new Date(Math.max(facility.debt.accruedAt.getTime(), now.getTime()))
  if (to && to > latest) throw refuse('?to', 'Not possible yet. Expected an instant until now.')
  const until = to ?? latest
  const earliest = addMs(until, -LONGEST_PERIOD_DAYS * DAY_MS)
  const since = from ?? new Date(Math.max(dayBefore(facility.createdAt), earliest.getTime()))
  if (since > until) throw refuse('?from', 'Later than the end. Expected an instant before `to`.')
  if (since < earliest) {
    throw refuse('?from', `Too early. Expected at most ${LONGEST_PERIOD_DAYS} days before \`to\`.`)
  }
  return { from: since, to: until }
}

/** The last UTC midnight before an instant, in milliseconds: nothing happened earlier. */
function dayBefore(at: Date): number {
  return Math.floor((at.getTime() - 1) / DAY_MS) * DAY_MS
}

function refuse(pointer: string, detail: string): Refusal {
  return new Refusal('validation_failed', 'The query is not valid; see errors.', {
    errors: [{ pointer, code: 'out_of_range', detail }],
  })
}

function toPosition({ principal, weighted, moved }: Sums, at: Date, ratePpm: bigint): Position {
  return {
    at,
    principalCents: principal,
    interestNumerator: ratePpm * (principal * BigInt(at.getTime()) - weighted),
    movedCents: moved,
  }
}
