import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { idTime, isId } from '../../core/ids.ts'
import { type PageRequest, readPosition } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import { selectEvent, selectEventsAfter, selectOldestSequence } from './queries.ts'

/** A stretch of the log: each item the very text that was delivered, in order of sequence. */
export type LogPage = { items: string[]; nextCursor: string; hasMore: boolean }

/** Which events a reader pages through. */
export type LogView = {
  tenantId: string
  /** Binds the cursor: one of another view is refused. */
  cursorContext: string
  /** Events up to this number are not part of the view. */
  after: bigint
  /** Empty: all of them. */
  types: readonly string[]
}

/**
 * Reads a page of a tenant's event log. Without a cursor it begins at the first event of the view
 * that is still retained; `nextCursor` is always there, at the end as the point to resume from. An
 * event once passed is never followed by a lower one: numbers become visible in order.
 *
 * Refuses `cursor_invalid` for a cursor that is altered or of another view, `cursor_expired` when
 * events between it and the oldest retained one are gone.
 */
export async function readLog(
  db: Db,
  view: LogView,
  page: PageRequest,
  cursors: CursorCodec,
): Promise<LogPage> {
  const after = await positionOf(db, view, page, cursors)
  const rows = await selectEventsAfter(db, view.tenantId, {
    after,
    types: view.types,
    limit: page.limit + 1,
  })
  const items = rows.slice(0, page.limit)
  const last = items.at(-1)?.sequence ?? after
  return {
    items: items.map((row) => row.body),
    nextCursor: cursors.encode(String(last), view.cursorContext),
    hasMore: rows.length > items.length,
  }
}

async function positionOf(
  db: Db,
  view: LogView,
  page: PageRequest,
  cursors: CursorCodec,
): Promise<bigint> {
  const position = readPosition(page, cursors, view.cursorContext)
  if (position === undefined) return view.after
  const after = BigInt(position)
  const oldest = await selectOldestSequence(db, view.tenantId)
  if (oldest !== undefined && after + 1n < oldest) {
    throw new Refusal('cursor_expired', 'Events after this cursor have passed their retention.')
  }
  return after
}

/** One event of the log as it was delivered; refuses `not_found`. */
export async function getEvent(db: Db, tenantId: string, eventId: string): Promise<string> {
  const row = isId('evt', eventId) && (await selectEvent(db, tenantId, eventId, idTime(eventId)))
  if (!row) throw new Refusal('not_found', 'There is no such event in the log.')
  return row.body
}
