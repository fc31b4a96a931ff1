import type { CursorCodec } from '../../../core/cursor.ts'
import { Refusal } from '../../../core/errors.ts'
import { parseId } from '../../../core/ids.ts'
import { cutPage, type PageRequest, readPosition } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import {
  type EventSubject,
  type LogRow,
  selectEvent,
  selectEventsAbout,
  selectEventsAfter,
  selectLogBounds,
} from './log-queries.ts'

/** Each item is the exact text that was delivered; in a chained view its hashes follow it. */
export type LogPage = { items: string[]; nextCursor: string; hasMore: boolean }

export type LogView = {
  tenantId: string
  /** A cursor of another view is refused. */
  cursorContext: string
  after: bigint
  types: readonly string[]
  about?: EventSubject | undefined
  isChained: boolean
}

/** Without a cursor, starts at the first event retained. `nextCursor` is always there, at the end
 * behind events of other types too. Refuses `cursor_invalid`, and `cursor_expired` when events
 * after the cursor are no longer retained. */
export async function readLog(
  db: Db,
  view: LogView,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<LogPage> {
  const context = view.cursorContext
  const position = readPosition({ request, cursors, context })
  const after = position === undefined ? view.after : BigInt(position)
  // Read before the page: later commits have higher numbers, so the end skips none of them.
  const { oldest, last } = await selectLogBounds(db, view.tenantId)
  if (position !== undefined && after + 1n < oldest) {
    throw new Refusal('cursor_expired', 'Events after this cursor are no longer retained.')
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
    items: items.map(view.isChained ? toChainedText : ({ body }) => body),
    nextCursor: cursors.encode(String(resume), context),
    hasMore,
  }
}

/** With its hashes. Refuses `not_found`. */
export async function getEvent(db: Db, tenantId: string, eventId: string): Promise<string> {
  const parsed = parseId('evt', eventId)
  const row = parsed && (await selectEvent(db, tenantId, eventId, parsed.madeAt))
  if (!row) throw new Refusal('not_found', 'There is no such event in the log.')
  return toChainedText(row)
}

/** The hashes come last, at a fixed length from the end: the rest is the body. */
export function toChainedText({ body, previous_hash: previous, hash }: LogRow): string {
  const hashes = `"previous_hash":"${previous.toString('hex')}","hash":"${hash.toString('hex')}"`
  return `${body.slice(0, -1)},${hashes}}`
}
