import type { Db } from '../../db/database.ts'
import { selectLiveTotals } from './call-queries.ts'
import { countUnnoticed } from './notices/notice-queries.ts'
import { NOTICE_WITHIN_MS } from './notices/raises.ts'
import type { Tier } from './policy.ts'
import { countOpenWarnings } from './warning-queries.ts'

export type MarginMeasures = {
  openByTier: ReadonlyMap<Tier, number>
  /** Open, and a raise has had no notice for too long. */
  unnoticed: number
  running: number
  /** How long ago the oldest running call began that no hold stops, by its tenant's clock; 0 without one. */
  oldestCallMs: number
}

export async function measureMargin(db: Db, realNow: Date): Promise<MarginMeasures> {
  const open = new Map((await countOpenWarnings(db)).map(({ tier, count }) => [tier, count]))
  const tiers = [1, 2, 3] as const
  const { running, oldest } = await selectLiveTotals(db, realNow)
  return {
    openByTier: new Map(tiers.map((tier) => [tier, open.get(tier) ?? 0])),
    unnoticed: await countUnnoticed(db, realNow, NOTICE_WITHIN_MS),
    running,
    oldestCallMs: Math.max(0, Number(oldest ?? 0n)),
  }
}
