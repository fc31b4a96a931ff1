import type { Report } from '../../command-line/text.ts'
import { formatQuantity, formatUsd } from '../../core/money.ts'
import type { LossSums, StressSums } from '../../domain/margin/stress/group-sums.ts'
import type { PriceShock } from '../../domain/margin/stress/scenario.ts'
import type { AssetSale, Stress } from '../../domain/margin/stress/stress.ts'
import { describePrices, stressToJson } from '../../domain/margin/stress/stress-json.ts'
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
  return {
    data: stressToJson(stress, shocks),
    text: parts.filter((part) => part !== '').join('\n\n'),
  }
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
