import type { Report } from '../../command-line/text.ts'
import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import type { LossSums, StressSums } from '../../domain/margin/stress/group-sums.ts'
import type { Market, PriceShock } from '../../domain/margin/stress/scenario.ts'
import type { AssetSale, Stress } from '../../domain/margin/stress/stress.ts'
import { formatFields, formatRows } from '../command/output.ts'

/** For people the tenants that lose most; for programs all. */
const SHOWN_TENANTS = 20

export function reportStress(stress: Stress, shocks: readonly PriceShock[]): Report {
  const parts = [
    formatFields({ Prices: describePrices(stress.markets, shocks), ...describe(stress.total) }),
    formatGroups('tenant', [...stress.byTenant].sort(byLoss).slice(0, SHOWN_TENANTS)),
    stress.byTenant.size > SHOWN_TENANTS
      ? `${stress.byTenant.size - SHOWN_TENANTS} more tenants: --json prints all.`
      : '',
    formatGroups(
      'main collateral',
      [...stress.byCollateral].map(([asset, sums]) => [asset ?? 'none', sums]),
    ),
    formatSales(stress),
  ]
  return { data: toJson(stress, shocks), text: parts.filter((part) => part !== '').join('\n\n') }
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
  return `each tenant's own${moves === '' ? '' : `:${moves}`}`
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

function describe(sums: StressSums): Record<string, string> {
  const { warned, escalated } = sums
  return {
    Facilities: `${sums.facilities}, debt ${formatUsd(sums.debtCents)} USD, collateral ${formatUsd(sums.valueCents)} USD`,
    Warned: `${countWarned(sums)}: tier 1: ${warned[1]}, tier 2: ${warned[2]}, tier 3: ${warned[3]}; of these warned alike today: ${sums.warnedAlready}, held by a reported repayment: ${sums.held}`,
    Escalated: `${countEscalated(sums)}: critical: ${escalated.critical}, past their deadline: ${escalated.deadline}`,
    'In a margin call': String(sums.called),
    Cured: String(sums.cured),
    'Nothing to sell': `${sums.unsecured}, debt ${formatUsd(sums.unsecuredCents)} USD`,
    'Not evaluated': `${sums.stale} with old or missing prices`,
    'Sold at once': describeLosses(sums.sales),
    'If none cures': describeLosses(sums.ifUncured),
  }
}

function describeLosses({ grossCents, costsCents, deficits, deficitCents }: LossSums): string {
  return `${formatUsd(grossCents)} USD at costs of ${formatUsd(costsCents)} USD; deficits: ${deficits}, ${formatUsd(deficitCents)} USD`
}

function formatGroups(name: string, groups: readonly (readonly [string, StressSums])[]): string {
  const rows = groups.map(([key, sums]) => [
    key,
    ...[sums.facilities, sums.warned[1], sums.warned[2], sums.warned[3]].map(String),
    String(countEscalated(sums)),
    ...[sums.sales.grossCents, sums.sales.costsCents, sums.sales.deficitCents].map(formatUsd),
    formatUsd(sums.ifUncured.deficitCents),
  ])
  const columns = [name, 'facilities', 'tier 1', 'tier 2', 'tier 3', 'escalated', 'sold usd']
  return rows.length === 0
    ? ''
    : formatRows([...columns, 'costs usd', 'deficit usd', 'if none cures'], rows)
}

function formatSales({ sold, soldIfUncured }: Stress): string {
  const assets = [...new Set([...sold.keys(), ...soldIfUncured.keys()])].sort()
  const cells = (asset: string, sale: AssetSale | undefined) =>
    sale
      ? [
          formatQuantity({ asset, units: sale.units }),
          formatUsd(sale.grossCents),
          formatUsd(sale.costsCents),
        ]
      : ['-', '-', '-']
  if (assets.length === 0) return ''
  return formatRows(
    ['asset', 'sold', 'sold usd', 'costs usd', 'if none cures', 'usd', 'costs'],
    assets.map((asset) => [
      asset,
      ...cells(asset, sold.get(asset)),
      ...cells(asset, soldIfUncured.get(asset)),
    ]),
  )
}

/** Those that lose most come first. */
function byLoss([, a]: [string, StressSums], [, b]: [string, StressSums]): number {
  const keys = (sums: StressSums) => [
    sums.sales.deficitCents + sums.ifUncured.deficitCents,
    sums.sales.grossCents + sums.ifUncured.grossCents,
    sums.debtCents,
  ]
  const [ofA, ofB] = [keys(a), keys(b)]
  const at = ofA.findIndex((key, index) => key !== ofB[index])
  return at === -1 ? 0 : (ofA[at] ?? 0n) > (ofB[at] ?? 0n) ? -1 : 1
}

export function countWarned({ warned }: Pick<StressSums, 'warned'>): number {
  return warned[1] + warned[2] + warned[3]
}

function countEscalated({ escalated }: StressSums): number {
  return escalated.critical + escalated.deadline
}

function toJson(stress: Stress, shocks: readonly PriceShock[]) {
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
