import type { Prices } from '../collateral/prices.ts'
import { type PriceView, toLadderFacts } from './facts.ts'
import type { RecordedDecision } from './judge-case.ts'
import { decideLadder, type LadderDecision, type LadderFacts, type Trigger } from './ladder.ts'
import type { MarginPolicy } from './policy.ts'
import type { NewDecision } from './queries.ts'

/** Everything a decision was made from, as it is stored: JSON, money and ratios as text. */
export type DecisionFacts = {
  ladder: LadderFacts
  policy: MarginPolicy
  positions: { asset: string; units: bigint; haircutPpm: bigint | undefined; valueCents: bigint }[]
  /** The rounds of the window, the latest last; prices in 10^-8 USD. */
  rounds: { asset: string; price: bigint; at: Date }[][]
  decision: LadderDecision
}

/** The facts that are the same for all decisions of one judgement. */
type SharedFacts = Pick<DecisionFacts, 'policy' | 'rounds'>

/** What decisions that are made together share, as it is stored beside them. */
export function toSharedFacts(prices: PriceView, policy: MarginPolicy): unknown {
  const rounds = [...(prices.window ?? []), prices.latest].map(listPrices)
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
  }
  return { facilityId: judged.facility.id, warningNumber, kind, facts: encode(facts) }
}

function listPrices(prices: Prices) {
  return [...prices].map(([asset, { price, at }]) => ({ asset, price, at }))
}

/** Reads a stored record. */
export function readDecisionFacts(stored: unknown): DecisionFacts {
  return decode(stored) as DecisionFacts
}

/** Decides once more from a record; the outcome is the recorded one, or the record is wrong. */
export function decideAgain({ ladder, policy }: DecisionFacts): LadderDecision {
  return decideLadder(ladder, policy)
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
