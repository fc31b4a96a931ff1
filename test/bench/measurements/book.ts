import { createCursorCodec } from '../../../src/core/cursor.ts'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { DEFAULT_POLICY } from '../../../src/domain/facilities/policy.ts'
import { type BookSource, readBook } from '../../../src/domain/margin/book/book.ts'
import { listBook } from '../../../src/domain/margin/book/list-book.ts'
import { alwaysBy, DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { createExchangePrices } from '../../../src/providers/prices-exchanges.ts'
import { figureAtMost } from '../aims.ts'
import type { Bench } from '../bench.ts'
import { acceptRounds, seedTenantsBook } from '../data/facilities-data.ts'
import { medianSeconds, type Row } from '../report.ts'

const BTC_USD = 55_000

export type BookSizes = { facilities: number; tenants: number; rounds: number }

/** All that a reading does: prices, the one statement, the sums; then a page of a list. */
export async function measureBook({ stores }: Bench, sizes: BookSizes): Promise<Row[]> {
  const { facilities, tenants, rounds } = sizes
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 1 })
  const source: BookSource = {
    prices: createExchangePrices(),
    stack: 'live',
    termsAt: async () => alwaysBy({ policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }),
  }
  const aim = figureAtMost(2, 's')
  const row = async (what: string, run: () => Promise<void>): Promise<Row> => ({
    name: `(book) ${what}, ${facilities.toLocaleString('en')} facilities`,
    unit: 's',
    ours: await medianSeconds(rounds, run),
    aim,
  })
  try {
    await seedTenantsBook(db, { facilities, tenants })
    await acceptRounds(db, BTC_USD)
    return [
      await row('the book', () => readAll(db, source, facilities)),
      await row('the first page of the exposure', () => readPage(db, source, facilities)),
    ]
  } finally {
    await db.destroy()
  }
}

async function readAll(db: Db, source: BookSource, facilities: number): Promise<void> {
  const { total } = await readBook(db, source, undefined, new Date())
  if (total.indebted !== facilities) throw new Error(`the book has ${total.indebted} facilities`)
  if (total.warned === 0) throw new Error('no facility of the book is warned')
}

async function readPage(db: Db, source: BookSource, facilities: number): Promise<void> {
  const cursors = createCursorCodec([{ id: 'bench', bytes: Buffer.alloc(32, 1) }])
  const filter = { figure: 'exposure', tenantId: undefined, at: new Date() } as const
  const page = await listBook(db, source, filter, { request: { limit: 100 }, cursors })
  if (page.facilities !== facilities) throw new Error(`the list has ${page.facilities} facilities`)
}
