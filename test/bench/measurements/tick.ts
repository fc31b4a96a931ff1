import { sql } from 'kysely'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { readLatestPrices } from '../../../src/domain/collateral/price-rounds.ts'
import { centsPerUnit, HAIRCUTS_PPM } from '../../../src/domain/collateral/valuation.ts'
import { DEFAULT_POLICY } from '../../../src/domain/facilities/policy.ts'
import { evaluateAll } from '../../../src/domain/margin/evaluation/evaluate-all.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { createTermsAt } from '../../../src/domain/margin/versions/terms-at.ts'
import { createExchangePrices } from '../../../src/providers/prices-exchanges.ts'
import { perSecondAtLeast, ratioAtLeast, ratioAtMost } from '../aims.ts'
import { acceptRounds, seedBook } from '../data/facilities-data.ts'
import { median, type Row } from '../report.ts'

const CALM_USD = 100_000
/** At this price all are in tier 1. */
const CRASH_USD = 56_500

const WRITTEN = ['margin_warnings', 'margin_decisions', 'events', 'deliveries', 'work'] as const

export type TickSizes = { facilities: number; small: number; large: number; rounds: number }

/**
 * A price tick over `facilities` open facilities of three positions each: where none crosses a line,
 * against one bare SQL pass that values the same rows; where every one does, with all that a warning
 * writes; and what a facility costs among `large` against among `small`.
 */
export async function measureTick(databaseUrl: string, sizes: TickSizes): Promise<Row[]> {
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 4 })
  try {
    const calm = await measureCalm(db, sizes.facilities, sizes.rounds)
    const crash = await measureCrash(db, sizes.facilities)
    // The small one is over in seconds: its middle of three is less of an accident.
    const small = median([
      await measureCrash(db, sizes.small),
      await measureCrash(db, sizes.small),
      await measureCrash(db, sizes.small),
    ])
    const large = await measureCrash(db, sizes.large)
    return [
      {
        name: `(h) tick over ${print(sizes.facilities)} facilities, none crosses a line`,
        unit: 'facilities/s',
        ours: calm.ours,
        bare: calm.bare,
        ratio: calm.ours / calm.bare,
        aim: ratioAtLeast(0.3),
      },
      {
        name: `(h) tick over ${print(sizes.facilities)} facilities, every one is warned`,
        unit: 'facilities/s',
        ours: crash,
        aim: perSecondAtLeast(5_000),
      },
      {
        name: `(h) the same over ${print(sizes.large)} against over ${print(sizes.small)}`,
        unit: 'facilities/s',
        ours: large,
        bare: small,
        ratio: small / large,
        aim: ratioAtMost(1.2, 'time ratio'),
      },
    ]
  } finally {
    await db.destroy()
  }
}

async function measureCalm(db: Db, count: number, rounds: number) {
  await seedBook(db, count)
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = -1; round < rounds; round += 1) {
    await acceptRounds(db, CALM_USD)
    const ours = await time(() => tick(db))
    const bare = await time(() => valueAll(db, count))
    // The first warms up.
    if (round < 0) continue
    times.ours.push(ours)
    times.bare.push(bare)
  }
  const warnings = await countRows(db, 'margin_warnings')
  if (warnings > 0) throw new Error(`${warnings} facilities were warned though nothing happened`)
  return { ours: count / median(times.ours), bare: count / median(times.bare) }
}

async function measureCrash(db: Db, count: number): Promise<number> {
  await seedBook(db, count)
  await acceptRounds(db, CRASH_USD)
  const countAll = () => Promise.all(WRITTEN.map((table) => countRows(db, table)))
  const before = await countAll()
  const seconds = await time(() => tick(db))
  const after = await countAll()
  for (const [at, table] of WRITTEN.entries()) {
    const rows = (after[at] ?? 0) - (before[at] ?? 0)
    // A warning has notices before it, and asks for several pieces of work.
    if (rows <= 0 || rows % count !== 0) {
      throw new Error(`${rows} rows of ${table} for ${count} facilities`)
    }
  }
  return count / seconds
}

async function tick(db: Db): Promise<void> {
  const prices = createExchangePrices()
  const clock = () => new Date()
  const own = { policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }
  const context = { db, prices, termsAt: createTermsAt(own, clock), hasRounds: true }
  await evaluateAll({ ...context, clock }, new AbortController().signal)
}

/** The least that any tick must do: the value of every facility's collateral at one price each. */
async function valueAll(db: Db, count: number): Promise<void> {
  const latest = centsPerUnit(await readLatestPrices(db, new Date()), HAIRCUTS_PPM)
  const values = [...latest]
    .filter(([asset]) => asset !== 'USD')
    .map(([asset, cents]) => sql`trunc((p.positions ->> ${asset})::numeric * ${cents}::numeric)`)
  const { rows } = await sql<{ valued: bigint }>`
    SELECT count(${sql.join(values, sql` + `)}) AS valued
    FROM facilities f
    JOIN portfolios p ON p.tenant_id = f.tenant_id AND p.borrower_id = f.borrower_id
    WHERE f.state = 'APPROVED'`.execute(db)
  if (rows[0]?.valued !== BigInt(count)) throw new Error(`${rows[0]?.valued} were valued`)
}

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(
    db,
  )
  return Number(rows[0]?.n)
}

async function time(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return (performance.now() - startedAt) / 1_000
}

const print = (count: number) => count.toLocaleString('en')
