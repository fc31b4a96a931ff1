import { maxOf, minOf } from '../../core/money.ts'
import { DAY_MS } from '../../core/time.ts'
import type { MarginPolicy, Tier } from '../margin/policy.ts'
import {
  type BacktestRules,
  evaluateLoan,
  type Loan,
  type LoanEnd,
  type LoanHistory,
  type LoanTerms,
  openLoan,
  type PriceWindow,
  type SaleOutcome,
} from './backtest-loan.ts'

/** A price (10^-8 USD) that holds from `atMs` until the next one. */
export type PricePoint = { atMs: number; price: bigint }

/** Every day opens a loan, its borrower does nothing, and sales fill as planned. Loans are
 * evaluated when a price comes, when it has held for the window, and when a deadline has passed.
 * The points are in order of time; `onPlayed` receives how many have been played. */
export function runBacktest(
  points: readonly PricePoint[],
  terms: LoanTerms,
  policy: MarginPolicy,
  onPlayed: (played: number) => void = () => undefined,
): LoanHistory[] {
  const rules = { terms, policy }
  const histories: LoanHistory[] = []
  let live: Loan[] = []
  let opensAtMs = points[0]?.atMs ?? 0
  let start = 0
  for (const [index, { atMs, price }] of points.entries()) {
    const endMs = points[index + 1]?.atMs ?? atMs + 1
    for (; opensAtMs < endMs; opensAtMs += DAY_MS) {
      const loan = openLoan(new Date(opensAtMs), price, rules)
      histories.push(loan.history)
      live.push(loan)
    }
    start = indexInForce(points, start, atMs - policy.confirmMs)
    const windowAt = (instantMs: number) =>
      windowOf(points, indexInForce(points, start, instantMs - policy.confirmMs), index, instantMs)
    const confirmedMs = atMs + policy.confirmMs
    const windows = confirmedMs < endMs ? [windowAt(atMs), windowAt(confirmedMs)] : [windowAt(atMs)]
    for (const loan of live) playLoan(loan, { endMs, windows, windowAt }, rules)
    live = live.filter(isRunning)
    onPlayed(index + 1)
  }
  return histories
}

/** From one price up to but without `endMs`. */
type Span = {
  endMs: number
  windows: readonly PriceWindow[]
  windowAt: (atMs: number) => PriceWindow
}

function playLoan(loan: Loan, span: Span, rules: BacktestRules): void {
  for (const window of span.windows) {
    passUntil(loan, window.atMs, span, rules)
    if (isRunning(loan) && window.atMs >= loan.evaluatedAtMs) evaluateLoan(loan, window, rules)
  }
  passUntil(loan, span.endMs, span, rules)
}

/** A deadline, itself still in time, and the loan's term. */
function passUntil(loan: Loan, untilMs: number, { windowAt }: Span, rules: BacktestRules): void {
  const beforeMs = Math.min(untilMs, loan.endsAtMs)
  while (isRunning(loan) && loan.warning) {
    const overdueMs = loan.warning.cureDeadline.getTime() + 1
    if (overdueMs <= loan.evaluatedAtMs || overdueMs >= beforeMs) break
    evaluateLoan(loan, windowAt(overdueMs), rules)
  }
  if (isRunning(loan) && loan.endsAtMs < untilMs) loan.history.end = 'repaid'
}

function isRunning({ history }: Loan): boolean {
  return history.end === 'running'
}

/** Searched from `from`; the first index before all prices. */
function indexInForce(points: readonly PricePoint[], from: number, atMs: number): number {
  let index = from
  for (let next = points[index + 1]; next && next.atMs <= atMs; next = points[index + 1]) index += 1
  return index
}

function windowOf(
  points: readonly PricePoint[],
  first: number,
  last: number,
  atMs: number,
): PriceWindow {
  const latest = points[last]?.price ?? 0n
  let [high, low] = [latest, latest]
  for (let index = first; index < last; index += 1) {
    const price = points[index]?.price ?? latest
    high = maxOf(high, price)
    low = minOf(low, price)
  }
  return { atMs, latest, high, low }
}

export type BacktestSummary = {
  loans: number
  /** By the highest tier that a warning of the loan reached. */
  warnedLoans: Record<Tier, number>
  warnings: number
  curedByPrice: number
  escalated: { deadline: number; critical: number }
  sales: Record<SaleOutcome, number>
  soldCents: bigint
  costsCents: bigint
  deficitCents: bigint
  largestDeficitCents: bigint
  ends: Record<LoanEnd, number>
}

export function summarizeBacktest(histories: readonly LoanHistory[]): BacktestSummary {
  const summary: BacktestSummary = {
    loans: histories.length,
    warnedLoans: { 1: 0, 2: 0, 3: 0 },
    warnings: 0,
    curedByPrice: 0,
    escalated: { deadline: 0, critical: 0 },
    sales: { partial: 0, full: 0, deficit: 0 },
    soldCents: 0n,
    costsCents: 0n,
    deficitCents: 0n,
    largestDeficitCents: 0n,
    ends: { repaid: 0, sold_off: 0, deficit: 0, running: 0 },
  }
  for (const history of histories) {
    summary.ends[history.end] += 1
    summary.deficitCents += history.deficitCents
    summary.largestDeficitCents = maxOf(summary.largestDeficitCents, history.deficitCents)
    const tier = highestTier(history)
    if (tier !== undefined) summary.warnedLoans[tier] += 1
    for (const event of history.events) countEvent(summary, event)
  }
  return summary
}

function highestTier({ events }: LoanHistory): Tier | undefined {
  const tiers = events.flatMap((event) => ('tier' in event ? [event.tier] : []))
  return tiers.sort((a, b) => b - a)[0]
}

function countEvent(summary: BacktestSummary, event: LoanHistory['events'][number]): void {
  if (event.kind === 'raised') summary.warnings += 1
  if (event.kind === 'cured') summary.curedByPrice += 1
  if (event.kind === 'escalated') summary.escalated[event.reason] += 1
  if (event.kind !== 'sold') return
  summary.sales[event.outcome] += 1
  summary.soldCents += event.grossCents
  summary.costsCents += event.costsCents
}
