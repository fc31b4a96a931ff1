import type { MarginDecision } from '../../client/index.ts'
import { divideUp, toCents, toUnits } from '../data/figures.ts'

type Facts = MarginDecision['facts']

const QUANTITY_DIGITS = 18
const PRICE_DIGITS = 8
const PPM = 1_000_000n
/** Of quantity, price and share, less the two digits of a cent. */
const SCALE = 10n ** BigInt(QUANTITY_DIGITS + PRICE_DIGITS + 6 - 2)

/** As collateral they count at one dollar at most. */
const CLAIMS_ON_A_DOLLAR: readonly string[] = ['USDC']

export type RecomputedRound = {
  at: string
  prices: readonly { asset: string; priceUsd: string }[]
  valueCents: bigint
  /** Of what counts towards a cure. */
  cureCents: bigint
}

export type Recomputed = {
  rounds: readonly RecomputedRound[]
  highestCents: bigint
  lowestCents: bigint
  latestCents: bigint
  /** Whether these are the values that the decision was made on. */
  agrees: boolean
}

/** Values the recorded positions at each recorded round; undefined where prices were not used. */
export function recompute(facts: Facts): Recomputed | undefined {
  const { values } = facts
  if (!values || facts.rounds.length === 0) return undefined
  const rounds = facts.rounds.map((round) => valueRound(facts.positions, round))
  const highestCents = inOrder(rounds.map(({ valueCents }) => valueCents)).at(-1) ?? 0n
  const lowestCents = inOrder(rounds.map(({ cureCents }) => cureCents))[0] ?? 0n
  const latestCents = rounds.at(-1)?.valueCents ?? 0n
  const agrees =
    highestCents === toCents(values.highest_usd) &&
    lowestCents === toCents(values.lowest_usd) &&
    latestCents === toCents(values.latest_usd)
  return { rounds, highestCents, lowestCents, latestCents, agrees }
}

function inOrder(cents: readonly bigint[]): bigint[] {
  return cents.toSorted((a, b) => (a < b ? -1 : 1))
}

function valueRound(
  positions: Facts['positions'],
  round: Facts['rounds'][number],
): RecomputedRound {
  const priceOf = new Map(round.map(({ asset, price_usd }) => [asset, price_usd]))
  const sum = (quantityOf: (position: Facts['positions'][number]) => string) =>
    positions.reduce((total, position) => {
      const { asset, haircut } = position
      const price = asset === 'USD' ? '1' : priceOf.get(asset)
      if (price === undefined || haircut === undefined) return total
      return total + countedCents(asset, quantityOf(position), price, haircut)
    }, 0n)
  return {
    at:
      round
        .map(({ accepted_at }) => accepted_at)
        .sort()
        .at(-1) ?? '',
    prices: positions.flatMap(({ asset }) => {
      const priceUsd = priceOf.get(asset)
      return priceUsd === undefined ? [] : [{ asset, priceUsd }]
    }),
    valueCents: sum(({ quantity }) => quantity),
    cureCents: sum(({ quantity, cure_quantity }) => cure_quantity ?? quantity),
  }
}

/** Rounded down to the cent for each position. */
function countedCents(asset: string, quantity: string, price: string, haircut: string): bigint {
  const market = toUnits(price, PRICE_DIGITS)
  const one = 10n ** BigInt(PRICE_DIGITS)
  const counted = CLAIMS_ON_A_DOLLAR.includes(asset) && market > one ? one : market
  return (toUnits(quantity, QUANTITY_DIGITS) * counted * (PPM - toUnits(haircut, 6))) / SCALE
}

/** The value at which the ratio is exactly the line. */
export function floorCents(debtCents: bigint, ltv: string): bigint {
  return divideUp(debtCents * PPM, toUnits(ltv, 6))
}

/** Parts per million, rounded up; undefined without value. */
export function ltvPpm(debtCents: bigint, valueCents: bigint): bigint | undefined {
  return valueCents === 0n ? undefined : divideUp(debtCents * PPM, valueCents)
}
