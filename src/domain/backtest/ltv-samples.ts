import { unitsPerWhole } from '../../core/money.ts'
import { totalDebtCents } from '../facilities/ledger/debt.ts'
import type { Observe } from './backtest.ts'
import type { Loan, LoanTerms } from './loan.ts'
import type { PricePoint } from './prices.ts'

/** Over one stretch of time, at its lowest price. For drawing alone: no decision uses them. */
export type LtvSample = { atMs: number; highest: number; median: number }

export type LtvCollector = { observe: Observe; samples: () => LtvSample[] }

/** About `count` samples of the running loans, each at the lowest price of its stretch. */
export function collectLtvs(
  points: readonly PricePoint[],
  terms: LoanTerms,
  count: number,
): LtvCollector {
  const samples: LtvSample[] = []
  const every = Math.max(1, Math.ceil(points.length / count))
  const counted = 1 - Number(terms.haircutPpm) / 1e6
  let lowest = Number.POSITIVE_INFINITY
  return {
    observe(played, running) {
      const point = points[played - 1]
      if (!point) return
      lowest = Math.min(lowest, Number(point.price))
      if (played % every !== 0 && played !== points.length) return
      const debts = running.map((loan) => priceOfDebt(loan, point.atMs, terms))
      debts.sort((a, b) => b - a)
      const [highest, median] = [debts[0], debts[Math.floor(debts.length / 2)]]
      if (highest !== undefined && median !== undefined) {
        const worth = lowest * counted
        samples.push({ atMs: point.atMs, highest: highest / worth, median: median / worth })
      }
      lowest = Number.POSITIVE_INFINITY
    },
    samples: () => samples,
  }
}

/** The price (10^-8 USD) at which the units are worth the debt. */
function priceOfDebt(loan: Loan, atMs: number, { asset }: LoanTerms): number {
  const debtUsd = Number(totalDebtCents(loan.debt, new Date(atMs))) / 100
  return (debtUsd * 1e8 * Number(unitsPerWhole(asset))) / Number(loan.units)
}
