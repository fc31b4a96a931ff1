import { expect, test } from 'vitest'
import { createCursorCodec } from '../../src/core/cursor.ts'
import { Refusal } from '../../src/core/errors.ts'
import { listPage, mapPage } from '../../src/core/page.ts'

const cursors = createCursorCodec([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])

/** A page of two of the list of `keys`, which are in descending order. */
const readPage = (keys: readonly number[], from?: string, context = 'mine') =>
  listPage(
    { request: { from, limit: 2 }, cursors, context, parseKey: Number },
    async ({ before = Infinity, limit }) => keys.filter((key) => key < before).slice(0, limit),
    (key) => key,
  )

test.each([
  ['none', [], { items: [], nextCursor: undefined, hasMore: false }],
  ['less than a page', [1], { items: [1], nextCursor: undefined, hasMore: false }],
  ['just a page', [2, 1], { items: [2, 1], nextCursor: undefined, hasMore: false }],
  [
    'one more than a page',
    [3, 2, 1],
    { items: [3, 2], nextCursor: cursors.encode('2', 'mine'), hasMore: true },
  ],
])('a page ends where the next one begins, when the rows are %s', async (_name, keys, page) => {
  expect(await readPage(keys)).toEqual(page)
})

test('the pages of a list together hold each of its rows once and in order', async () => {
  const keys = [7, 6, 5, 4, 3]
  const first = await readPage(keys)
  const second = await readPage(keys, first.nextCursor)
  const third = await readPage(keys, second.nextCursor)
  expect([first, second, third].flatMap(({ items }) => items)).toEqual(keys)
  expect(third).toEqual({ items: [3], nextCursor: undefined, hasMore: false })
})

test('a cursor of another list is refused before anything is read', async () => {
  const from = cursors.encode('7', 'mine')
  expect((await readPage([8, 7, 6], from)).items).toEqual([6])
  const refused = await readPage([8, 7, 6], from, 'theirs').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 'cursor_invalid' })
})

test('a page with mapped rows keeps its cursor', async () => {
  const page = await readPage([3, 2, 1])
  expect(mapPage(page, String)).toEqual({ ...page, items: ['3', '2'] })
})
