import { addMs, DAY_MS, type Day, dayIn, MINUTE_MS, startOfDay } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Line, Movement } from './match.ts'
import {
  type CashRow,
  type ListedRow,
  type SubjectRow,
  selectCash,
  selectConfirmed,
  selectListed,
  selectListedOn,
  selectPostedCash,
  selectSubjects,
} from './reconciliation-queries.ts'
import { entriesOf, keyOfCall, keyOfEntry, subjectOf } from './subjects.ts'

/** The provider's clock and ours may differ by this. */
const SKEW_MS = MINUTE_MS

/** The proceeds of a sale reach the bank from a day before it is booked to two days after. */
const SETTLEMENT_DAYS = 2

export type DayRequest = {
  day: Day
  timeZone: string
  /** Items of open breaks: transfers and keys. */
  carried: readonly string[]
  /** Real time. Undefined if a tenant's clock may be ahead of it. */
  writtenFrom: Date | undefined
}

/** Loads what was listed and booked on the day, with what belongs to it on other days. */
export async function loadDay(
  db: Db,
  tenantId: string,
  { day, timeZone, carried, writtenFrom }: DayRequest,
): Promise<{ lines: Line[]; movements: Movement[] }> {
  const listedOn = await selectListedOn(db, tenantId, day)
  const posted = await selectPostedCash(db, tenantId, {
    from: addMs(startOfDay(timeZone, day), -SKEW_MS - SETTLEMENT_DAYS * DAY_MS),
    to: addMs(startOfDay(timeZone, day), DAY_MS + SKEW_MS + DAY_MS / 2),
    writtenFrom,
  })
  const keys = new Set([
    ...posted.map((row) => keyOfEntry(row.facility_id, row.entry_id)),
    ...carried,
    ...listedOn.flatMap((row) => keyOfCall(row.call_id ?? '') ?? []),
  ])
  const transferIds = new Set([
    ...listedOn.flatMap((row) => [row.transfer_id, ...(row.returns ? [row.returns] : [])]),
    ...carried,
  ])
  // A receipt is known by its transfer: what the provider lists leads to a repayment, and the other way.
  const confirmed = await selectConfirmed(db, tenantId, {
    transferIds: [...transferIds],
    repaymentIds: idsOf(keys, 'rep'),
  })
  for (const row of confirmed) transferIds.add(row.transfer_id)
  const near = await selectListed(db, tenantId, {
    transferIds: [...transferIds],
    subjects: idsOf(keys, 'drw', 'rfd', 'rep', 'fac'),
  })
  // Returns of those, and what those are returns of.
  const far = await selectListed(db, tenantId, {
    transferIds: near.flatMap((row) => [row.transfer_id, ...(row.returns ? [row.returns] : [])]),
    subjects: [],
  })
  const rows = new Map([...listedOn, ...near, ...far].map((row) => [row.transfer_id, row]))
  const claims = await selectConfirmed(db, tenantId, {
    transferIds: [...rows.keys(), ...[...rows.values()].flatMap((row) => row.returns ?? [])],
    repaymentIds: [],
  })
  const claimOf = new Map(
    [...confirmed, ...claims].map((row) => [row.transfer_id, row.repayment_id]),
  )
  const lines = [...rows.values()]
    .sort((a, b) => (`${a.day} ${a.transfer_id}` < `${b.day} ${b.transfer_id}` ? -1 : 1))
    .map((row) => toLine(row, rows, claimOf))
  for (const { key } of lines) if (key !== undefined) keys.add(key)
  return { lines, movements: await loadMovements(db, tenantId, { keys, posted, timeZone }) }
}

const idsOf = (keys: Iterable<string>, ...prefixes: readonly string[]) => [
  ...new Set([...keys].map(subjectOf).filter((id) => prefixes.includes(id.slice(0, 3)))),
]

function toLine(
  row: ListedRow,
  rows: ReadonlyMap<string, ListedRow>,
  claimOf: ReadonlyMap<string, string>,
): Line {
  const { transfer_id: transferId, asset, units, day } = row
  return { transferId, key: keyOfLine(row, rows, claimOf), amount: { asset, units }, day }
}

function keyOfLine(
  row: Pick<ListedRow, 'transfer_id' | 'call_id' | 'returns'>,
  rows: ReadonlyMap<string, ListedRow>,
  claimOf: ReadonlyMap<string, string>,
): string {
  if (row.returns !== null) {
    const id = row.returns
    // A return of a return is no movement of ours.
    const first = rows.get(id) ?? { transfer_id: id, call_id: null, returns: null }
    const isPlain = first.returns === null
    return `return/${isPlain ? keyOfLine(first, rows, claimOf) : `transfer/${id}`}`
  }
  const ours = claimOf.get(row.transfer_id) ?? keyOfCall(row.call_id ?? '')
  return ours ?? `transfer/${row.transfer_id}`
}

async function loadMovements(
  db: Db,
  tenantId: string,
  given: { keys: ReadonlySet<string>; posted: readonly CashRow[]; timeZone: string },
): Promise<Movement[]> {
  const { keys, posted, timeZone } = given
  const subjects = await selectSubjects(db, tenantId, idsOf(keys, 'drw', 'rfd', 'rep'))
  const subject = new Map(subjects.map((row) => [row.id, row]))
  const wanted = [...keys].flatMap((key) => {
    const id = subjectOf(key)
    const facilityId = id.startsWith('fac_') ? id : subject.get(id)?.facility_id
    if (facilityId === undefined) return []
    const other = key.startsWith('return/') ? key.slice('return/'.length) : `return/${key}`
    return [...entriesOf(key), ...entriesOf(other)].map((entryId) => ({ facilityId, entryId }))
  })
  const named = await selectCash(db, tenantId, wanted)
  const rows = new Map(
    [...posted, ...named].map((row) => [`${row.facility_id} ${row.entry_id} ${row.asset}`, row]),
  )
  const byKey = Map.groupBy(rows.values(), (row) => keyOfEntry(row.facility_id, row.entry_id))
  return [...byKey].map(([key, parts]) => toMovement(key, parts, subject, timeZone))
}

/** The parts of a transfer, what is applied and what is in suspense, are booked at the same time. */
function toMovement(
  key: string,
  parts: readonly CashRow[],
  subject: ReadonlyMap<string, SubjectRow>,
  timeZone: string,
): Movement {
  const [first] = parts
  if (!first) throw new Error(`${key} has no entry`)
  const units = parts.reduce((sum, part) => sum + part.units, 0n)
  const of = subject.get(subjectOf(key))
  const isSale = key.includes('/sale/')
  const isReturn = key.startsWith('return/')
  const isAnyDayBefore = !isReturn && of?.is_clipped === true
  const begun = isReturn ? first.value_at : (of?.begun_at ?? first.value_at)
  const early = isSale ? DAY_MS : SKEW_MS
  const late = isSale ? SETTLEMENT_DAYS * DAY_MS : SKEW_MS
  return {
    ...{ key, facilityId: first.facility_id, amount: { asset: first.asset, units } },
    from: isAnyDayBefore ? undefined : dayIn(timeZone, addMs(begun, -early)),
    to: dayIn(timeZone, addMs(first.booked_at, late)),
  }
}
