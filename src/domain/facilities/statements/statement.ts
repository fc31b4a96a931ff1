import type { CursorCodec } from '../../../core/cursor.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Rates } from '../../../core/interest.ts'
import { describeFilters, readPosition } from '../../../core/page.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { ratesOf } from '../corrections/rates.ts'
import type { Facility } from '../facilities.ts'
import type { Outstanding } from '../ledger/debt.ts'
import {
  balanceOf,
  foldStatement,
  type InterestLines,
  move,
  type Position,
  type StatementLine,
} from './fold-statement.ts'
import { listMovements, type Movement } from './movements.ts'
import {
  type Period,
  type Sums,
  selectEntries,
  selectParts,
  selectSums,
} from './statement-queries.ts'

export const LONGEST_PERIOD_DAYS = 366

/** With a line of interest for each UTC day. Each of them is computed, so a quarter is the most that one
 * call may ask for. */
export const LONGEST_DAILY_DAYS = 92

/** Of a statement that is read whole. It is held in memory until it is sent. */
export const MAX_WHOLE_LINES = 10_000

/** Movements that are read and folded together; other requests go on between two of them. */
const CHUNK = 500

type Balances = { opening: Outstanding; closing: Outstanding }

/** `opening` is the balance at `from`, `closing` that at `to`. */
export type Statement = Period & Balances & { facilityId: string; lines: StatementLine[] }

/** Some of the lines; the balances are those of the whole period. */
export type StatementPage = Statement & { nextCursor: string | undefined; hasMore: boolean }

export type StatementTerms = { from?: Date; to?: Date; interest: InterestLines }

export type StatementReading = { db: Db; now: Date }

/** Where a page begins: after so many movements of that instant, and its interest. */
type Place = { at: Date; shown: number }

/** The whole period. By default from the day of the application, or as far back as allowed. Refuses
 * `validation_failed`, also where it has more than `MAX_WHOLE_LINES`. */
export async function readStatement(
  { db, now }: StatementReading,
  facility: Facility,
  terms: StatementTerms,
): Promise<Statement> {
  const period = choosePeriod(facility, terms, now)
  const { opening, start, closing } = await readPositions(db, facility, period, undefined)
  const lines: StatementLine[] = []
  const chunks = readLines(db, facility, { ...period, start, interest: terms.interest })
  for await (const chunk of chunks) {
    lines.push(...chunk)
    if (lines.length > MAX_WHOLE_LINES) {
      throw refuse('?from', `The period has more than ${MAX_WHOLE_LINES} lines. Shorten it.`)
    }
  }
  return { ...period, facilityId: facility.id, opening, lines, closing }
}

/** At most `limit` lines after `cursor`, which holds the period. Refuses `cursor_invalid` and
 * `validation_failed`. */
export async function readStatementPage(
  { db, now }: StatementReading,
  facility: Facility,
  { limit, cursor, ...terms }: StatementTerms & { limit: number; cursor?: string | undefined },
  cursors: CursorCodec,
): Promise<StatementPage> {
  const { tenantId, id: facilityId } = facility
  const context = `statement/${tenantId}/${facilityId}/${describeFilters(terms)}`
  const position = readPosition({ request: { from: cursor, limit }, cursors, context })
  const resumed = position === undefined ? undefined : parsePosition(position)
  const period = resumed?.period ?? choosePeriod(facility, terms, now)
  const place = resumed?.place
  const { opening, start, closing } = await readPositions(db, facility, period, place)

  const lines: StatementLine[] = []
  const stretch = { ...period, start, interest: terms.interest, place }
  for await (const chunk of readLines(db, facility, stretch)) {
    lines.push(...chunk)
    if (lines.length > limit) break
  }
  const shown = lines.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor =
    last && lines.length > limit
      ? cursors.encode(formatPosition(period, placeAfter(shown, last, place)), context)
      : undefined
  const page = { nextCursor, hasMore: nextCursor !== undefined }
  return { ...period, facilityId, opening, lines: shown, closing, ...page }
}

async function readPositions(
  db: Db,
  facility: Facility,
  { from, to }: Period,
  place: Place | undefined,
): Promise<Balances & { start: Position }> {
  // What has the instant of the place as its value date is folded again.
  const before = place && addMs(place.at, -1)
  const { tenantId, id, earlierRates } = facility
  const changes = earlierRates.map(({ until }) => until)
  const sums = await selectSums(db, tenantId, id, [from, before ?? from, to, ...changes])
  const [atFrom, atStart, atTo, ...atChanges] = sums
  if (!atFrom || !atStart || !atTo) throw new Error('a sum is missing')
  const positionOf = (own: Sums, at: Date) => toPosition(own, at, ratesOf(facility), atChanges)
  return {
    opening: balanceOf(positionOf(atFrom, from)),
    start: positionOf(atStart, place?.at ?? from),
    closing: balanceOf(positionOf(atTo, to)),
  }
}

type Stretch = Period & { start: Position; interest: InterestLines; place?: Place | undefined }

/** In order, until the end of the period. */
async function* readLines(
  db: Db,
  facility: Facility,
  { from, to, start, interest, place }: Stretch,
): AsyncGenerator<StatementLine[]> {
  const rates = ratesOf(facility)
  let after = place ? addMs(place.at, -1) : from
  let skipped = place?.shown ?? 0
  let position = start
  for (let isEnd = false; !isEnd; ) {
    const chunk = await readMovements(db, facility, { from: after, to })
    for (const movement of chunk.movements.slice(0, skipped)) position = move(position, movement)
    const { until } = chunk
    isEnd = until >= to
    const folded = foldStatement(position, chunk.movements.slice(skipped), {
      ...{ isEnd, until, rates, interest },
    })
    yield folded.lines
    position = folded.closing
    after = until
    skipped = 0
  }
}

/** The next movements, all of each instant, until `until`. */
async function readMovements(
  db: Db,
  { tenantId, id }: Facility,
  { from, to }: Period,
): Promise<{ movements: Movement[]; until: Date }> {
  const stretch = { from, to, limit: CHUNK }
  const entries = await selectEntries(db, tenantId, id, stretch)
  const parts = await selectParts(db, tenantId, id, stretch)
  const lastEntry = entries.length < CHUNK ? undefined : entries.at(-1)?.value_at
  const lastPart = parts.length < CHUNK ? undefined : parts.at(-1)?.effective_at
  const until = new Date(Math.min(...[lastEntry ?? to, lastPart ?? to].map(Number)))
  const movements = listMovements(
    entries.filter(({ value_at }) => value_at <= until),
    parts.filter(({ effective_at }) => effective_at <= until),
  )
  return { movements, until }
}

function placeAfter(
  shown: readonly StatementLine[],
  last: StatementLine,
  before: Place | undefined,
): Place {
  const at = last.valueAt
  const isThen = (instant: Date) => instant.getTime() === at.getTime()
  const moved = shown.filter(({ type, valueAt }) => type !== 'interest' && isThen(valueAt)).length
  return { at, shown: moved + (before && isThen(before.at) ? before.shown : 0) }
}

const formatPosition = ({ from, to }: Period, { at, shown }: Place) =>
  [from.getTime(), to.getTime(), at.getTime(), shown].join(' ')

function parsePosition(position: string): { period: Period; place: Place } {
  const [from = 0, to = 0, at = 0, shown = 0] = position.split(' ').map(Number)
  const period = { from: new Date(from), to: new Date(to) }
  return { period, place: { at: new Date(at), shown } }
}

function choosePeriod(facility: Facility, terms: StatementTerms, now: Date): Period {
  const { from, to, interest } = terms
  // A booking of another machine may be a moment ahead of this one's clock.
  const latest = new Date(Math.max(facility.debt.accruedAt.getTime(), now.getTime()))
  if (to && to > latest) throw refuse('?to', 'Not possible yet. Expected an instant until now.')
  const until = to ?? latest
  const days = interest === 'day' ? LONGEST_DAILY_DAYS : LONGEST_PERIOD_DAYS
  const earliest = addMs(until, -days * DAY_MS)
  const since = from ?? new Date(Math.max(dayBefore(facility.createdAt), earliest.getTime()))
  if (since > until) throw refuse('?from', 'Later than the end. Expected an instant before `to`.')
  if (since < earliest) {
    const which = interest === 'day' ? ' with `interest=day`' : ''
    throw refuse('?from', `Too early. Expected at most ${days} days before \`to\`${which}.`)
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

/** Interest at the rate in force since the first draw, and the difference to it of each earlier rate, which
 * ran on what was drawn before it changed. `atChanges` are the sums at those instants. */
function toPosition(
  own: Sums,
  at: Date,
  { ratePpm, earlierRates }: Rates,
  atChanges: readonly Sums[],
): Position {
  const weigh = ({ principal, weighted }: Sums, until: Date) =>
    principal * BigInt(until.getTime()) - weighted
  const further = earlierRates.map((earlier, index) => {
    const next = earlierRates[index + 1]?.ratePpm ?? ratePpm
    const sums = atChanges[index]
    const isPast = sums !== undefined && earlier.until < at
    return (earlier.ratePpm - next) * (isPast ? weigh(sums, earlier.until) : weigh(own, at))
  })
  return {
    at,
    principalCents: own.principal,
    interestNumerator: further.reduce((sum, more) => sum + more, ratePpm * weigh(own, at)),
    movedCents: own.moved,
  }
}
