import { divideDown, maxOf } from '../../../core/money.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import type { Db } from '../../../db/database.ts'
import type { PriceFeed, Prices } from '../../collateral/prices.ts'
import type { ClockFor } from '../../tenants/tenant-clock.ts'
import { listTenants } from '../../tenants/tenants.ts'
import type { MarginPolicy } from '../policy.ts'

/** A new price (10^-8 USD), or what is left of the last accepted one, in parts per million. */
export type PriceShock = { asset: string } & ({ price: bigint } | { leftPpm: bigint })

/** Of a change in percent: four digits are parts per million. */
export const PERCENT_DIGITS = 4

const LARGEST_RISE_PPM = 99n * ONE_PPM

/** A price can fall by less than 100 % and rise by 9900 %. */
export function isPossibleMove(movedPpm: bigint): boolean {
  return movedPpm > -ONE_PPM && movedPpm <= LARGEST_RISE_PPM
}

/** Prices that have held for the whole window: one value is the highest, lowest and latest. */
export type Market = { tenantId: string; now: Date; prices: Prices }

export type MarketSource = {
  prices: PriceFeed
  clockFor: ClockFor
  isShared: boolean
}

export async function loadMarkets(
  db: Db,
  { prices, clockFor, isShared }: MarketSource,
  shocks: readonly PriceShock[],
  named?: readonly string[],
): Promise<Market[]> {
  const load = async (tenantId: string): Promise<Omit<Market, 'tenantId'>> => {
    const now = await clockFor(db, tenantId)
    return { now, prices: applyShocks(await prices.latest(db, tenantId, now), shocks, now) }
  }
  const tenantIds = named ?? (await listTenants(db)).map(({ id }) => id)
  const [first] = tenantIds
  const shared = first !== undefined && isShared ? await load(first) : undefined
  const markets: Market[] = []
  for (const tenantId of tenantIds) {
    markets.push({ tenantId, ...(shared ?? (await load(tenantId))) })
  }
  return markets
}

/** A shocked price is as of `now`; an asset that never had a price still has none to fall from. */
export function applyShocks(prices: Prices, shocks: readonly PriceShock[], now: Date): Prices {
  const shocked = new Map(prices)
  for (const shock of shocks) {
    const before = prices.get(shock.asset)?.price
    if ('price' in shock) shocked.set(shock.asset, { price: shock.price, at: now })
    else if (before !== undefined) {
      const price = maxOf(1n, divideDown(before * shock.leftPpm, ONE_PPM))
      shocked.set(shock.asset, { price, at: now })
    }
  }
  return shocked
}

const LOST_TO_ROUNDING = 10n

/** Whether one order of an asset always reaches the target, pays the debt off, or sells all of it:
 * the pass has one step for each asset. What is left is worth `dustCents`, so the room between
 * target and cure must outweigh what rounding loses. */
export function sellsEachAssetOnce({ cureLtvPpm, targetLtvPpm, dustCents }: MarginPolicy): boolean {
  return (cureLtvPpm - targetLtvPpm) * dustCents >= LOST_TO_ROUNDING * ONE_PPM
}
