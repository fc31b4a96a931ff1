import { Refusal } from '../../../core/errors.ts'
import type { Prices } from '../../collateral/prices.ts'
import type { Valuation } from '../../collateral/valuation.ts'
import type { Facility } from '../facilities.ts'
import { interestDueCents, totalDebtCents } from '../ledger/debt.ts'
import { usedCents } from '../ledger/ledger.ts'
import type { Provisional } from '../ledger/provisional.ts'
import type { LendingPolicy } from '../policy.ts'
import { type DrawFacts, type DrawRefusal, decideDraw } from './decide-draw.ts'

export type DrawOn = {
  facility: Facility
  /** The borrower's earlier facilities left it. */
  deficitCents: bigint
  /** Owed in addition if what can still be taken back is. */
  provisional: Provisional
  valuation: Valuation
  portfolioAgeMs: number | undefined
  /** Neither a warning nor a margin call. */
  isClear: boolean
}

/** Why a draw is refused. Throws `price_unavailable` for a missing or old price. */
export function refuseDraw(
  { facility, deficitCents, provisional, valuation, portfolioAgeMs, isClear }: DrawOn,
  draw: Pick<DrawFacts, 'drawCents' | 'price'>,
  policy: LendingPolicy,
  now: Date,
): DrawRefusal | undefined {
  assertPricesFresh(valuation, policy, now)
  const { valueCents } = valuation
  return decideDraw(
    {
      deficitCents,
      limitCents: facility.limitCents,
      usedCents: usedCents(facility) + provisional.principalCents,
      interestCents: interestDueCents(facility.debt, now) + provisional.interestCents,
      ...draw,
      collateralValueCents: valueCents,
      portfolioAgeMs,
      isHealthy: isClear && totalDebtCents(facility.debt, now) <= valueCents,
    },
    policy,
  )
}

function assertPricesFresh(
  { oldestPriceAt, unpriced }: Valuation,
  policy: LendingPolicy,
  now: Date,
): void {
  if (unpriced.length > 0) throw priceUnavailable()
  if (oldestPriceAt && now.getTime() - oldestPriceAt.getTime() > policy.drawPriceAgeMs) {
    throw priceUnavailable()
  }
}

/** In 10^-8 USD. Throws `price_unavailable`. */
export function freshPrice(
  prices: Prices,
  asset: string,
  policy: LendingPolicy,
  now: Date,
): bigint {
  const price = prices.get(asset)
  if (!price || now.getTime() - price.at.getTime() > policy.drawPriceAgeMs) throw priceUnavailable()
  return price.price
}

export function priceUnavailable(): Refusal {
  return new Refusal('price_unavailable', 'No price is recent enough.', {
    retryAfterSeconds: 10,
  })
}
