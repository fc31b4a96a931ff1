import { ONE_PPM } from '../../../src/core/ratio.ts'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { DEFAULT_MARGIN_TERMS } from '../../../src/domain/margin/policy.ts'
import { previewTerms } from '../../../src/domain/margin/stress/preview-terms.ts'
import type { MarketSource } from '../../../src/domain/margin/stress/scenario.ts'
import { stressBook } from '../../../src/domain/margin/stress/stress.ts'
import { createExchangePrices } from '../../../src/providers/prices-exchanges.ts'
import { figureAtMost } from '../aims.ts'
import type { Bench } from '../bench.ts'
import { acceptRounds, seedBook } from '../data/facilities-data.ts'
import { medianSeconds, type Row } from '../report.ts'

const BTC_USD = 100_000

/** What is left of the price of bitcoin: no facility warned, two of three sold at once, every one
 * sold at a deficit. */
const FALLS = [
  { name: 'none warned', leftPpm: 900_000n, soldShare: 0 },
  { name: 'two of three sold at once', leftPpm: 300_000n, soldShare: 0.6 },
  { name: 'every one sold', leftPpm: 50_000n, soldShare: 1 },
]

/** A haircut of 61 % on bitcoin warns every facility. */
const PROPOSED = {
  ...DEFAULT_MARGIN_TERMS,
  haircuts: new Map([...DEFAULT_MARGIN_TERMS.haircuts, ['BTC', 610_000n]]),
}

/** All that the commands do but read files and print: prices, one pass over the book, the sums. */
export async function measureStress(
  { stores }: Bench,
  { facilities, rounds }: { facilities: number; rounds: number },
): Promise<Row[]> {
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 1 })
  const source = {
    prices: createExchangePrices(),
    clockFor: async () => new Date(),
    isShared: true,
  }
  const aim = figureAtMost(2, 's')
  const name = (what: string) => `(stress) ${what}, ${facilities.toLocaleString('en')} facilities`
  try {
    await seedBook(db, facilities)
    await acceptRounds(db, BTC_USD)
    const rows: Row[] = []
    for (const { name: what, leftPpm, soldShare } of FALLS) {
      const ours = await medianSeconds(rounds, async () => {
        const { total } = await stressBook(db, source, { all: DEFAULT_MARGIN_TERMS }, [
          { asset: 'BTC', leftPpm },
        ])
        expectShare(total.escalated.critical / facilities, soldShare)
      })
      const percent = (ONE_PPM - leftPpm) / 10_000n
      rows.push({ name: name(`stress BTC=-${percent}%: ${what}`), unit: 's', ours, aim })
    }
    const ours = await medianSeconds(rounds, () => previewAll(db, source, facilities))
    rows.push({ name: name('policy preview that warns every one'), unit: 's', ours, aim })
    return rows
  } finally {
    await db.destroy()
  }
}

async function previewAll(db: Db, source: MarketSource, facilities: number): Promise<void> {
  const terms = { today: { all: DEFAULT_MARGIN_TERMS }, proposed: { all: PROPOSED } }
  const { total } = await previewTerms(db, source, terms, { limit: 50 })
  const warned = total.warned[1] + total.warned[2] + total.warned[3]
  expectShare((warned + total.escalated) / facilities, 1)
}

function expectShare(share: number, least: number): void {
  if (share < least) throw new Error(`${share} of the facilities, less than ${least}`)
}
