import { ASSETS } from '../../../core/assets.ts'
import { fractionDigits, isMoneyAsset, MONEY_ASSETS } from '../../../core/money.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { Debt } from '../../facilities/ledger/debt.ts'
import type { RecordedPrice } from '../ladder/raise-facts.ts'
import type { MarginPolicy } from '../policy.ts'
import { canonicalJson, type PlainJson } from './canonical-json.ts'

export const text = (value: bigint): string => String(value)
export const time = (at: Date): string => at.toISOString()

/** Items that many parts of a receipt name. The receipt has each item once, and its parts have the index. */
export type Tables = {
  noteAsset(asset: string): void
  termsIndex(policy: MarginPolicy): number
  /** Notes the prices of these positions alone, because no other price decides anything. */
  roundIndexes(
    rounds: readonly (readonly RecordedPrice[])[],
    positions: readonly Position[],
  ): number[]
  toParts(): { assets: PlainJson; terms: PlainJson; rounds: PlainJson }
}

export function createTables(): Tables {
  const assets = new Set<string>()
  const [terms, rounds] = [createTable(), createTable()]
  return {
    noteAsset: (asset) => void assets.add(asset),
    termsIndex: (policy) => terms.indexOf(termsPart(policy)),
    roundIndexes(all, positions) {
      const held = new Set(positions.map(({ asset }) => asset))
      for (const asset of held) assets.add(asset)
      return all.map((round) =>
        rounds.indexOf(round.filter(({ asset }) => held.has(asset)).map(pricePart)),
      )
    },
    toParts: () => ({
      assets: Object.fromEntries([...assets].map((asset) => [asset, assetPart(asset)])),
      terms: terms.items,
      rounds: rounds.items,
    }),
  }
}

function createTable() {
  const items: PlainJson[] = []
  const places = new Map<string, number>()
  return {
    items,
    indexOf(item: PlainJson): number {
      const key = canonicalJson(item)
      const place = places.get(key) ?? items.push(item) - 1
      places.set(key, place)
      return place
    },
  }
}

export function listPositions(positions: readonly Position[], tables: Tables) {
  return positions.map(({ asset, units }) => {
    tables.noteAsset(asset)
    return { asset, units: text(units) }
  })
}

export function debtPart(debt: Debt) {
  return {
    principal_cents: text(debt.principalCents),
    rate_ppm: text(debt.ratePpm),
    interest_numerator: text(debt.interestNumerator),
    interest_paid_cents: text(debt.interestPaidCents),
    accrued_at: time(debt.accruedAt),
  }
}

function pricePart({ asset, price, at, sources }: RecordedPrice) {
  return {
    asset,
    price: text(price),
    at: time(at),
    sources: sources.map((quote) => ({
      source: quote.source,
      price: text(quote.price),
      at: time(quote.at),
    })),
  }
}

/** `sale_rank`: what a call sells first. */
function assetPart(asset: string) {
  const isMoney = isMoneyAsset(asset)
  return {
    digits: fractionDigits(asset),
    in_kind: isMoney,
    is_dollar_claim: isDollarClaim(asset),
    sale_rank: isMoney ? MONEY_ASSETS.indexOf(asset) : MONEY_ASSETS.length,
  }
}

const isDollarClaim = (asset: string) =>
  Object.entries(ASSETS).some(([name, { isDollarClaim: is }]) => name === asset && is)

function termsPart(policy: MarginPolicy): PlainJson {
  return {
    version: policy.version,
    floor_ltv_ppm: text(policy.floorLtvPpm),
    cure_ltv_ppm: text(policy.cureLtvPpm),
    tiers: policy.tiers.map(({ tier, aboveLtvPpm, windowMs }) => ({
      tier,
      above_ltv_ppm: text(aboveLtvPpm),
      window_ms: windowMs,
    })),
    critical_ltv_ppm: text(policy.criticalLtvPpm),
    flicker_ms: policy.flickerMs,
    relapse_ms: policy.relapseMs,
    relapse_least_ms: policy.relapseLeastMs,
    least_cents: text(policy.leastCents),
    silence_ms: policy.silenceMs,
    stale_ms: policy.staleMs,
    target_ltv_ppm: text(policy.targetLtvPpm),
    sale_fee_ppm: text(policy.saleFeePpm),
    deep_ltv_ppm: text(policy.deepLtvPpm),
    dust_cents: text(policy.dustCents),
    haircuts_ppm: Object.fromEntries(
      [...policy.haircuts].map(([asset, ppm]) => [asset, text(ppm)]),
    ),
  }
}
