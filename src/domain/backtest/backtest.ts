import { DAY_MS } from '../../core/time.ts'
import { evaluateLoan } from './evaluate-loan.ts'
import { type BacktestRules, endLoan, type Loan, type LoanHistory, openLoan } from './loan.ts'
import { PriceHistory, type PricePoint, type PriceWindow } from './prices.ts'

/** Called after each price with the number of those that were played. */
type Observe = (played: number) => void

/** Every day opens a loan, and its borrower does nothing. Loans are evaluated when a price comes, when
 * it has held for the window, and when the ladder of the service would evaluate them though no price
 * comes. The points are in order of time. */
export function runBacktest(
  points: readonly PricePoint[],
  rules: BacktestRules,
  observe: Observe = () => undefined,
): LoanHistory[] {
  const prices = new PriceHistory(points)
  const { confirmMs } = rules.policy
  const histories: LoanHistory[] = []
  let live: Loan[] = []
  let opensAtMs = points[0]?.atMs ?? 0
  let confirming = 0
  for (const [index, { atMs, price }] of points.entries()) {
    const endMs = points[index + 1]?.atMs ?? atMs + 1
    for (; opensAtMs < endMs; opensAtMs += DAY_MS) {
      const loan = openLoan(new Date(opensAtMs), price, rules)
      histories.push(loan.history)
      live.push(loan)
    }
    const windows = [prices.windowAt(atMs, confirmMs)]
    for (; confirming <= index; confirming += 1) {
      const confirmedMs = (points[confirming]?.atMs ?? 0) + confirmMs
      if (confirmedMs >= endMs) break
      if (confirmedMs > atMs) windows.push(prices.windowAt(confirmedMs, confirmMs))
    }
    for (const loan of live) playLoan(loan, { endMs, windows }, prices, rules)
    live = live.filter(isRunning)
    observe(index + 1)
  }
  return histories
}

/** From one price up to but without `endMs`. */
type Span = { endMs: number; windows: readonly PriceWindow[] }

function playLoan(loan: Loan, span: Span, prices: PriceHistory, rules: BacktestRules): void {
  for (const window of span.windows) {
    passUntil(loan, window.atMs, prices, rules)
    const isOpen = isRunning(loan) && window.atMs >= loan.evaluatedAtMs
    if (isOpen) evaluateLoan(loan, window, prices, rules)
  }
  passUntil(loan, span.endMs, prices, rules)
}

/** What is due between prices, and the loan's term. */
function passUntil(loan: Loan, untilMs: number, prices: PriceHistory, rules: BacktestRules): void {
  const beforeMs = Math.min(untilMs, loan.endsAtMs)
  while (isRunning(loan) && loan.dueAtMs < beforeMs) {
    evaluateLoan(loan, prices.windowAt(loan.dueAtMs, rules.policy.confirmMs), prices, rules)
  }
  if (isRunning(loan) && loan.endsAtMs < untilMs) endLoan(loan, 'repaid', loan.endsAtMs)
}

function isRunning({ history }: Loan): boolean {
  return history.end === 'running'
}
