import type { CursorCodec } from './cursor.ts'
import { Refusal } from './errors.ts'

export type PageRequest = { from?: string | undefined; limit: number }

export type Page<T> = { items: T[]; nextCursor: string | undefined; hasMore: boolean }

/** A cursor is accepted only under the context it was made in. */
export type ListRequest = { request: PageRequest; cursors: CursorCodec; context: string }

/** Newest first. `select` returns up to `limit` rows with keys before `before`. `fits`, of at least one
 * row: how many may be answered together, which may end a page early. Refuses `cursor_invalid`. */
export async function listPage<Row, Key extends string | number | bigint>(
  list: ListRequest & {
    parseKey: (text: string) => Key
    fits?: (rows: readonly Row[]) => number
  },
  select: (stretch: { before: Key | undefined; limit: number }) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): Promise<Page<Row>> {
  const { request, cursors, context } = list
  const position = readPosition(list)
  const before = position === undefined ? undefined : list.parseKey(position)
  const rows = await select({ before, limit: request.limit + 1 })
  const limit = Math.min(request.limit, list.fits?.(rows) ?? request.limit)
  const { items, hasMore } = cutPage(rows, limit)
  const last = items.at(-1)
  const nextCursor = last && hasMore ? cursors.encode(String(keyOf(last)), context) : undefined
  return { items, nextCursor, hasMore }
}

/** In the order of `select`, which returns up to `limit` rows after a position of several texts.
 * Refuses `cursor_invalid`. */
export async function listAfter<Row>(
  list: ListRequest,
  select: (stretch: { after: readonly string[] | undefined; limit: number }) => Promise<Row[]>,
  positionOf: (row: Row) => readonly string[],
): Promise<Page<Row>> {
  const { request, cursors, context } = list
  const position = readPosition(list)
  const after = position === undefined ? undefined : (JSON.parse(position) as string[])
  const rows = await select({ after, limit: request.limit + 1 })
  const { items, hasMore } = cutPage(rows, request.limit)
  const last = items.at(-1)
  const nextCursor =
    last && hasMore ? cursors.encode(JSON.stringify(positionOf(last)), context) : undefined
  return { items, nextCursor, hasMore }
}

export function readPosition({ request, cursors, context }: ListRequest): string | undefined {
  if (request.from === undefined) return undefined
  const position = cursors.decode(request.from, context)
  if (position !== undefined) return position
  throw new Refusal('cursor_invalid', 'The cursor was not issued for this list.')
}

/** For the context of a list: the same for the same filters, in whatever order they were given. */
export function describeFilters(filters: object): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `rows` holds `limit` + 1; the extra row means there is another page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { items: Row[]; hasMore: boolean } {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}

export function mapPage<Row, Item>(page: Page<Row>, toItem: (row: Row) => Item): Page<Item> {
  return { ...page, items: page.items.map(toItem) }
}
