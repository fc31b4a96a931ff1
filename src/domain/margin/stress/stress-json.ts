import { formatDecimal, formatQuantity, formatUsd } from '../../../core/money.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { formatPrice } from '../../collateral/prices.ts'
import type { LossSums, StressSums } from './group-sums.ts'
import type { Market, PriceShock } from './scenario.ts'
import type { AssetSale, Stress } from './stress.ts'

/** For the command and the operator API. */
export function stressToJson(stress: Stress, shocks: readonly PriceShock[]) {
  return {
    prices: describePrices(stress.markets, shocks),
    total: sumsToJson(stress.total),
    tenants: [...stress.byTenant].map(([tenantId, sums]) => ({
      tenant_id: tenantId,
      ...sumsToJson(sums),
    })),
    main_collateral: [...stress.byCollateral].map(([asset, sums]) => ({
      ...(asset === null ? {} : { asset }),
      ...sumsToJson(sums),
    })),
    sold: [...stress.sold].map(saleToJson),
    sold_if_uncured: [...stress.soldIfUncured].map(saleToJson),
  }
}

function sumsToJson(sums: StressSums) {
  return {
    facilities: sums.facilities,
    debt_usd: formatUsd(sums.debtCents),
    collateral_value_usd: formatUsd(sums.valueCents),
    warned_by_tier: sums.warned,
    warned_alike_today: sums.warnedAlready,
    held: sums.held,
    escalated_as_critical: sums.escalated.critical,
    escalated_by_deadline: sums.escalated.deadline,
    in_margin_call: sums.called,
    cured: sums.cured,
    nothing_to_sell: { facilities: sums.unsecured, debt_usd: formatUsd(sums.unsecuredCents) },
    not_evaluated: sums.stale,
    sold_at_once: lossesToJson(sums.sales),
    if_uncured: lossesToJson(sums.ifUncured),
  }
}

function lossesToJson({ grossCents, costsCents, deficits, deficitCents }: LossSums) {
  return {
    gross_usd: formatUsd(grossCents),
    costs_usd: formatUsd(costsCents),
    deficits,
    deficit_usd: formatUsd(deficitCents),
  }
}

function saleToJson([asset, { units, grossCents, costsCents }]: readonly [string, AssetSale]) {
  return {
    asset,
    quantity: formatQuantity({ asset, units }),
    gross_usd: formatUsd(grossCents),
    costs_usd: formatUsd(costsCents),
  }
}

/** On a sandbox each tenant may have prices of its own. */
export function describePrices(
  markets: readonly Market[],
  shocks: readonly PriceShock[] = [],
): string {
  const texts = new Set(markets.map(({ prices }) => printPrices(prices, shocks)))
  const [only] = texts
  if (texts.size === 1) return only ?? '-'
  const moves = shocks.map((shock) => `${shock.asset}${printMove(shock)}`).join(', ')
  return `each tenant's own${moves === '' ? '' : `, with ${moves}`}`
}

function printPrices(prices: Market['prices'], shocks: readonly PriceShock[]): string {
  const shockOf = new Map(shocks.map((shock) => [shock.asset, shock]))
  const quoted = [...prices].filter(([asset]) => asset !== 'USD')
  const texts = quoted.map(([asset, { price }]) => {
    const shock = shockOf.get(asset)
    return `${asset} ${formatPrice(price)}${shock ? printMove(shock) : ''}`
  })
  return texts.join(', ') || 'none accepted yet'
}

function printMove(shock: PriceShock): string {
  if ('price' in shock) return ' (set)'
  const percent = (ppm: bigint) => formatDecimal(ppm, 4)
  return shock.leftPpm < ONE_PPM
    ? ` (-${percent(ONE_PPM - shock.leftPpm)} %)`
    : ` (+${percent(shock.leftPpm - ONE_PPM)} %)`
}
