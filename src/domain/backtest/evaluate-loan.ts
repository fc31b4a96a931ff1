import { totalDebtCents } from '../facilities/ledger/debt.ts'
import { windowDeadline } from '../margin/ladder/deadlines.ts'
import type { LadderDecision, LadderFacts } from '../margin/ladder/facts.ts'
import { decideLadder } from '../margin/ladder/ladder.ts'
import { nextEvaluationAt } from '../margin/ladder/next-evaluation.ts'
import type { MarginPolicy } from '../margin/policy.ts'
import { hasSellable } from '../margin/sale-plan.ts'
import {
  type BacktestRules,
  endLoan,
  type Loan,
  type LoanEvent,
  NEVER_MS,
  quietPriceOf,
  valueAt,
} from './loan.ts'
import type { PriceHistory, PriceWindow } from './prices.ts'
import { sellLoan } from './sell-loan.ts'

/** Sells what a call has due; otherwise decides until nothing further follows. */
export function evaluateLoan(
  loan: Loan,
  window: PriceWindow,
  prices: PriceHistory,
  rules: BacktestRules,
): void {
  loan.evaluatedAtMs = window.atMs
  if (loan.isCalled && window.atMs < loan.dueAtMs) return
  if (loan.isCalled) sell(loan, window, prices, rules)
  loan.dueAtMs = NEVER_MS
  // Saves time: at this price the ladder raises nothing.
  if (!loan.warning && window.high >= loan.quietPrice) return
  while (loan.history.end === 'running') {
    const facts = factsOf(loan, window, rules)
    const decision = decideLadder(facts, rules.policy)
    if (decision.kind === 'none' || decision.kind === 'hold' || decision.kind === 'ask') {
      loan.dueAtMs = dueAfter(facts, decision, rules.policy)
      return
    }
    applyDecision(loan, decision, facts, { window, rules })
    if (!loan.isCalled) continue
    loan.dueAtMs = window.atMs + rules.fills.delayMs
    if (rules.fills.delayMs > 0) return
    sell(loan, window, prices, rules)
  }
}

function factsOf(loan: Loan, window: PriceWindow, { terms, policy }: BacktestRules): LadderFacts {
  const at = (price: bigint) => valueAt(loan.units, price, terms).valueCents
  const latest = valueAt(loan.units, window.latest, terms)
  const latestCents = latest.valueCents
  return {
    now: new Date(window.atMs),
    trigger: 'price',
    debt: loan.debt,
    values: { highCents: at(window.high), lowCents: at(window.low), latestCents },
    hasSellableValue: hasSellable(latest.positions, policy),
    warning: loan.warning,
    hasLiveCall: false,
    lastCure: loan.lastCure,
    reported: [],
  }
}

function dueAfter(facts: LadderFacts, decision: LadderDecision, policy: MarginPolicy): number {
  const { debt, reported, now, values, warning } = facts
  const valueCents = values?.latestCents ?? 0n
  const deadline = warning?.windowDeadline
  const waiting = { debt, reported, now, decision, valueCents, deadline }
  return nextEvaluationAt(waiting, false, policy)?.getTime() ?? NEVER_MS
}

function applyDecision(
  loan: Loan,
  decision: Exclude<LadderDecision, { kind: 'none' | 'hold' | 'ask' }>,
  facts: LadderFacts,
  { window, rules }: { window: PriceWindow; rules: BacktestRules },
): void {
  const at = new Date(window.atMs)
  const record = (event: LoanEvent) => loan.history.events.push(event)
  const instant = { at, price: window.latest }
  switch (decision.kind) {
    case 'raise':
    case 'worsen': {
      const { tier, cureDeadline } = decision
      loan.warning = {
        tier,
        cureDeadline,
        windowDeadline: windowDeadline(facts, tier, rules.policy),
      }
      record({ ...instant, kind: decision.kind === 'raise' ? 'raised' : 'worsened', tier })
      return
    }
    case 'cure': {
      const leftMs = (loan.warning?.cureDeadline.getTime() ?? 0) - window.atMs
      loan.lastCure = { curedAt: at, leftMs: Math.max(0, leftMs) }
      loan.warning = undefined
      record({ ...instant, kind: 'cured' })
      return
    }
    case 'escalate':
      loan.warning = undefined
      loan.lastCure = undefined
      loan.isCalled = true
      record({
        ...instant,
        kind: 'escalated',
        reason: decision.reason,
        debtCents: totalDebtCents(loan.debt, at),
      })
      return
    default: {
      const unreachable: never = decision
      throw new Error(`unknown decision: ${unreachable}`)
    }
  }
}

function sell(loan: Loan, window: PriceWindow, prices: PriceHistory, rules: BacktestRules): void {
  const at = new Date(window.atMs)
  const fillPrice = prices.fillPriceAt(window.atMs, rules.fills)
  const sale = sellLoan(loan, window, fillPrice, rules)
  loan.isCalled = false
  loan.history.events.push({ at, price: fillPrice, kind: 'sold', ...sale })
  if (sale.outcome === 'full') endLoan(loan, 'sold_off', window.atMs)
  if (sale.outcome === 'deficit') {
    endLoan(loan, 'deficit', window.atMs)
    loan.history.deficitCents = totalDebtCents(loan.debt, at)
  }
  loan.quietPrice = quietPriceOf(loan, rules)
}
