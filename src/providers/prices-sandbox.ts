import type { Tx } from '../db/database.ts'
import { ONE_USD, type PriceFeed } from '../domain/collateral/prices.ts'
import { deleteSandboxPrice, selectSandboxPrices, upsertSandboxPrice } from './queries.ts'

/** Prices (10^-8 USD) of a market that never moves by itself. */
export type SandboxMarket = ReadonlyMap<string, bigint>

/**
 * A market that a tenant's tests can move: a fixed price for each asset, overridden for each tenant
 * alone, and always fresh. For the sandbox alone.
 */
export function createSandboxPrices(market: SandboxMarket): PriceFeed {
  return {
    async latest(db, tenantId, now) {
      const set = await selectSandboxPrices(db, tenantId)
      const prices = new Map([...market, ...set.map((row) => [row.asset, row.price] as const)])
      prices.set('USD', ONE_USD)
      return new Map([...prices].map(([asset, price]) => [asset, { price, at: now }]))
    },
  }
}

/** Sets the price that one tenant sees; undefined takes it back to the market's. */
export async function setSandboxPrice(
  tx: Tx,
  tenantId: string,
  asset: string,
  price: bigint | undefined,
  now: Date,
): Promise<void> {
  if (price === undefined) {
    await deleteSandboxPrice(tx, tenantId, asset)
  } else {
    await upsertSandboxPrice(tx, { tenant_id: tenantId, asset, price, set_at: now })
  }
}
