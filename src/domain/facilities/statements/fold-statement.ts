import { accrueByRates, interestCents, type Rates } from '../../../core/interest.ts'
import { DAY_MS } from '../../../core/time.ts'
import type { Outstanding } from '../ledger/debt.ts'
import type { Movement } from './movements.ts'

/** At an instant: exact interest since the first draw, and what was booked to the debt beside it. */
export type Position = {
  at: Date
  principalCents: bigint
  interestNumerator: bigint
  /** Principal and the interest paid: added to the interest accrued it is the debt. */
  movedCents: bigint
}

export type StatementLine =
  | { type: 'interest'; valueAt: Date; interestCents: bigint; balance: Outstanding }
  | (Movement & { balance: Outstanding })

/** Of the interest: one line before each movement, or one a UTC day. */
export type InterestLines = 'period' | 'day'

export type FoldTerms = {
  /** A line of interest may end at this instant, though nothing moves then. */
  isEnd: boolean
  until: Date
  rates: Rates
  interest: InterestLines
}

export function balanceOf({
  principalCents,
  interestNumerator,
  movedCents,
}: Position): Outstanding {
  const totalCents = movedCents + interestCents(interestNumerator)
  return { principalCents, interestCents: totalCents - principalCents, totalCents }
}

/** `movements` from the position's instant on, in the order of their value dates. Every line is rounded
 * as the debt is shown: opening and lines make the closing to the cent. */
export function foldStatement(
  opening: Position,
  movements: readonly Movement[],
  terms: FoldTerms,
): { lines: StatementLine[]; closing: Position } {
  const lines: StatementLine[] = []
  const movementsAt = Map.groupBy(movements, ({ valueAt }) => valueAt.getTime())
  let position = opening
  for (const at of cutsOf(opening.at, movementsAt.keys(), terms)) {
    const before = balanceOf(position)
    position = accrueUntil(position, terms.rates, at)
    const balance = balanceOf(position)
    const accrued = balance.interestCents - before.interestCents
    if (accrued !== 0n) {
      lines.push({ type: 'interest', valueAt: at, interestCents: accrued, balance })
    }
    for (const movement of movementsAt.get(at.getTime()) ?? []) {
      position = move(position, movement)
      lines.push({ ...movement, balance: balanceOf(position) })
    }
  }
  return { lines, closing: position }
}

function accrueUntil(position: Position, rates: Rates, at: Date): Position {
  const more = accrueByRates(position.principalCents, rates, position.at, at)
  return { ...position, at, interestNumerator: position.interestNumerator + more }
}

export function move(
  position: Position,
  { principalCents, interestCents: interest }: Movement,
): Position {
  return {
    ...position,
    principalCents: position.principalCents + principalCents,
    movedCents: position.movedCents + principalCents + interest,
  }
}

function cutsOf(
  from: Date,
  moved: Iterable<number>,
  { isEnd, until, interest }: FoldTerms,
): Date[] {
  const cuts = new Set(moved)
  if (isEnd) cuts.add(until.getTime())
  if (interest === 'day') {
    const firstDay = (Math.floor(from.getTime() / DAY_MS) + 1) * DAY_MS
    for (let day = firstDay; day <= until.getTime(); day += DAY_MS) cuts.add(day)
  }
  return [...cuts].sort((a, b) => a - b).map((ms) => new Date(ms))
}
