import { expect, test } from 'vitest'
import { createCursorCodec } from '../../src/core/cursor.ts'
import { Refusal } from '../../src/core/errors.ts'
import { cutPage, readPosition } from '../../src/core/page.ts'

const cursors = createCursorCodec([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])

test.each([
  ['nothing', [], { items: [], nextCursor: undefined, hasMore: false }],
  ['less than a page', [1], { items: [1], nextCursor: undefined, hasMore: false }],
  ['just a page', [1, 2], { items: [1, 2], nextCursor: undefined, hasMore: false }],
  ['one more than a page', [1, 2, 3], { items: [1, 2], nextCursor: 'after 2', hasMore: true }],
])('%s is cut so that the next page begins where this one ends', (_name, rows, page) => {
  expect(cutPage(rows, 2, (last) => `after ${last}`)).toEqual(page)
})

test('the first page has no position, and a cursor of another list is refused', () => {
  expect(readPosition({ limit: 2 }, cursors, 'mine')).toBeUndefined()
  const from = cursors.encode('7', 'mine')
  expect(readPosition({ from, limit: 2 }, cursors, 'mine')).toBe('7')
  const read = () => readPosition({ from, limit: 2 }, cursors, 'theirs')
  expect(read).toThrow(Refusal)
  expect(read).toThrow(expect.objectContaining({ code: 'cursor_invalid' }))
})
