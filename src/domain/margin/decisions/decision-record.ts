import type { AcceptedQuote, Prices } from '../../collateral/prices.ts'
import { type PriceView, toLadderFacts } from '../case.ts'
import {
  decideConfirmed,
  decideLadder,
  type LadderDecision,
  type LadderFacts,
  type Trigger,
} from '../ladder/ladder.ts'
import { evaluateCollateral } from '../ladder/window-values.ts'
import type { MarginPolicy } from '../policy.ts'
import type { NewDecision } from './decision-queries.ts'
import type { RecordedDecision } from './plan-step.ts'

/** Everything a decision was made from, as it is stored: JSON, money and ratios as text. */
export type DecisionFacts = {
  ladder: LadderFacts
  policy: MarginPolicy
  positions: { asset: string; units: bigint; haircutPpm: bigint | undefined; valueCents: bigint }[]
  /** The rounds of the window, the latest last; prices in 10^-8 USD. */
  rounds: RecordedPrice[][]
  decision: LadderDecision
  /** Whether the positions are those that the custodian confirmed, by whose word it was decided. */
  isConfirmed?: boolean
}

/** A price of a round, with what each source said of it; none where the market is a sandbox's own. */
type RecordedPrice = {
  asset: string
  price: bigint
  at: Date
  sources: { source: string; price: bigint; at: Date }[]
}

/** The facts that are the same for all decisions of one judgement. */
type SharedFacts = Pick<DecisionFacts, 'policy' | 'rounds'>

/** What decisions that are made together share, as it is stored beside them. */
export function toSharedFacts(
  prices: PriceView,
  quotes: readonly AcceptedQuote[],
  policy: MarginPolicy,
): unknown {
  const rounds = roundsOf(prices).map((round) => listPrices(round, quotes))
  const facts: SharedFacts = { policy, rounds }
  return encode(facts)
}

/** What one decision was made from besides. */
export function toDecision(
  { kind, warningNumber, judged, decision }: RecordedDecision,
  { now, trigger }: { now: Date; trigger: Trigger },
): NewDecision {
  const facts: Omit<DecisionFacts, keyof SharedFacts> = {
    ladder: toLadderFacts(judged, trigger, now),
    positions: judged.collateral.latest.positions.map(
      ({ asset, units, haircutPpm, valueCents }) => ({ asset, units, haircutPpm, valueCents }),
    ),
    decision,
    ...(kind === 'escalate' && { isConfirmed: true }),
  }
  return { facilityId: judged.facility.id, warningNumber, kind, facts: encode(facts) }
}

/** The instants at which the prices of a view were accepted. */
export function instantsOf(prices: PriceView): Date[] {
  const all = roundsOf(prices).flatMap((round) => [...round.values()].map(({ at }) => at.getTime()))
  return [...new Set(all)].map((ms) => new Date(ms))
}

function roundsOf({ window, latest }: PriceView): Prices[] {
  return [...(window ?? []), latest]
}

function listPrices(prices: Prices, quotes: readonly AcceptedQuote[]): RecordedPrice[] {
  return [...prices].map(([asset, { price, at }]) => ({
    asset,
    price,
    at,
    sources: quotes
      .filter((quote) => quote.asset === asset && quote.acceptedAt.getTime() === at.getTime())
      .map(({ source, price: quoted, at: quotedAt }) => ({ source, price: quoted, at: quotedAt })),
  }))
}

/** Reads a stored record. */
export function readDecisionFacts(stored: unknown): DecisionFacts {
  const facts = decode(stored) as DecisionFacts
  const { warning } = facts.ladder
  if (!warning) return facts
  // Records of before it was kept are of warnings whose deadline alone decided.
  const windowDeadline = warning.windowDeadline ?? warning.cureDeadline
  return { ...facts, ladder: { ...facts.ladder, warning: { ...warning, windowDeadline } } }
}

/**
 * Decides once more from a record, its values recomputed from the recorded positions, haircuts and
 * prices; the outcome is the recorded one, or the record is wrong.
 */
export function decideAgain({
  ladder,
  policy,
  positions,
  rounds,
  isConfirmed,
}: DecisionFacts): LadderDecision {
  const vectors = rounds.map(
    (round) => new Map(round.map(({ asset, price, at }) => [asset, { price, at }])),
  )
  const haircuts = new Map(
    positions.flatMap(({ asset, haircutPpm }) =>
      haircutPpm === undefined ? [] : [[asset, haircutPpm] as const],
    ),
  )
  const { values } = evaluateCollateral(
    positions,
    { latest: vectors.at(-1) ?? new Map(), window: vectors.slice(0, -1) },
    { now: ladder.now, staleMs: policy.staleMs, haircuts },
  )
  const decide = isConfirmed ? decideConfirmed : decideLadder
  return decide({ ...ladder, values }, policy)
}

/** JSON has neither exact integers nor instants: they are marked. */
function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return { $int: String(value) }
  if (value instanceof Date) return { $time: value.toISOString() }
  if (Array.isArray(value)) return value.map(encode)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, encode(member)]))
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if ('$int' in value) return BigInt(String(value.$int))
  if ('$time' in value) return new Date(String(value.$time))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]))
}
