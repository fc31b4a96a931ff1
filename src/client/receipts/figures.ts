import type { Debt, Position, Price, Receipt, Terms } from './receipt.ts'

export const ONE = 1_000_000n
export const USD = 100_000_000n
export const CENTS = 100n

/** One cent in units of exact interest: cents times parts per million times the milliseconds of 365 days. */
const PER_CENT = ONE * 31_536_000_000n

export const int = (text: string | undefined): bigint => BigInt(text ?? '0')
export const ms = (at: string | undefined): number => Date.parse(at ?? '')
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

export function up(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator > quotient * denominator ? quotient + 1n : quotient
}

export function down(numerator: bigint, denominator: bigint): bigint {
  return -up(-numerator, denominator)
}

/** The value at which a debt is so large a part of it. */
export const floorOf = (debt: bigint, ltvPpm: string): bigint => up(debt * ONE, int(ltvPpm))

/** Principal, and interest rounded up to the cent, at an instant in milliseconds. */
export function owed(
  debt: Debt,
  at: number,
): { principal: bigint; interest: bigint; total: bigint } {
  const principal = int(debt.principal_cents)
  const since = at > ms(debt.accrued_at) ? at - ms(debt.accrued_at) : 0
  const exact = int(debt.interest_numerator) + principal * int(debt.rate_ppm) * BigInt(since)
  const interest = max(0n, up(exact, PER_CENT) - int(debt.interest_paid_cents))
  return { principal, interest, total: principal + interest }
}

export type Valued = {
  asset: string
  units: bigint
  /** Undefined without a price, or where the terms do not name the asset. */
  price: bigint | undefined
  haircut: bigint | undefined
  at: number
  cents: bigint
}

export class Valuer {
  readonly #receipt: Receipt

  constructor(receipt: Receipt) {
    this.#receipt = receipt
  }

  round(place: number | undefined): Price[] {
    const round = this.#receipt.rounds[place ?? -1]
    if (!round) throw new Error('a round is missing')
    return round
  }

  asset(name: string) {
    const facts = this.#receipt.assets[name]
    if (!facts) throw new Error(`the asset ${name} is not described`)
    return { ...facts, one: 10n ** BigInt(facts.digits) }
  }

  /** Returns what the units of an asset are worth in cents, rounded down. `price` is in 10^-8 USD. */
  market(asset: string, units: bigint, price: bigint): bigint {
    return (units * price * CENTS) / (this.asset(asset).one * USD)
  }

  values(
    positions: readonly Position[],
    place: number | undefined,
    { haircuts_ppm: haircuts }: Pick<Terms, 'haircuts_ppm'>,
  ): Valued[] {
    const prices = new Map(this.round(place).map((one) => [one.asset, one]))
    return positions.map(({ asset, units: text }) => {
      const { one, is_dollar_claim: isClaim } = this.asset(asset)
      const [given, units] = [prices.get(asset), int(text)]
      const full = given && int(given.price)
      const price = full !== undefined && isClaim ? min(full, USD) : full
      const haircut = haircuts[asset] === undefined ? undefined : int(haircuts[asset])
      const cents =
        price === undefined || haircut === undefined
          ? 0n
          : (units * price * (ONE - haircut) * CENTS) / (one * USD * ONE)
      return { asset, units, price, haircut, at: ms(given?.at), cents }
    })
  }

  total(
    positions: readonly Position[],
    place: number | undefined,
    terms: Pick<Terms, 'haircuts_ppm'>,
  ) {
    return this.values(positions, place, terms).reduce((sum, { cents }) => sum + cents, 0n)
  }

  /** The lowest, the highest and the latest value of a window. */
  window(
    positions: readonly Position[],
    rounds: readonly number[],
    terms: Pick<Terms, 'haircuts_ppm'>,
  ): { low: bigint; high: bigint; latest: bigint } {
    const all = rounds.map((place) => this.total(positions, place, terms))
    const latest = all.at(-1) ?? 0n
    return { low: all.reduce(min, latest), high: all.reduce(max, latest), latest }
  }

  /** In the order of the sale, those that bring more than their costs. */
  sellable(
    valued: readonly Valued[],
    terms: Terms,
  ): Required<Valued & { price: bigint; haircut: bigint }>[] {
    const lots = valued.flatMap((lot) => {
      const { price, haircut } = lot
      if (price === undefined || haircut === undefined) return []
      const proceeds = this.market(lot.asset, lot.units, price)
      const fee = this.asset(lot.asset).in_kind ? 0n : int(terms.sale_fee_ppm)
      return proceeds > up(proceeds * fee, ONE) ? [{ ...lot, price, haircut }] : []
    })
    return lots.sort((a, b) => {
      const rank = this.asset(a.asset).sale_rank - this.asset(b.asset).sale_rank
      if (rank !== 0) return rank
      if (a.haircut !== b.haircut) return a.haircut > b.haircut ? -1 : 1
      return a.asset < b.asset ? -1 : 1
    })
  }
}
