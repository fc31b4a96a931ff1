import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { cutPage, type PageRequest, readPosition } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import {
  type EventSubject,
  selectEvent,
  selectEventsAbout,
  selectEventsAfter,
  selectLogBounds,
} from './queries.ts'

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
  /** Undefined: whatever they are about. */
  about?: EventSubject | undefined
}

/**
 * Reads a page of a tenant's event log. Without a cursor it begins at the first event of the view
 * that is still retained; `nextCursor` is always there, at the end as the point to resume from, which
 * lies behind the events of other types too: who has missed nothing can always go on. An event once
 * passed is never followed by a lower one: numbers become visible in order.
 *
 * Refuses `cursor_invalid` for a cursor that is altered or of another view, `cursor_expired` when
 * events between it and the oldest retained one are gone.
 */
export async function readLog(
  db: Db,
  view: LogView,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<LogPage> {
  const context = view.cursorContext
  const position = readPosition({ request, cursors, context })
  const after = position === undefined ? view.after : BigInt(position)
  // Before the page: whatever is committed in between has a higher number, so the end passes none of it.
  const { oldest, last } = await selectLogBounds(db, view.tenantId)
  if (position !== undefined && after + 1n < oldest) {
    throw new Refusal('cursor_expired', 'Events after this cursor have passed their retention.')
  }
  const { tenantId, types, about } = view
  const stretch = { after, types, limit: request.limit + 1 }
  const rows = await (about
    ? selectEventsAbout(db, tenantId, about, stretch)
    : selectEventsAfter(db, tenantId, stretch))
  const { items, hasMore } = cutPage(rows, request.limit)
  const read = items.at(-1)?.sequence ?? after
  const resume = !hasMore && last > read ? last : read
  return {
    items: items.map((row) => row.body),
    nextCursor: cursors.encode(String(resume), context),
    hasMore,
  }
}

/** One event of the log as it was delivered; refuses `not_found`. */
export async function getEvent(db: Db, tenantId: string, eventId: string): Promise<string> {
  const parsed = parseId('evt', eventId)
  const row = parsed && (await selectEvent(db, tenantId, eventId, parsed.madeAt))
  if (!row) throw new Refusal('not_found', 'There is no such event in the log.')
  return row.body
}
