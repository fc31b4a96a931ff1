import { expect, test, vi } from 'vitest'
import { addMs, MINUTE_MS } from '../../../../src/core/time.ts'
import type { Db } from '../../../../src/db/database.ts'
import type { Book, BookSource } from '../../../../src/domain/margin/book/book.ts'
import { createBookReader } from '../../../../src/domain/margin/book/book-reader.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

function countReads(read = async (at: Date) => ({ readAt: at }) as Book) {
  const reads = vi.fn((_db: Db, _source: BookSource, _tenantId: string | undefined, at: Date) =>
    read(at),
  )
  return { reads, reader: createBookReader({} as Db, {} as BookSource, reads) }
}

test('all who ask within a minute share one reading, also while it runs', async () => {
  const { reads, reader } = countReads()
  const [first, second] = await Promise.all([reader(undefined, NOW), reader(undefined, NOW)])
  expect(second).toBe(first)
  expect(await reader(undefined, addMs(NOW, MINUTE_MS - 1))).toBe(first)
  expect(reads).toHaveBeenCalledTimes(1)
  expect((await reader(undefined, addMs(NOW, MINUTE_MS))).readAt).toEqual(addMs(NOW, MINUTE_MS))
})

test('a clock that was set back does not keep a reading longer', async () => {
  const { reads, reader } = countReads()
  await reader(undefined, addMs(NOW, MINUTE_MS))
  expect((await reader(undefined, NOW)).readAt).toEqual(NOW)
  expect(reads).toHaveBeenCalledTimes(2)
})

test("a tenant's reading is not that of another, nor of all", async () => {
  const { reads, reader } = countReads()
  for (const tenantId of [undefined, 'ten_a', 'ten_b']) await reader(tenantId, NOW)
  expect(reads.mock.calls.map(([, , tenantId]) => tenantId)).toEqual([undefined, 'ten_a', 'ten_b'])
})

test('a reading that failed is not kept', async () => {
  let isAway = true
  const { reader } = countReads(async (at) => {
    if (isAway) throw new Error('the database is away')
    return { readAt: at } as Book
  })
  await expect(reader(undefined, NOW)).rejects.toThrow('away')
  isAway = false
  expect(await reader(undefined, NOW)).toEqual({ readAt: NOW })
})
