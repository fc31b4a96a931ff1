import { Refusal } from '../../core/errors.ts'
import {
  describeFilters,
  type ListRequest,
  listAfter,
  mapPage,
  type Page,
} from '../../core/page.ts'
import { asSealed } from '../../core/personal-text.ts'
import type { SealedText } from '../../core/sealing.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ensureKeyOfFacility, openRowKey } from '../personal/borrower-key.ts'
import {
  type BreakFilter,
  countOpenBreaks,
  lockBreak,
  resolveBreaks,
  selectBreaks,
  selectDueTimes,
  updateOwner,
} from './break-queries.ts'
import type { BreakArea, BreakKind } from './match.ts'

export const BREAK_KINDS = [
  'missing_here',
  'missing_there',
  'other_amount',
  'other_day',
] as const satisfies BreakKind[]

export const BREAK_AREAS = ['bank', 'wallet', 'collateral'] as const satisfies BreakArea[]

export type { BreakFilter }

/** A difference between the books and the provider. */
export type Break = {
  id: string
  tenantId: string
  kind: BreakKind
  area: BreakArea
  itemId: string
  facilityId: string | undefined
  day: string
  ours: unknown
  theirs: unknown
  foundAt: Date
  /** An operator. */
  owner: string | undefined
  takenAt: Date | undefined
  note: string | undefined
  /** Without its reason, as without the note, where a borrower is erased. */
  resolved: { at: Date; by: string; reason: string | undefined } | undefined
}

/** Longest first. Refuses `cursor_invalid`. */
export async function pageBreaks(
  db: Db,
  filter: BreakFilter,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<Break>> {
  const page = await listAfter(
    { ...list, context: `operator/breaks/${describeFilters(filter)}` },
    (stretch) => selectBreaks(db, filter, stretch),
    (row) => [row.position, row.break_id],
  )
  return mapPage(page, (row) => toBreak(db, row))
}

type BreakRow = NonNullable<Awaited<ReturnType<typeof lockBreak>>>

function toBreak(db: Db, row: BreakRow): Break {
  const { resolved_at: at, resolved_by: by } = row
  const key = openRowKey(db, { ...row, borrower_id: row.borrower_id ?? '' })
  const reason = row.resolution ? key.open(row.resolution, 'note') : undefined
  return {
    id: row.break_id,
    tenantId: row.tenant_id,
    kind: row.kind,
    area: row.area,
    itemId: row.item_id,
    facilityId: row.facility_id ?? undefined,
    day: row.day,
    ours: row.ours ?? undefined,
    theirs: row.theirs ?? undefined,
    foundAt: row.written_at,
    owner: row.owner ?? undefined,
    takenAt: row.taken_at ?? undefined,
    note: row.note ? key.open(row.note, 'note') : undefined,
    resolved: at && by !== null ? { at, by, reason } : undefined,
  }
}

export type Acting = { tx: Tx; tenantId: string; realNow: Date; actor: string }

/** Makes the actor its owner, in place of another; returns the owner before. Refuses `not_found`, also for
 * one that is resolved. */
export async function takeBreak(
  { tx, tenantId, realNow, actor }: Acting,
  breakId: string,
  note: string,
): Promise<Break> {
  const found = await lockOpen(tx, tenantId, breakId)
  const sealed = await seal(tx, found, note)
  await updateOwner(tx, tenantId, breakId, { owner: actor, note: sealed, at: realNow })
  return found
}

/** Nothing is booked. Refuses as `takeBreak`. */
export async function resolveBreak(
  { tx, tenantId, realNow, actor }: Acting,
  breakId: string,
  reason: string,
): Promise<Break> {
  const found = await lockOpen(tx, tenantId, breakId)
  const resolution = await seal(tx, found, reason)
  await resolveBreaks(tx, tenantId, [breakId], { at: realNow, by: actor, resolution })
  return found
}

/** Without a facility it is about no borrower. */
async function seal(tx: Tx, { tenantId, facilityId }: Break, text: string): Promise<SealedText> {
  if (facilityId === undefined) return asSealed(text)
  return (await ensureKeyOfFacility(tx, { tenantId, facilityId })).seal(text, 'note')
}

async function lockOpen(tx: Tx, tenantId: string, breakId: string): Promise<Break> {
  const row = await lockBreak(tx, tenantId, breakId)
  if (row && !row.resolved_at) return toBreak(tx, row)
  throw new Refusal('not_found', `There is no open break ${breakId}.`)
}

export type ReconciliationMeasure = {
  open: ReadonlyMap<BreakKind, number>
  oldestMs: number
  /** How long the oldest day has waited that has ended and is not reconciled. */
  behindMs: number
}

export async function measureReconciliation(db: Db, now: Date): Promise<ReconciliationMeasure> {
  const counted = new Map((await countOpenBreaks(db)).map((row) => [row.kind, row]))
  const since = (at: Date | undefined) =>
    at === undefined ? 0 : Math.max(now.getTime() - at.getTime(), 0)
  const dueTimes = (await selectDueTimes(db)).map(({ dueAt }) => since(dueAt))
  const ages = [...counted.values()].map(({ oldest }) => since(oldest))
  return {
    open: new Map(BREAK_KINDS.map((kind) => [kind, counted.get(kind)?.open ?? 0])),
    oldestMs: Math.max(0, ...ages),
    behindMs: dueTimes.reduce((most, ms) => Math.max(most, ms), 0),
  }
}
