import { formatDecimal, fractionDigits, isMoneyAsset, unitsPerWhole } from '../../../core/money.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { addMs } from '../../../core/time.ts'
import { CENTS_PER_USD, ONE_USD, PRICE_DIGITS } from '../../collateral/prices.ts'
import { centsPerUnit, countedPrice } from '../../collateral/valuation.ts'
import { LEAST_AFTER_PAUSE_MS, OUTAGE_MS } from '../../facilities/pauses/pauses.ts'
import { SUSPENSE_HOLD_MS } from '../../repayments/repayments.ts'
import type { MarginTerms } from '../policy.ts'
import { compareLots, feePpm } from '../sale-plan.ts'
import type { Market } from './scenario.ts'

/** What one unit is worth to a tenant, in cents as exact decimal text; null without a price. */
export type AssetRate = {
  countedCents: string | null
  marketCents: string | null
  /** 10^-8 USD, at most one dollar for a claim on one. */
  price: bigint | null
  isOld: boolean
}

export type MarketRates = { tenantId: string; now: Date; rateOf: ReadonlyMap<string, AssetRate> }

export type AssetTerms = {
  asset: string
  /** Units in a whole, times 10^8: units · price over this is in dollars. */
  scale: bigint
  countedPpm: bigint
  /** Of the proceeds of a sale, after the fee. */
  keptPpm: bigint
  /** How long a reported repayment in it holds an escalation; undefined: nothing is repaid in it. */
  holdMs: number | undefined
}

export type PassTerms = MarginTerms['policy'] & {
  assets: readonly AssetTerms[]
  suspenseHoldMs: number
  outageMs: number
  leastAfterPauseMs: number
  /** Only of facilities bound to this version; undefined: of all. Those without one have that in force. */
  bound?: { version: number; inForce: number } | undefined
}

export function toPassTerms({ policy, haircuts }: MarginTerms): PassTerms {
  const assets = [...haircuts]
    .map(([asset, haircutPpm]) => ({ asset, haircutPpm }))
    .sort(compareLots)
    .map(({ asset, haircutPpm }) => ({
      asset,
      scale: unitsPerWhole(asset) * ONE_USD,
      countedPpm: ONE_PPM - haircutPpm,
      keptPpm: ONE_PPM - feePpm(asset, policy),
      holdMs: isMoneyAsset(asset) ? (policy.holdMs[asset] ?? 0) : undefined,
    }))
  return {
    ...{ ...policy, assets, suspenseHoldMs: SUSPENSE_HOLD_MS },
    ...{ outageMs: OUTAGE_MS, leastAfterPauseMs: LEAST_AFTER_PAUSE_MS },
  }
}

export function toRates({ tenantId, now, prices }: Market, terms: MarginTerms): MarketRates {
  const freshSince = addMs(now, -terms.policy.staleMs)
  const countedCents = centsPerUnit(prices, terms.haircuts)
  const rates = [...terms.haircuts.keys()].map((asset): [string, AssetRate] => {
    const price = countedPrice(asset, prices)
    const at = prices.get(asset)?.at
    if (price === undefined || at === undefined) {
      return [asset, { countedCents: null, marketCents: null, price: null, isOld: true }]
    }
    const digits = fractionDigits(asset) + PRICE_DIGITS
    return [
      asset,
      {
        countedCents: countedCents.get(asset) ?? null,
        marketCents: formatDecimal(price * CENTS_PER_USD, digits),
        price,
        isOld: at < freshSince,
      },
    ]
  })
  return { tenantId, now, rateOf: new Map(rates) }
}
