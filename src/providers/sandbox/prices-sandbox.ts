import { addMs, HOUR_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import {
  distinctPrices,
  ONE_USD,
  type PriceFeed,
  type Prices,
} from '../../domain/collateral/prices.ts'
import { deleteSandboxPricesBefore, selectSandboxPrices, upsertSandboxPrice } from './queries.ts'

/** Prices (10^-8 USD) of a market that never moves by itself. */
export type SandboxMarket = ReadonlyMap<string, bigint>

/** How long a price is kept after it was replaced, in domain time: longer than any window reaches. */
const KEPT_MS = HOUR_MS

/**
 * A market that a tenant's tests can move: a fixed price for each asset, overridden for each tenant
 * alone, and always fresh. Every instant of the tenant's clock is an accepted round at the prices
 * that hold then. For the sandbox alone.
 */
export function createSandboxPrices(market: SandboxMarket): PriceFeed {
  const assets = [...market.keys()]
  return {
    async latest(db, tenantId, now) {
      const changes = await selectSandboxPrices(db, tenantId, assets, { from: now, until: now })
      return pricesAfter(market, changes, now)
    },
    // The market and what was set are their own source.
    quotesAt: async () => [],
    async window(db, tenantId, { now, confirmMs }) {
      const from = addMs(now, -confirmMs)
      const changes = await selectSandboxPrices(db, tenantId, assets, { from, until: now })
      const later = changes.flatMap(({ set_at }) => (set_at > from ? set_at : []))
      const rounds = [from, ...later, now].map((at) => {
        const past = changes.filter(({ set_at }) => set_at <= at)
        return pricesAfter(market, past, at)
      })
      return distinctPrices(rounds)
    },
  }
}

/** The market's prices with these changes made in their order; null takes one back. */
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

/** What a tenant sees of an asset now, and whether the tenant has set it. */
export type SandboxPrice = { asset: string; price: bigint; isSet: boolean }

/** The prices in force at `now` of every asset of the market, in its order. */
export async function listSandboxPrices(
  db: Db,
  tenantId: string,
  market: SandboxMarket,
  now: Date,
): Promise<SandboxPrice[]> {
  const assets = [...market.keys()]
  const changes = await selectSandboxPrices(db, tenantId, assets, { from: now, until: now })
  return [...market].map(([asset, price]) => {
    const set = changes.findLast((change) => change.asset === asset)?.price ?? undefined
    return { asset, price: set ?? price, isSet: set !== undefined }
  })
}

/** Sets the price that one tenant sees from `now` on; undefined takes it back to the market's. */
export async function setSandboxPrice(
  tx: Tx,
  tenantId: string,
  { asset, price }: { asset: string; price: bigint | undefined },
  now: Date,
): Promise<void> {
  const row = { tenant_id: tenantId, asset, set_at: now, price: price ?? null }
  await upsertSandboxPrice(tx, row)
  await deleteSandboxPricesBefore(tx, tenantId, asset, addMs(now, -KEPT_MS))
}
