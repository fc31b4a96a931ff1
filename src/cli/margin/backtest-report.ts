import type { Report } from '../../command-line/text.ts'
import { formatDecimal, formatUsd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time.ts'
import type { BacktestSummary, PricePoint } from '../../domain/backtest/backtest.ts'
import type { LoanEvent, LoanHistory, LoanTerms } from '../../domain/backtest/backtest-loan.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { formatFields } from '../output.ts'

export type FinishedBacktest = {
  points: readonly PricePoint[]
  terms: LoanTerms
  histories: readonly LoanHistory[]
  summary: BacktestSummary
  /** The file of the plot. */
  plot: string | undefined
}

/** Counts for people; for programs also the history of each loan. */
export function reportBacktest(backtest: FinishedBacktest): Report {
  return { data: toJson(backtest), text: describe(backtest) }
}

function describe({ points, terms, summary, plot }: FinishedBacktest): string {
  const { warnedLoans, escalated, sales, ends } = summary
  const { from, to } = periodOf(points)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const share = (count: number) => `${count} (${formatPercent(count, summary.loans)})`
  return formatFields({
    Prices: `${points.length}, from ${day(from)} to ${day(to)}`,
    Loans: `${summary.loans} of ${formatUsd(terms.limitCents)} USD at LTV ${formatRatio(terms.ltvPpm)} against ${terms.asset}, for ${terms.termMs / DAY_MS} days at ${formatRatio(terms.ratePpm)}`,
    'Loans warned': `${share(sum(warnedLoans))}: at most tier 1: ${warnedLoans[1]}, tier 2: ${warnedLoans[2]}, tier 3: ${warnedLoans[3]}`,
    Warnings: `${summary.warnings}: cured by price: ${summary.curedByPrice}, escalated by deadline: ${escalated.deadline}, as critical: ${escalated.critical}, open to the end: ${openCount(summary)}`,
    'Margin calls': `${sum(sales)}: partial: ${sales.partial}, full: ${sales.full}, deficit: ${sales.deficit}`,
    Sold: `${formatUsd(summary.soldCents)} USD at costs of ${formatUsd(summary.costsCents)} USD`,
    'Loans in deficit': share(ends.deficit),
    Deficit: `${formatUsd(summary.deficitCents)} USD, at most ${formatUsd(summary.largestDeficitCents)} USD of one loan`,
    'Loans ended': `repaid: ${ends.repaid}, sold off: ${ends.sold_off}, in deficit: ${ends.deficit}, still running: ${ends.running}`,
    ...(plot === undefined ? {} : { Plot: plot }),
  })
}

function toJson({ points, terms, summary, histories, plot }: FinishedBacktest) {
  return {
    prices: { count: points.length, ...periodOf(points) },
    terms: {
      asset: terms.asset,
      ltv: formatRatio(terms.ltvPpm),
      limit_usd: formatUsd(terms.limitCents),
      rate: formatRatio(terms.ratePpm),
      days: terms.termMs / DAY_MS,
    },
    loans: summary.loans,
    warned_loans_by_tier: summary.warnedLoans,
    warnings: {
      raised: summary.warnings,
      cured_by_price: summary.curedByPrice,
      escalated_by_deadline: summary.escalated.deadline,
      escalated_as_critical: summary.escalated.critical,
      open_to_the_end: openCount(summary),
    },
    margin_calls: summary.sales,
    sold_usd: formatUsd(summary.soldCents),
    costs_usd: formatUsd(summary.costsCents),
    deficit_usd: formatUsd(summary.deficitCents),
    largest_deficit_usd: formatUsd(summary.largestDeficitCents),
    ends: summary.ends,
    plot,
    items: histories.map(({ openedAt, end, deficitCents, events }) => ({
      opened_at: openedAt,
      end,
      deficit_usd: formatUsd(deficitCents),
      events: events.map(toEventJson),
    })),
  }
}

function toEventJson(event: LoanEvent) {
  const { at, price, ...what } = event
  const seen = { at, price_usd: formatPrice(price) }
  if (what.kind !== 'sold') return { ...seen, ...what }
  const { kind, outcome, grossCents, costsCents } = what
  const money = { gross_usd: formatUsd(grossCents), costs_usd: formatUsd(costsCents) }
  return { ...seen, kind, outcome, ...money }
}

function periodOf(points: readonly PricePoint[]): { from: Date; to: Date } {
  return { from: new Date(points[0]?.atMs ?? 0), to: new Date(points.at(-1)?.atMs ?? 0) }
}

/** Warnings that neither a price nor a call ended before the loan or the history did. */
function openCount({ warnings, curedByPrice, escalated }: BacktestSummary): number {
  return warnings - curedByPrice - sum(escalated)
}

function sum(counts: Record<string | number, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function formatPercent(count: number, total: number): string {
  return `${total === 0 ? '0.0' : ((count * 100) / total).toFixed(1)} %`
}

function formatRatio(ppm: bigint): string {
  return formatDecimal(ppm, 6)
}
