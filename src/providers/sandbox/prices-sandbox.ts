import { addMs, HOUR_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { execute, executeShared } from '../../db/transactions/execute.ts'
import {
  distinctPrices,
  ONE_USD,
  type PriceFeed,
  type Prices,
} from '../../domain/collateral/prices.ts'
import {
  deleteSandboxPricesBefore,
  selectPriceChanges,
  selectSandboxPrices,
  upsertSandboxPrice,
} from './price-queries.ts'

export type SandboxMarket = ReadonlyMap<string, bigint>

/** In domain time; longer than any window. */
const KEPT_MS = HOUR_MS

/** Kept and shown whatever their age. */
export const KEPT_CHANGES = 200

/** Fixed prices that each tenant can override for itself. Every instant is an accepted round. */
export function createSandboxPrices(market: SandboxMarket): PriceFeed {
  const assets = [...market.keys()]
  return {
    async latest(db, tenantId, now) {
      const changes = await execute(
        db,
        selectSandboxPrices({ tenantId, assets, from: now, until: now }),
      )
      return pricesAfter(market, changes, now)
    },
    quotesAt: async () => [],
    async window(db, tenantId, { now, confirmMs }) {
      const from = addMs(now, -confirmMs)
      const changes = await executeShared(
        db,
        tenantId,
        selectSandboxPrices({ tenantId, assets, from, until: now }),
      )
      const later = changes.flatMap(({ set_at }) => (set_at > from ? set_at : []))
      const rounds = [from, ...later, now].map((at) => {
        const past = changes.filter(({ set_at }) => set_at <= at)
        return pricesAfter(market, past, at)
      })
      return distinctPrices(rounds)
    },
  }
}

/** A null change returns to the market's price. */
function pricesAfter(
  market: SandboxMarket,
  changes: readonly { asset: string; price: bigint | null }[],
  at: Date,
): Prices {
  const prices = new Map(market).set('USD', ONE_USD)
  for (const { asset, price } of changes) {
    const inForce = price ?? market.get(asset)
    if (inForce !== undefined) prices.set(asset, inForce)
  }
  return new Map([...prices].map(([asset, price]) => [asset, { price, at }]))
}

export type SandboxPrice = { asset: string; price: bigint; isSet: boolean }

export async function listSandboxPrices(
  db: Db,
  tenantId: string,
  market: SandboxMarket,
  now: Date,
): Promise<SandboxPrice[]> {
  const assets = [...market.keys()]
  const changes = await execute(
    db,
    selectSandboxPrices({ tenantId, assets, from: now, until: now }),
  )
  return [...market].map(([asset, price]) => {
    const set = changes.findLast((change) => change.asset === asset)?.price ?? undefined
    return { asset, price: set ?? price, isSet: set !== undefined }
  })
}

export type PriceChange = { at: Date; price: bigint; isSet: boolean }

/** Oldest first: what was set, and returns to the market. */
export async function listPriceChanges(
  db: Db,
  tenantId: string,
  { asset, market }: { asset: string; market: bigint },
  now: Date,
): Promise<PriceChange[]> {
  const changes = await selectPriceChanges(db, { tenantId, asset }, now, KEPT_CHANGES)
  return changes
    .reverse()
    .map(({ set_at: at, price }) => ({ at, price: price ?? market, isSet: price !== null }))
}

/** From `now` on; undefined returns to the market's price. */
export async function setSandboxPrice(
  tx: Tx,
  tenantId: string,
  { asset, price }: { asset: string; price: bigint | undefined },
  now: Date,
): Promise<void> {
  const row = { tenant_id: tenantId, asset, set_at: now, price: price ?? null }
  await upsertSandboxPrice(tx, row)
  const before = addMs(now, -KEPT_MS)
  await deleteSandboxPricesBefore(tx, { tenantId, asset }, before, KEPT_CHANGES)
}
