import { divideUp, maxOf } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { DAY_MS } from '../../core/time.ts'
import type { Tier } from '../margin/policy.ts'
import { type Interval, shareInterval } from './confidence.ts'
import type { LoanEnd, LoanHistory, LoanTerms, SaleOutcome } from './loan.ts'

const YEAR_MS = 365 * DAY_MS

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
  /** The time that the loans ran, taken together. */
  loanYears: number
  /** Loans of which collateral was sold, their debt at the first call, and the deficit's share of it. */
  defaults: { loans: number; debtCents: bigint; lossPpm: bigint }
  /** By the month of opening. */
  cohorts: Cohort[]
  worstCohort: Cohort | undefined
  confidence: Confidence
}

export type Cohort = {
  /** Such as 2026-01. */
  month: string
  loans: number
  warned: number
  sold: number
  deficits: number
  deficitCents: bigint
  /** The deficit's share of what was drawn. */
  lossPpm: bigint
}

/** Loans of one time see the same prices: only windows as long as a loan, one after another, are
 * independent. */
export type Confidence = {
  windows: number
  withSale: { windows: number; share: Interval }
  withDeficit: { windows: number; share: Interval }
}

export type Played = { histories: readonly LoanHistory[]; fromMs: number; toMs: number }

export function summarizeBacktest(played: Played, terms: LoanTerms): BacktestSummary {
  const { histories, toMs } = played
  const cohorts = cohortsOf(histories, terms)
  const summary: BacktestSummary = {
    loans: histories.length,
    warnedLoans: { 1: 0, 2: 0, 3: 0 },
    warnings: 0,
    curedByPrice: 0,
    escalated: { deadline: 0, critical: 0 },
    sales: { partial: 0, full: 0, deficit: 0, not_needed: 0 },
    soldCents: 0n,
    costsCents: 0n,
    deficitCents: 0n,
    largestDeficitCents: 0n,
    ends: { repaid: 0, sold_off: 0, deficit: 0, running: 0 },
    loanYears: histories.reduce((sum, one) => sum + yearsOf(one, toMs), 0),
    defaults: defaultsOf(histories),
    cohorts,
    worstCohort: worstOf(cohorts),
    confidence: confidenceOf(played, terms.termMs),
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

function yearsOf({ openedAt, endedAt }: LoanHistory, toMs: number): number {
  return Math.max(0, (endedAt?.getTime() ?? toMs) - openedAt.getTime()) / YEAR_MS
}

function isSold({ events }: LoanHistory): boolean {
  return events.some((event) => event.kind === 'sold' && event.outcome !== 'not_needed')
}

function defaultsOf(histories: readonly LoanHistory[]): BacktestSummary['defaults'] {
  const sold = histories.filter(isSold)
  const debtCents = sold.reduce((sum, { events }) => sum + firstCallCents(events), 0n)
  const lostCents = sold.reduce((sum, { deficitCents }) => sum + deficitCents, 0n)
  return { loans: sold.length, debtCents, lossPpm: sharePpm(lostCents, debtCents) }
}

function firstCallCents(events: LoanHistory['events']): bigint {
  const [first] = events.flatMap((event) => (event.kind === 'escalated' ? [event.debtCents] : []))
  return first ?? 0n
}

function cohortsOf(histories: readonly LoanHistory[], { limitCents }: LoanTerms): Cohort[] {
  const byMonth = Map.groupBy(histories, ({ openedAt }) => openedAt.toISOString().slice(0, 7))
  return [...byMonth].map(([month, loans]) => {
    const deficitCents = loans.reduce((sum, loan) => sum + loan.deficitCents, 0n)
    return {
      month,
      loans: loans.length,
      warned: loans.filter(({ events }) => events.length > 0).length,
      sold: loans.filter(isSold).length,
      deficits: loans.filter(({ end }) => end === 'deficit').length,
      deficitCents,
      lossPpm: sharePpm(deficitCents, limitCents * BigInt(loans.length)),
    }
  })
}

/** By loss, then by the share that was sold, then by the share that was warned; undefined if no loan
 * was warned. */
function worstOf(cohorts: readonly Cohort[]): Cohort | undefined {
  const share = (count: number, { loans }: Cohort) => count / loans
  const [worst] = cohorts.toSorted(
    (a, b) =>
      Number(b.lossPpm - a.lossPpm) ||
      share(b.sold, b) - share(a.sold, a) ||
      share(b.warned, b) - share(a.warned, a),
  )
  return worst && worst.warned > 0 ? worst : undefined
}

function confidenceOf({ histories, fromMs, toMs }: Played, termMs: number): Confidence {
  const windows = Math.floor((toMs - fromMs) / termMs)
  const count = (isCounted: (history: LoanHistory) => boolean, isHit: (at: EventOf) => boolean) => {
    const hit = new Set<number>()
    for (const { events } of histories.filter(isCounted)) {
      for (const event of events.filter(isHit)) {
        hit.add(Math.floor((event.at.getTime() - fromMs) / termMs))
      }
    }
    const hits = [...hit].filter((window) => window < windows).length
    return { windows: hits, share: shareInterval(hits, windows) }
  }
  return {
    windows,
    withSale: count(isSold, ({ kind }) => kind === 'sold'),
    withDeficit: count(
      ({ end }) => end === 'deficit',
      (event) => event.kind === 'sold' && event.outcome === 'deficit',
    ),
  }
}

type EventOf = LoanHistory['events'][number]

function sharePpm(part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : divideUp(part * ONE_PPM, whole)
}
