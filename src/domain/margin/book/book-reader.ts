import { MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { type Book, type BookSource, readBook } from './book.ts'

const KEPT_MS = MINUTE_MS

/** Of one tenant, or of all. A reading serves everyone who asks within a minute of its instant. */
export type BookReader = (tenantId: string | undefined, now: Date) => Promise<Book>

export function createBookReader(db: Db, source: BookSource, read = readBook): BookReader {
  const kept = new Map<string, { readAt: Date; book: Promise<Book> }>()
  return async (tenantId, now) => {
    for (const [key, { readAt }] of kept) {
      const ageMs = now.getTime() - readAt.getTime()
      // A clock that was set back must not keep a reading longer.
      if (ageMs < 0 || ageMs >= KEPT_MS) kept.delete(key)
    }
    const key = tenantId ?? 'all'
    const before = kept.get(key)
    if (before) return await before.book
    const book = read(db, source, tenantId, now)
    kept.set(key, { readAt: now, book })
    book.catch(() => {
      if (kept.get(key)?.book === book) kept.delete(key)
    })
    return await book
  }
}
