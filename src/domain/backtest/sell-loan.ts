import { divideUp, maxOf } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { marketCents } from '../collateral/valuation.ts'
import { accrue, applyPayment, totalDebtCents } from '../facilities/ledger/debt.ts'
import { feePpm, planInWindow, type SaleOrder, type StopReason } from '../margin/sale-plan.ts'
import { type BacktestRules, type Loan, type SaleOutcome, valueAt } from './loan.ts'
import type { PriceWindow } from './prices.ts'

export type LoanSale = { outcome: SaleOutcome; grossCents: bigint; costsCents: bigint }

/** Planned at the window's prices, filled at `fillPrice`, planned again after each fill. */
export function sellLoan(
  loan: Loan,
  window: PriceWindow,
  fillPrice: bigint,
  rules: BacktestRules,
): LoanSale {
  const at = new Date(window.atMs)
  const sale = { grossCents: 0n, costsCents: 0n }
  for (;;) {
    const debtCents = totalDebtCents(loan.debt, at)
    if (debtCents === 0n) return { ...sale, outcome: 'full' }
    const { positions } = valueAt(loan.units, window.latest, rules.terms)
    const high = valueAt(loan.units, window.high, rules.terms).valueCents
    const step = planInWindow({ debtCents, positions }, high, rules.policy)
    if (step.kind === 'stop') return { ...sale, outcome: outcomeOf(step.reason, sale.grossCents) }
    const { grossCents, costsCents } = fillOf(step.order, fillPrice, rules)
    const netCents = maxOf(0n, grossCents - costsCents)
    loan.debt = applyPayment(accrue(loan.debt, at), netCents).debt
    loan.units -= step.order.units
    sale.grossCents += grossCents
    sale.costsCents += costsCents
  }
}

function fillOf({ asset, units }: SaleOrder, price: bigint, { fills, policy }: BacktestRules) {
  const grossCents = marketCents({ asset, units }, price)
  const ppm = fills.feePpm ?? feePpm(asset, policy)
  return { grossCents, costsCents: divideUp(grossCents * ppm, ONE_PPM) }
}

function outcomeOf(reason: StopReason, grossCents: bigint): SaleOutcome {
  if (reason === 'nothing_sellable') return 'deficit'
  return grossCents > 0n ? 'partial' : 'not_needed'
}
