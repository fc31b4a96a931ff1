import { divideUp, unitsPerWhole } from '../../core/money.ts'
import { floorCents, ONE_PPM } from '../../core/ratio.ts'
import { CENTS_PER_USD, ONE_USD, type Prices } from '../collateral/prices.ts'
import { type Valuation, valuePortfolio } from '../collateral/valuation.ts'
import { type Debt, totalDebtCents } from '../facilities/ledger/debt.ts'
import type { LadderFacts } from '../margin/ladder/facts.ts'
import type { MarginPolicy, Tier } from '../margin/policy.ts'
import type { FillTerms } from './prices.ts'

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

export type BacktestRules = { terms: LoanTerms; policy: MarginPolicy; fills: FillTerms }

export type LoanEvent = { at: Date; price: bigint } & (
  | { kind: 'raised' | 'worsened'; tier: Tier }
  | { kind: 'cured' }
  | { kind: 'escalated'; reason: 'deadline' | 'critical'; debtCents: bigint }
  | { kind: 'sold'; outcome: SaleOutcome; grossCents: bigint; costsCents: bigint }
)

export type SaleOutcome = 'partial' | 'full' | 'deficit' | 'not_needed'

export type LoanEnd = 'repaid' | 'sold_off' | 'deficit' | 'running'

export type LoanHistory = {
  openedAt: Date
  /** Undefined while it runs. */
  endedAt: Date | undefined
  end: LoanEnd
  /** Owed after a call with nothing left to sell. */
  deficitCents: bigint
  events: LoanEvent[]
}

export type Loan = {
  history: LoanHistory
  debt: Debt
  units: bigint
  endsAtMs: number
  evaluatedAtMs: number
  /** When a deadline, interest or a sale is due though no price comes; infinite if nothing is. */
  dueAtMs: number
  warning: LadderFacts['warning']
  lastCure: LadderFacts['lastCure']
  /** A margin call that has not sold yet. */
  isCalled: boolean
  /** Nothing is raised while the highest price of the window is at least this. */
  quietPrice: bigint
}

export const NEVER_MS = Number.POSITIVE_INFINITY

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
    history: { openedAt, endedAt: undefined, end: 'running', deficitCents: 0n, events: [] },
    debt,
    units,
    endsAtMs,
    evaluatedAtMs: openedAt.getTime(),
    dueAtMs: NEVER_MS,
    warning: undefined,
    lastCure: undefined,
    isCalled: false,
    quietPrice: quietPriceOf({ debt, units, endsAtMs }, rules),
  }
}

export function endLoan({ history }: Loan, end: LoanEnd, atMs: number): void {
  history.end = end
  history.endedAt = new Date(atMs)
}

export function valueAt(units: bigint, price: bigint, { asset, haircutPpm }: LoanTerms): Valuation {
  const prices: Prices = new Map([[asset, { price, at: NO_TIME }]])
  return valuePortfolio([{ asset, units }], prices, new Map([[asset, haircutPpm]]))
}

/** The history's prices are never stale. */
const NO_TIME = new Date(0)

/** The price at which the collateral clears the floor for the debt at the loan's end. */
export function quietPriceOf(
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
