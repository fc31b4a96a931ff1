import {
  distinctPrices,
  ONE_USD,
  type Prices,
  parsePrice,
} from '../../../src/domain/collateral/prices.ts'

/** Prices that stand from the instant at which they are set, as a round that repeats itself does. */
export class Market extends Map<string, string> {
  readonly #now: () => Date
  readonly #rounds: { at: Date; quoted: [string, string][] }[] = []

  constructor(now: () => Date) {
    super()
    this.#now = now
    for (const [asset, price] of OPENING_PRICES) super.set(asset, price)
    this.#rounds.push({ at: new Date(0), quoted: [...this] })
  }

  override set(asset: string, price: string): this {
    super.set(asset, price)
    this.#note()
    return this
  }

  override delete(asset: string): boolean {
    const wasThere = super.delete(asset)
    this.#note()
    return wasThere
  }

  #note(): void {
    this.#rounds.push({ at: this.#now(), quoted: [...this] })
  }

  /** The prices that stand at an instant, as if accepted at `acceptedAt`. */
  pricesAt(at: Date, acceptedAt: Date): Prices {
    const round = this.#rounds.findLast((candidate) => candidate.at <= at)
    return toPrices(round?.quoted ?? [], at, acceptedAt)
  }

  /** What has stood at any time from `from` to `at`, the latest last. */
  window(from: Date, at: Date): Prices[] {
    const first = this.#rounds.findLastIndex((candidate) => candidate.at <= from)
    const rounds = this.#rounds.slice(first).filter((round) => round.at <= at)
    return distinctPrices(rounds.map(({ quoted }) => toPrices(quoted, at, at)))
  }
}

const OPENING_PRICES = [
  ['BTC', '100000'],
  ['ETH', '4000'],
  ['USDC', '1'],
] as const

function toPrices(quoted: readonly [string, string][], at: Date, acceptedAt: Date): Prices {
  const prices = quoted.map(([asset, text]) => {
    return [asset, { price: parsePrice(text) ?? 0n, at: acceptedAt }] as const
  })
  return new Map([['USD', { price: ONE_USD, at }], ...prices])
}
