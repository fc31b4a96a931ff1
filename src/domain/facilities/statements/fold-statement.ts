import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { DAY_MS } from '../../../core/time.ts'
import type { Outstanding } from '../ledger/debt.ts'
import type { Movement } from './movements.ts'
import type { Period } from './statement-queries.ts'

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

export function balanceOf({
  principalCents,
  interestNumerator,
  movedCents,
}: Position): Outstanding {
  const totalCents = movedCents + interestCents(interestNumerator)
  return { principalCents, interestCents: totalCents - principalCents, totalCents }
}

/** Every line is rounded as the debt is shown: opening and lines make the closing to the cent. */
export function foldStatement(
  opening: Position,
  movements: readonly Movement[],
  terms: Period & { ratePpm: bigint; interest: InterestLines },
): { lines: StatementLine[]; closing: Position } {
  const lines: StatementLine[] = []
  let position = opening
  for (const at of cutsOf(movements, terms)) {
    const before = balanceOf(position)
    position = accrueUntil(position, terms.ratePpm, at)
    const balance = balanceOf(position)
    const accrued = balance.interestCents - before.interestCents
    if (accrued !== 0n) {
      lines.push({ type: 'interest', valueAt: at, interestCents: accrued, balance })
    }
    for (const movement of movements) {
      if (movement.valueAt.getTime() !== at.getTime()) continue
      position = move(position, movement)
      lines.push({ ...movement, balance: balanceOf(position) })
    }
  }
  return { lines, closing: position }
}

function accrueUntil(position: Position, ratePpm: bigint, at: Date): Position {
  const more = accrueInterest(position.principalCents, ratePpm, position.at, at)
  return { ...position, at, interestNumerator: position.interestNumerator + more }
}

function move(position: Position, { principalCents, interestCents: interest }: Movement): Position {
  return {
    ...position,
    principalCents: position.principalCents + principalCents,
    movedCents: position.movedCents + principalCents + interest,
  }
}

function cutsOf(
  movements: readonly Movement[],
  { from, to, interest }: Period & { interest: InterestLines },
): Date[] {
  const cuts = new Set([...movements.map(({ valueAt }) => valueAt.getTime()), to.getTime()])
  if (interest === 'day') {
    const firstDay = (Math.floor(from.getTime() / DAY_MS) + 1) * DAY_MS
    for (let day = firstDay; day < to.getTime(); day += DAY_MS) cuts.add(day)
  }
  return [...cuts].sort((a, b) => a - b).map((ms) => new Date(ms))
}
