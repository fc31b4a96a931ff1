import type { CursorCodec } from '../../../core/cursor.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../../core/page.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import { BOOK_SECONDS, type BookSource, loadPass } from './book.ts'
import { type BookFilter, type ListedRow, type Position, selectListed } from './list-queries.ts'

export type BookList = Page<ListedRow> & {
  readAt: Date
  /** Of the whole list. */
  facilities: number
  amountCents: bigint
}

/** The facilities that make up a figure, the largest part first. Every page is of the instant of the
 * first, but for what was booked since. Refuses `cursor_invalid`. */
export async function listBook(
  db: Db,
  source: BookSource,
  { tenantId, at, ...filter }: BookFilter & { tenantId: string | undefined; at: Date },
  list: { request: PageRequest; cursors: CursorCodec },
): Promise<BookList> {
  const context = `book/${JSON.stringify([tenantId, filter], toText)}`
  const position = readPosition({ ...list, context })
  const previous = position === undefined ? undefined : readCursor(position)
  const readAt = previous?.readAt ?? at
  const { limit } = list.request
  const rows = await inSnapshot(db, { seconds: BOOK_SECONDS }, async (tx) => {
    const pass = await loadPass(tx, source, tenantId, readAt)
    return await selectListed(tx, pass.passes, filter, { after: previous?.after, limit: limit + 1 })
  })
  const { items, hasMore } = cutPage(rows.items, limit)
  const last = items.at(-1)
  return {
    readAt,
    facilities: rows.facilities,
    amountCents: BigInt(rows.amount),
    items,
    hasMore,
    nextCursor:
      last && hasMore ? list.cursors.encode(writeCursor(readAt, last), context) : undefined,
  }
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

function writeCursor(readAt: Date, { amount, tenantId, facilityId }: ListedRow): string {
  return [readAt.toISOString(), amount, tenantId, facilityId].join(' ')
}

function readCursor(text: string): { readAt: Date; after: Position } {
  const [readAt = '', amount = '', tenantId = '', facilityId = ''] = text.split(' ')
  const at = parseTimestamp(readAt)
  if (!at) throw new Error('a genuine cursor names no instant')
  return { readAt: at, after: { amount: BigInt(amount), tenantId, facilityId } }
}
