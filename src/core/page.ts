import type { CursorCodec } from './cursor.ts'
import { Refusal } from './errors.ts'

/** What a client asks of a list: where to go on, and how much at once. */
export type PageRequest = { from?: string | undefined; limit: number }

/** One page of a list; `nextCursor` is there while there is more. */
export type Page<T> = { items: T[]; nextCursor: string | undefined; hasMore: boolean }

/** The position that a page request continues from; refuses `cursor_invalid`. */
export function readPosition(
  request: PageRequest,
  cursors: CursorCodec,
  context: string,
): string | undefined {
  if (request.from === undefined) return undefined
  const position = cursors.decode(request.from, context)
  if (position !== undefined) return position
  throw new Refusal('cursor_invalid', 'The cursor is not one that this list has given.')
}

/** Cuts a page from rows of which one more than the limit was asked for. */
export function cutPage<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, nextCursor: last && hasMore ? cursorOf(last) : undefined, hasMore }
}
