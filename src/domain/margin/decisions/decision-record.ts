import { isOther } from '../../collateral/position-sources.ts'
import type { AcceptedQuote, Prices } from '../../collateral/prices.ts'
import { HAIRCUTS_PPM, type Haircuts, type Position } from '../../collateral/valuation.ts'
import { type PriceView, toLadderFacts, valuationTerms } from '../case.ts'
import type { LadderDecision, LadderFacts, Trigger } from '../ladder/facts.ts'
import { decideConfirmed, decideLadder } from '../ladder/ladder.ts'
import {
  evaluateRaise,
  type RaiseFacts,
  type RecordedPrice,
  toPriceView,
} from '../ladder/raise-facts.ts'
import { evaluateCollateral } from '../ladder/window-values.ts'
import type { MarginPolicy } from '../policy.ts'
import type { NewDecision } from './decision-queries.ts'
import type { RecordedDecision } from './plan-step.ts'

export type DecisionFacts = {
  ladder: LadderFacts
  policy: MarginPolicy
  positions: RecordedPosition[]
  /** The rounds of the window, the latest last; prices in 10^-8 USD. */
  rounds: RecordedPrice[][]
  decision: LadderDecision
  isConfirmed?: boolean
  /** What was pushed, where other positions counted. */
  pushed?: readonly Position[]
  /** Of `pushed`, that it would count towards a cure once confirmed. */
  isClaimed?: boolean
  /** By the custodian's last answer, where that was not about the push. */
  held?: readonly Position[]
  /** What the warning was raised on, where that may have been a mistake. */
  raise?: RaiseFacts
}

type RecordedPosition = Position & {
  haircutPpm: bigint | undefined
  valueCents: bigint
  /** What counts towards a cure, where it is less. */
  curingUnits?: bigint
}

type SharedFacts = Pick<DecisionFacts, 'policy' | 'rounds'>

export function toSharedFacts(
  prices: PriceView,
  quotes: readonly AcceptedQuote[],
  policy: MarginPolicy,
): unknown {
  const rounds = roundsOf(prices).map((round) => listPrices(round, quotes))
  const facts: SharedFacts = { policy, rounds }
  return encode(facts)
}

export function toDecision(
  { kind, warningNumber, evaluated, decision }: RecordedDecision,
  { now, trigger }: { now: Date; trigger: Trigger },
): NewDecision {
  const { curing, collateral, raise, pushed, claimed, held, push } = evaluated
  const curingOf = new Map(curing?.map(({ asset, units }) => [asset, units]))
  const facts: Omit<DecisionFacts, keyof SharedFacts> = {
    ladder: toLadderFacts(evaluated, trigger, now),
    positions: collateral.latest.positions.map(({ asset, units, haircutPpm, valueCents }) => {
      const curingUnits = curingOf.get(asset)
      const position = { asset, units, haircutPpm, valueCents }
      return curingUnits === undefined ? position : { ...position, curingUnits }
    }),
    decision,
    ...(kind === 'escalate' && { isConfirmed: true }),
    ...(push && isOther(pushed, evaluated.positions) && { pushed }),
    ...(claimed && { pushed: claimed, isClaimed: true }),
    ...(held && !push?.answeredAt && { held: held.positions }),
    ...(raise && { raise }),
  }
  return { facilityId: evaluated.facility.id, warningNumber, kind, facts: encode(facts) }
}

export function instantsOf(prices: PriceView): Date[] {
  const all = roundsOf(prices).flatMap((round) => [...round.values()].map(({ at }) => at.getTime()))
  return [...new Set(all)].map((ms) => new Date(ms))
}

export function roundsOf({ window, latest }: PriceView): Prices[] {
  return [...(window ?? []), latest]
}

export function listPrices(prices: Prices, quotes: readonly AcceptedQuote[]): RecordedPrice[] {
  return [...prices].map(([asset, { price, at }]) => ({
    asset,
    price,
    at,
    sources: quotes
      .filter((quote) => quote.asset === asset && quote.acceptedAt.getTime() === at.getTime())
      .map(({ source, price: quoted, at: quotedAt }) => ({ source, price: quoted, at: quotedAt })),
  }))
}

export function readDecisionFacts(stored: unknown): DecisionFacts {
  const facts = decode(stored) as DecisionFacts
  // Older records lack these: the latest value decided at the deadline, which was the only one.
  const { flickerMs = 0 } = facts.policy
  const policy = { ...facts.policy, flickerMs, haircuts: readHaircuts(facts) }
  const raise = facts.raise && readRaise(facts.raise, policy)
  const read = { ...facts, policy, ...(raise && { raise }) }
  const { warning } = facts.ladder
  if (!warning) return read
  const windowDeadline = warning.windowDeadline ?? warning.cureDeadline
  return { ...read, ladder: { ...facts.ladder, warning: { ...warning, windowDeadline } } }
}

/** Older records have none beside those of the positions: the service's own were in force. */
function readHaircuts({ policy, positions }: DecisionFacts): Haircuts {
  if (policy.haircuts !== undefined) return toMap(policy.haircuts)
  const recorded = new Set(positions.map(({ asset }) => asset))
  return new Map([
    ...[...HAIRCUTS_PPM].filter(([asset]) => !recorded.has(asset)),
    ...positions.flatMap(({ asset, haircutPpm }) =>
      haircutPpm === undefined ? [] : [[asset, haircutPpm] as const],
    ),
  ])
}

/** Older records have neither: the policy had not changed since the raise. */
function readRaise(raise: RaiseFacts, policy: MarginPolicy): RaiseFacts {
  const { floorLtvPpm = policy.floorLtvPpm } = raise
  const haircuts = raise.haircuts === undefined ? policy.haircuts : toMap(raise.haircuts)
  return { ...raise, floorLtvPpm, haircuts }
}

/** As JSON has it. */
function toMap(haircuts: Haircuts): Haircuts {
  return new Map(Object.entries(haircuts as unknown as Record<string, bigint>))
}

/** Another result than the recorded one means a wrong record. */
export function decideAgain({
  ladder,
  policy,
  positions,
  rounds,
  isConfirmed,
  isClaimed,
  pushed,
  held,
  raise,
}: DecisionFacts): LadderDecision {
  const isLess = positions.some(({ curingUnits }) => curingUnits !== undefined)
  const least = positions.map(({ asset, units, curingUnits = units }) => {
    return { asset, units: curingUnits }
  })
  const curing = isLess ? least : undefined
  const claimed = isClaimed ? pushed : undefined
  const others = { curing, claimed, held }
  const terms = { now: ladder.now, ...valuationTerms(policy), ...others }
  const { values } = evaluateCollateral(positions, toPriceView(rounds), terms)
  const decide = isConfirmed ? decideConfirmed : decideLadder
  return decide({ ...ladder, values, atRaise: raise && evaluateRaise(raise) }, policy)
}

/** JSON has neither exact integers nor instants: both are marked. */
export function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return { $int: String(value) }
  if (value instanceof Date) return { $time: value.toISOString() }
  if (Array.isArray(value)) return value.map(encode)
  if (value instanceof Map) return encode(Object.fromEntries(value))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, encode(member)]))
}

export function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if ('$int' in value) return BigInt(String(value.$int))
  if ('$time' in value) return new Date(String(value.$time))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]))
}
