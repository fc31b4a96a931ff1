import { formatDecimal, formatUsd } from '../../core/money.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time.ts'
import type { BacktestRules, LoanEvent, LoanHistory } from '../../domain/backtest/loan.ts'
import type { PricePoint } from '../../domain/backtest/prices.ts'
import type { BacktestSummary, Cohort } from '../../domain/backtest/summary.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { type Answer, formatAnswer } from '../command/output.ts'

export type FinishedBacktest = {
  points: readonly PricePoint[]
  rules: BacktestRules
  histories: readonly LoanHistory[]
  summary: BacktestSummary
}

/** Counts for people; for programs also each cohort, and the history of each loan. */
export function answerBacktest({ points, rules, summary, histories }: FinishedBacktest): Answer {
  const shown = {
    prices: { count: points.length, ...periodOf(points) },
    ...describeRules(rules),
    ...describeSummary(summary),
    ...describeRisk(summary),
  }
  // Loans opened on neighbouring days see the same fall: their number proves nothing.
  const isFew = summary.confidence.windows < FEW_WINDOWS
  const few = isFew ? '\n\nThe prices hold too few independent windows to rely on.' : ''
  return {
    data: {
      ...shown,
      cohorts: summary.cohorts.map(toCohort),
      items: histories.map(({ openedAt, endedAt, end, deficitCents, events }) => ({
        ...{ opened_at: openedAt, ended_at: endedAt, end, deficit_usd: formatUsd(deficitCents) },
        events: events.map(toEvent),
      })),
    },
    shown: `${formatAnswer(shown)}${few}`,
  }
}

const FEW_WINDOWS = 20

function describeRules({ terms, fills, policy }: BacktestRules) {
  return {
    terms: {
      asset: terms.asset,
      ltv: formatRatio(terms.ltvPpm),
      limit_usd: formatUsd(terms.limitCents),
      rate: formatRatio(terms.ratePpm),
      days: terms.termMs / DAY_MS,
    },
    fills: {
      price: fills.price,
      slippage: formatRatio(fills.slippagePpm),
      delay_minutes: fills.delayMs / MINUTE_MS,
      fee: formatRatio(fills.feePpm ?? policy.saleFeePpm),
    },
  }
}

function describeSummary(summary: BacktestSummary) {
  const { warnings, curedByPrice, escalated } = summary
  return {
    loans: summary.loans,
    warned_loans_by_tier: summary.warnedLoans,
    warnings: {
      raised: warnings,
      cured_by_price: curedByPrice,
      escalated_by_deadline: escalated.deadline,
      escalated_as_critical: escalated.critical,
      // Neither a price nor a call ended them before the loan or the history did.
      open_to_the_end: warnings - curedByPrice - sum(escalated),
    },
    margin_calls: summary.sales,
    sold_usd: formatUsd(summary.soldCents),
    costs_usd: formatUsd(summary.costsCents),
    deficit_usd: formatUsd(summary.deficitCents),
    largest_deficit_usd: formatUsd(summary.largestDeficitCents),
    ends: summary.ends,
  }
}

function describeRisk({ loanYears, defaults, worstCohort, ...summary }: BacktestSummary) {
  const { windows, withSale, withDeficit } = summary.confidence
  const aYear = (count: number) => (loanYears === 0 ? 0 : round(count / loanYears))
  return {
    loan_years: round(loanYears),
    a_loan_year: {
      warnings: aYear(summary.warnings),
      sales: aYear(sum(summary.sales) - summary.sales.not_needed),
      // For reading: a rate is no amount that is owed.
      sale_costs_usd: aYear(Number(summary.costsCents) / 100),
    },
    loss_given_default: formatRatio(defaults.lossPpm),
    defaults: { loans: defaults.loans, debt_usd: formatUsd(defaults.debtCents) },
    worst_cohort: worstCohort && toCohort(worstCohort),
    confidence: {
      independent_windows: windows,
      with_sale: toShare(withSale),
      with_deficit: toShare(withDeficit),
    },
  }
}

function toEvent(event: LoanEvent) {
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

function toCohort({ deficitCents, lossPpm, ...counts }: Cohort) {
  return { ...counts, deficit_usd: formatUsd(deficitCents), loss: formatRatio(lossPpm) }
}

function toShare({ windows, share }: BacktestSummary['confidence']['withSale']) {
  return { windows, share_from: round(share.low), share_to: round(share.high) }
}

function periodOf(points: readonly PricePoint[]): { from: Date; to: Date } {
  return { from: new Date(points[0]?.atMs ?? 0), to: new Date(points.at(-1)?.atMs ?? 0) }
}

const round = (value: number) => Math.round(value * 1e4) / 1e4

const sum = (counts: Record<string | number, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

const formatRatio = (ppm: bigint) => formatDecimal(ppm, 6)
