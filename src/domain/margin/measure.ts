import type { Db } from '../../db/database.ts'
import { selectLiveTotals } from './call-queries.ts'
import type { Tier } from './policy.ts'
import { countOpenWarnings } from './warning-queries.ts'

export type MarginMeasures = {
  openByTier: ReadonlyMap<Tier, number>
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
    running,
    oldestCallMs: Math.max(0, Number(oldest ?? 0n)),
  }
}
