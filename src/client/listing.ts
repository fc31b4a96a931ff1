import type { Call, CallInput } from './call.ts'
import type { Answer, Item, OperationId } from './operation-types.ts'

type PagedId = {
  [Id in OperationId]: Answer<Id> extends { items: unknown[]; has_more: boolean } ? Id : never
}[OperationId]

type WholeId = {
  [Id in OperationId]: Answer<Id> extends { items: unknown[]; has_more: boolean }
    ? never
    : Answer<Id> extends { items: unknown[] }
      ? Id
      : never
}[OperationId]

/** Await it for one page, or iterate over all items from there on. */
export type Listing<Id extends PagedId> = Promise<Answer<Id>> & AsyncIterable<Item<Id>>

/** Await it for the whole list, or iterate over it. */
export type WholeList<Id extends WholeId> = Promise<Item<Id>[]> & AsyncIterable<Item<Id>>

type AnyPage<Listed> = { items: Listed[]; next_cursor?: string; has_more: boolean }

export function listPages<Id extends PagedId>(
  call: Call,
  id: Id,
  input: CallInput<Id>,
): Listing<Id> {
  const first = call(id, input)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = (await first) as AnyPage<Item<Id>>
      yield* untilAborted(page.items, input.signal)
      while (page.has_more) {
        const query = { ...(input as { query?: object }).query, from: page.next_cursor }
        page = (await call(id, { ...input, query })) as AnyPage<Item<Id>>
        yield* untilAborted(page.items, input.signal)
      }
    },
  })
}

/** Await it for one page, or iterate over all lines from there on. */
export type StatementListing = Promise<Answer<'getStatement'>> &
  AsyncIterable<Answer<'getStatement'>['lines'][number]>

export function listLines(call: Call, input: CallInput<'getStatement'>): StatementListing {
  const first = call('getStatement', input)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; ) {
        yield* untilAborted(page.lines, input.signal)
        const { next_cursor: cursor } = page
        if (cursor === undefined) return
        page = await call('getStatement', { ...input, query: { ...input.query, cursor } })
      }
    },
  })
}

/** All pages as one statement. */
export async function joinPages(listing: StatementListing): Promise<Answer<'getStatement'>> {
  const { next_cursor: _cursor, ...first } = await listing
  const lines: (typeof first)['lines'] = []
  for await (const line of listing) lines.push(line)
  return { ...first, lines, has_more: false }
}

export function listWhole<Id extends WholeId>(
  call: Call,
  id: Id,
  input: CallInput<Id>,
): WholeList<Id> {
  const items = call(id, input).then((answer) => (answer as AnyPage<Item<Id>>).items)
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      yield* untilAborted(await items, input.signal)
    },
  })
}

function* untilAborted<Listed>(items: readonly Listed[], signal: AbortSignal | undefined) {
  for (const item of items) {
    signal?.throwIfAborted()
    yield item
  }
}
