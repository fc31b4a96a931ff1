import { floorCents } from '../../../core/ratio.ts'
import type { AcceptedQuote, Prices } from '../../collateral/prices.ts'
import type { Haircuts, Position } from '../../collateral/valuation.ts'
import { type Debt, totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { LadderFacts } from './facts.ts'
import { evaluateCollateral } from './window-values.ts'

export type RecordedPrice = {
  asset: string
  price: bigint
  at: Date
  sources: Pick<AcceptedQuote, 'source' | 'price' | 'at'>[]
}

/** What a warning was raised on, with the positions that the custodian had by its answer. */
export type RaiseFacts = {
  now: Date
  debt: Debt
  staleMs: number
  /** Of the policy that it was raised by. */
  floorLtvPpm: bigint
  haircuts: Haircuts
  positions: readonly Position[]
  /** Of the window, the latest last. */
  rounds: readonly (readonly RecordedPrice[])[]
}

/** Undefined where it could not have been evaluated. */
export function evaluateRaise({
  positions,
  rounds,
  floorLtvPpm,
  ...terms
}: RaiseFacts): LadderFacts['atRaise'] {
  const { values } = evaluateCollateral(positions, toPriceView(rounds), terms)
  const debtCents = totalDebtCents(terms.debt, terms.now)
  return values && { debtCents, highCents: values.highCents, floorLtvPpm }
}

/** By the custodian's positions of then, and the policy of then. */
export function wasInBreach({ debtCents, highCents, floorLtvPpm }: AtRaise): boolean {
  return highCents < floorCents(debtCents, floorLtvPpm)
}

type AtRaise = NonNullable<LadderFacts['atRaise']>

export function toPriceView(rounds: RaiseFacts['rounds']): { latest: Prices; window: Prices[] } {
  const vectors = rounds.map(
    (round): Prices => new Map(round.map(({ asset, price, at }) => [asset, { price, at }])),
  )
  return { latest: vectors.at(-1) ?? new Map(), window: vectors.slice(0, -1) }
}

/** The custodian's positions at the raise: those of now without what was pushed on top since. All of
 * them where the raise stood on a push about which the custodian had not answered. */
export function positionsAtRaise(
  held: readonly Position[],
  pushed: readonly Position[],
  raise: {
    ladder: LadderFacts
    positions: readonly Position[]
    pushed?: readonly Position[] | undefined
  },
): Position[] {
  const { push } = raise.ladder
  const isUnanswered = push && !push.answeredAt && (push.isNew || push.askedSince !== undefined)
  const unitsOf = (positions: readonly Position[], asset: string) =>
    positions.find((position) => position.asset === asset)?.units ?? 0n
  return held.map(({ asset, units }) => {
    const added = unitsOf(pushed, asset) - unitsOf(raise.pushed ?? raise.positions, asset)
    if (isUnanswered || added <= 0n) return { asset, units }
    return { asset, units: units > added ? units - added : 0n }
  })
}
