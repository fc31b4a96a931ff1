import type { Report } from '../../command-line/text.ts'
import { formatDecimal, formatUsd } from '../../core/money.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time.ts'
import type { Interval } from '../../domain/backtest/confidence.ts'
import type { BacktestRules, LoanEvent, LoanHistory } from '../../domain/backtest/loan.ts'
import type { PricePoint } from '../../domain/backtest/prices.ts'
import type { BacktestSummary, Cohort } from '../../domain/backtest/summary.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { formatFields } from '../command/output.ts'

export type FinishedBacktest = {
  points: readonly PricePoint[]
  rules: BacktestRules
  histories: readonly LoanHistory[]
  summary: BacktestSummary
}

/** Counts for people; for programs also the history of each loan. */
export function reportBacktest(backtest: FinishedBacktest): Report {
  return { data: toJson(backtest), text: describe(backtest) }
}

function describe({ points, rules, summary }: FinishedBacktest): string {
  const { terms } = rules
  const { warnedLoans, escalated, sales, ends, defaults, worstCohort } = summary
  const { from, to } = periodOf(points)
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const share = (count: number) => `${count} (${formatPercent(count, summary.loans)})`
  return formatFields({
    Prices: `${points.length}, from ${day(from)} to ${day(to)}`,
    Loans: `${summary.loans} of ${formatUsd(terms.limitCents)} USD at LTV ${formatRatio(terms.ltvPpm)} against ${terms.asset}, for ${terms.termMs / DAY_MS} days at ${formatRatio(terms.ratePpm)}`,
    'Loans warned': `${share(sum(warnedLoans))}: at most tier 1: ${warnedLoans[1]}, tier 2: ${warnedLoans[2]}, tier 3: ${warnedLoans[3]}`,
    Warnings: `${summary.warnings}: cured by price: ${summary.curedByPrice}, escalated by deadline: ${escalated.deadline}, as critical: ${escalated.critical}, open to the end: ${openCount(summary)}`,
    'Margin calls': `${sum(sales)}: partial: ${sales.partial}, full: ${sales.full}, deficit: ${sales.deficit}, not needed: ${sales.not_needed}`,
    Fills: describeFills(rules),
    Sold: `${formatUsd(summary.soldCents)} USD at costs of ${formatUsd(summary.costsCents)} USD`,
    'Loans in deficit': share(ends.deficit),
    Deficit: `${formatUsd(summary.deficitCents)} USD, at most ${formatUsd(summary.largestDeficitCents)} USD of one loan`,
    'Loans ended': `repaid: ${ends.repaid}, sold off: ${ends.sold_off}, in deficit: ${ends.deficit}, still running: ${ends.running}`,
    'A loan-year': `${aYear(summary.warnings, summary)} warnings, ${aYear(sum(sales) - sales.not_needed, summary)} sales, ${aYear(usdOf(summary.costsCents), summary)} USD of sale costs (${summary.loanYears.toFixed(1)} loan-years)`,
    'Loss given default': `${formatShare(defaults.lossPpm)} of ${formatUsd(defaults.debtCents)} USD owed by ${defaults.loans} loans when their first sale began`,
    'Worst cohort': worstCohort ? describeCohort(worstCohort) : 'none was warned',
    Confidence: describeConfidence(summary),
  })
}

function toJson({ points, rules, summary, histories }: FinishedBacktest) {
  const { terms } = rules
  return {
    prices: { count: points.length, ...periodOf(points) },
    terms: {
      asset: terms.asset,
      ltv: formatRatio(terms.ltvPpm),
      limit_usd: formatUsd(terms.limitCents),
      rate: formatRatio(terms.ratePpm),
      days: terms.termMs / DAY_MS,
    },
    fills: {
      price: rules.fills.price,
      slippage: formatRatio(rules.fills.slippagePpm),
      delay_minutes: rules.fills.delayMs / MINUTE_MS,
      fee: formatRatio(rules.fills.feePpm ?? rules.policy.saleFeePpm),
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
    ...toRiskJson(summary),
    items: histories.map(({ openedAt, endedAt, end, deficitCents, events }) => ({
      opened_at: openedAt,
      ended_at: endedAt,
      end,
      deficit_usd: formatUsd(deficitCents),
      events: events.map(toEventJson),
    })),
  }
}

function toEventJson(event: LoanEvent) {
  const { at, price, ...what } = event
  const seen = { at, price_usd: formatPrice(price) }
  if (what.kind === 'escalated') {
    const { debtCents, ...escalated } = what
    return { ...seen, ...escalated, debt_usd: formatUsd(debtCents) }
  }
  if (what.kind !== 'sold') return { ...seen, ...what }
  const { kind, outcome, grossCents, costsCents } = what
  const money = { gross_usd: formatUsd(grossCents), costs_usd: formatUsd(costsCents) }
  return { ...seen, kind, outcome, ...money }
}

function describeFills({ fills, policy }: BacktestRules): string {
  const price = fills.price === 'close' ? 'the price' : 'the low of the next hour'
  const slippage = fills.slippagePpm > 0n ? ` less ${formatShare(fills.slippagePpm)}` : ''
  const delay = fills.delayMs > 0 ? `, ${fills.delayMs / MINUTE_MS} minutes late` : ''
  return `at ${price}${slippage}${delay}, at costs of ${formatShare(fills.feePpm ?? policy.saleFeePpm)}`
}

function describeCohort({ month, loans, warned, sold, deficits, lossPpm }: Cohort): string {
  return `${month}: of ${loans} loans ${warned} warned, ${sold} sold, ${deficits} in deficit; loss ${formatShare(lossPpm)} of what was drawn`
}

/** Loans opened on neighbouring days see the same fall: their number proves nothing. */
function describeConfidence({ confidence }: BacktestSummary): string {
  const { windows, withSale, withDeficit } = confidence
  if (windows === 0) return 'none: the prices span less than one term'
  const share = ({ low, high }: Interval) =>
    `${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)} %`
  const few = windows < FEW_WINDOWS ? '; too few to rely on' : ''
  return `the prices hold ${windows} independent windows of one term${few}. With a sale: ${withSale.windows}, so ${share(withSale.share)} of windows; with a deficit: ${withDeficit.windows}, so ${share(withDeficit.share)} (95 %)`
}

function toRiskJson({ loanYears, defaults, cohorts, worstCohort, ...summary }: BacktestSummary) {
  const { windows, withSale, withDeficit } = summary.confidence
  const sold = sum(summary.sales) - summary.sales.not_needed
  return {
    loan_years: round(loanYears),
    a_loan_year: {
      warnings: rate(summary.warnings, loanYears),
      sales: rate(sold, loanYears),
      sale_costs_usd: rate(usdOf(summary.costsCents), loanYears),
    },
    loss_given_default: formatRatio(defaults.lossPpm),
    defaults: { loans: defaults.loans, debt_usd: formatUsd(defaults.debtCents) },
    cohorts: cohorts.map(toCohortJson),
    worst_cohort: worstCohort && toCohortJson(worstCohort),
    confidence: {
      independent_windows: windows,
      with_sale: toShareJson(withSale),
      with_deficit: toShareJson(withDeficit),
    },
  }
}

function toCohortJson({ deficitCents, lossPpm, ...counts }: Cohort) {
  return { ...counts, deficit_usd: formatUsd(deficitCents), loss: formatRatio(lossPpm) }
}

function toShareJson({ windows, share }: BacktestSummary['confidence']['withSale']) {
  return { windows, share_from: round(share.low), share_to: round(share.high) }
}

const FEW_WINDOWS = 20

/** For reading: a rate is no amount that is owed. */
const usdOf = (cents: bigint) => Number(cents) / 100

const aYear = (count: number, { loanYears }: BacktestSummary) => rate(count, loanYears).toFixed(2)

const rate = (count: number, years: number) => (years === 0 ? 0 : round(count / years))

const round = (value: number) => Math.round(value * 1e4) / 1e4

function formatShare(ppm: bigint): string {
  return `${formatDecimal(ppm, 4)} %`
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
