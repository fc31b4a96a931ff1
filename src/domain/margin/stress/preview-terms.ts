import type { Db } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import type { Tier } from '../policy.ts'
import { type BookTerms, toPasses } from './book-terms.ts'
import { selectChanges } from './change-queries.ts'
import type { ChangedFacility, ChangeGroup } from './rows.ts'
import { loadMarkets, type Market, type MarketSource } from './scenario.ts'
import { PASS_SECONDS } from './stress.ts'

export type ChangeSums = {
  /** Without a warning today, by the tier of the one they would get. */
  warned: Record<Tier, number>
  warnedDebtCents: bigint
  worsened: number
  escalated: number
  escalatedDebtCents: bigint
  relieved: number
}

export type TermsPreview = {
  markets: readonly Market[]
  total: ChangeSums
  byTenant: ReadonlyMap<string, ChangeSums>
  /** Those that would be warned or sold, of the highest ratio, at most as many as asked for. */
  facilities: readonly ChangedFacility[]
}

/** Limits the preview to these facilities, which are decided in the markets of these tenants alone. */
export type Among = { tenantIds: readonly string[]; facilityIds: readonly string[] }

/** At the last accepted prices, as if they had held for the window. */
export async function previewTerms(
  db: Db,
  source: MarketSource,
  { today, proposed }: { today: BookTerms; proposed: BookTerms },
  { limit, among }: { limit: number; among?: Among },
): Promise<TermsPreview> {
  return await inSnapshot(db, { seconds: PASS_SECONDS }, async (tx) => {
    const markets = await loadMarkets(tx, source, [], among?.tenantIds)
    const [before, after] = [
      await toPasses(tx, today, markets),
      await toPasses(tx, proposed, markets),
    ]
    const facilityIds = among?.facilityIds
    const changes = await selectChanges(tx, before, after, { limit, facilityIds })
    const byTenant = Map.groupBy(changes.groups, ({ tenantId }) => tenantId)
    return {
      markets,
      total: sumChanges(changes.groups),
      byTenant: new Map([...byTenant].map(([tenantId, groups]) => [tenantId, sumChanges(groups)])),
      facilities: changes.facilities,
    }
  })
}

export function sumChanges(groups: readonly ChangeGroup[]): ChangeSums {
  const sums: ChangeSums = {
    warned: { 1: 0, 2: 0, 3: 0 },
    warnedDebtCents: 0n,
    worsened: 0,
    escalated: 0,
    escalatedDebtCents: 0n,
    relieved: 0,
  }
  for (const group of groups) addChange(sums, group)
  return sums
}

function addChange(sums: ChangeSums, { facilities, debt, ...change }: ChangeGroup): void {
  if (isSold(change.outcome)) {
    if (isSold(change.before)) return
    sums.escalated += facilities
    sums.escalatedDebtCents += BigInt(debt)
  } else if (isWarned(change.outcome)) {
    if (isSold(change.before)) sums.relieved += facilities
    else if (!isWarned(change.before)) {
      sums.warned[change.tier ?? 1] += facilities
      sums.warnedDebtCents += BigInt(debt)
    } else if ((change.tier ?? 1) > (change.beforeTier ?? 1)) sums.worsened += facilities
  } else if (isSold(change.before) || isWarned(change.before)) sums.relieved += facilities
}

const isSold = (outcome: ChangeGroup['outcome']) => outcome === 'overdue' || outcome === 'critical'

const isWarned = (outcome: ChangeGroup['outcome']) => outcome === 'warned' || outcome === 'held'
