import { divideUp, maxOf, unitsPerWhole } from '../../core/money.ts'
import { floorCents, ONE_PPM } from '../../core/ratio.ts'
import { CENTS_PER_USD, ONE_USD, type Prices } from '../collateral/prices.ts'
import { type Valuation, valuePortfolio } from '../collateral/valuation.ts'
import { accrue, applyPayment, type Debt, totalDebtCents } from '../facilities/ledger/debt.ts'
import {
  decideLadder,
  type LadderDecision,
  type LadderFacts,
  windowDeadline,
} from '../margin/ladder/ladder.ts'
import type { MarginPolicy, Tier } from '../margin/policy.ts'
import {
  applyFill,
  fillAsPlanned,
  planNextOrder,
  type SaleState,
  type StopReason,
} from '../margin/sale-plan.ts'

/** All loans are alike: drawn in full when opened, repaid at their term. */
export type LoanTerms = {
  asset: string
  haircutPpm: bigint
  /** Debt over counted value at the opening. */
  ltvPpm: bigint
  limitCents: bigint
  ratePpm: bigint
  termMs: number
}

export type BacktestRules = { terms: LoanTerms; policy: MarginPolicy }

export type LoanEvent = { at: Date; price: bigint } & (
  | { kind: 'raised' | 'worsened'; tier: Tier }
  | { kind: 'cured' }
  | { kind: 'escalated'; reason: 'deadline' | 'critical' }
  | { kind: 'sold'; outcome: SaleOutcome; grossCents: bigint; costsCents: bigint }
)

export type SaleOutcome = 'partial' | 'full' | 'deficit'

export type LoanEnd = 'repaid' | 'sold_off' | 'deficit' | 'running'

export type LoanHistory = {
  openedAt: Date
  end: LoanEnd
  /** Owed after a call with nothing left to sell. */
  deficitCents: bigint
  events: LoanEvent[]
}

/** The highest and lowest price of the window that ends at `atMs`. */
export type PriceWindow = { atMs: number; latest: bigint; high: bigint; low: bigint }

export type Loan = {
  history: LoanHistory
  debt: Debt
  units: bigint
  endsAtMs: number
  evaluatedAtMs: number
  warning: LadderFacts['warning']
  lastCure: LadderFacts['lastCure']
  /** Nothing is raised while the highest price of the window is at least this. */
  quietPrice: bigint
}

export function openLoan(openedAt: Date, price: bigint, rules: BacktestRules): Loan {
  const { terms } = rules
  const valueCents = floorCents(terms.limitCents, terms.ltvPpm)
  const debt: Debt = {
    principalCents: terms.limitCents,
    ratePpm: terms.ratePpm,
    interestNumerator: 0n,
    accruedAt: openedAt,
    interestBookedCents: 0n,
    interestPaidCents: 0n,
  }
  const units = factorFor(valueCents, price, terms)
  const endsAtMs = openedAt.getTime() + terms.termMs
  return {
    history: { openedAt, end: 'running', deficitCents: 0n, events: [] },
    debt,
    units,
    endsAtMs,
    evaluatedAtMs: openedAt.getTime(),
    warning: undefined,
    lastCure: undefined,
    quietPrice: quietPriceOf({ debt, units, endsAtMs }, rules),
  }
}

/** A margin call sells at once, at the price of that instant. */
export function evaluateLoan(loan: Loan, window: PriceWindow, rules: BacktestRules): void {
  loan.evaluatedAtMs = window.atMs
  // Saves time: at this price the ladder raises nothing.
  if (!loan.warning && window.high >= loan.quietPrice) return
  while (loan.history.end === 'running') {
    const decision = decideLadder(factsOf(loan, window, rules.terms), rules.policy)
    if (decision.kind === 'none' || decision.kind === 'hold') return
    applyDecision(loan, decision, window, rules)
  }
}

function factsOf(loan: Loan, window: PriceWindow, terms: LoanTerms): LadderFacts {
  const latestCents = valueAt(loan, window.latest, terms).valueCents
  return {
    now: new Date(window.atMs),
    trigger: 'price',
    debt: loan.debt,
    values: {
      highCents: valueAt(loan, window.high, terms).valueCents,
      lowCents: valueAt(loan, window.low, terms).valueCents,
      latestCents,
    },
    hasSellableValue: latestCents > 0n,
    warning: loan.warning,
    hasLiveCall: false,
    lastCure: loan.lastCure,
    reported: [],
  }
}

function applyDecision(
  loan: Loan,
  decision: Exclude<LadderDecision, { kind: 'none' | 'hold' }>,
  window: PriceWindow,
  rules: BacktestRules,
): void {
  const at = new Date(window.atMs)
  const record = (event: LoanEvent) => loan.history.events.push(event)
  const instant = { at, price: window.latest }
  switch (decision.kind) {
    case 'raise':
    case 'worsen': {
      const { tier, cureDeadline } = decision
      const facts = factsOf(loan, window, rules.terms)
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
      record({ ...instant, kind: 'escalated', reason: decision.reason })
      record(sell(loan, window, rules))
      return
    default: {
      const unreachable: never = decision
      throw new Error(`unknown decision: ${unreachable}`)
    }
  }
}

function sell(loan: Loan, window: PriceWindow, rules: BacktestRules): LoanEvent {
  const { terms, policy } = rules
  const at = new Date(window.atMs)
  const { positions } = valueAt(loan, window.latest, terms)
  let state: SaleState = { debtCents: totalDebtCents(loan.debt, at), positions }
  let [grossCents, costsCents] = [0n, 0n]
  let step = planNextOrder(state, policy)
  for (; step.kind === 'order'; step = planNextOrder(state, policy)) {
    const fill = fillAsPlanned(state, step.order, policy)
    grossCents += fill.proceedsCents
    costsCents += fill.costsCents
    state = applyFill(state, fill)
  }
  const netCents = maxOf(0n, grossCents - costsCents)
  loan.debt = applyPayment(accrue(loan.debt, at), netCents, at).debt
  loan.units = state.positions[0]?.units ?? 0n
  const outcome = outcomeOf(step.reason)
  if (outcome === 'full') loan.history.end = 'sold_off'
  if (outcome === 'deficit') {
    loan.history.end = 'deficit'
    loan.history.deficitCents = state.debtCents
  }
  loan.quietPrice = quietPriceOf(loan, rules)
  return { at, price: window.latest, kind: 'sold', outcome, grossCents, costsCents }
}

function outcomeOf(reason: StopReason): SaleOutcome {
  if (reason === 'debt_nil') return 'full'
  return reason === 'floor_clear' ? 'partial' : 'deficit'
}

function valueAt(loan: Loan, price: bigint, { asset, haircutPpm }: LoanTerms): Valuation {
  const prices: Prices = new Map([[asset, { price, at: loan.history.openedAt }]])
  return valuePortfolio([{ asset, units: loan.units }], prices, new Map([[asset, haircutPpm]]))
}

/** The price at which the collateral clears the floor for the debt at the loan's end. */
function quietPriceOf(
  { debt, units, endsAtMs }: Pick<Loan, 'debt' | 'units' | 'endsAtMs'>,
  { terms, policy }: BacktestRules,
): bigint {
  if (units === 0n) return 0n
  const debtCents = totalDebtCents(debt, new Date(endsAtMs))
  return factorFor(floorCents(debtCents, policy.floorLtvPpm), units, terms)
}

/** The least price for so many units, or units at such a price, that counts for `valueCents`. */
function factorFor(valueCents: bigint, factor: bigint, { asset, haircutPpm }: LoanTerms): bigint {
  const scale = unitsPerWhole(asset) * ONE_USD * ONE_PPM
  return divideUp(valueCents * scale, factor * (ONE_PPM - haircutPpm) * CENTS_PER_USD)
}
