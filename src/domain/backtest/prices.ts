import { divideDown, maxOf, minOf } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { HOUR_MS } from '../../core/time.ts'

/** A price (10^-8 USD) that holds from `atMs` until the next one. */
export type PricePoint = { atMs: number; price: bigint }

/** The highest and lowest price of the window that ends at `atMs`. */
export type PriceWindow = { atMs: number; latest: bigint; high: bigint; low: bigint }

/** At which price, when and at which costs sales fill. */
export type FillTerms = {
  price: 'close' | 'next-hour-low'
  /** From the escalation to the sale. */
  delayMs: number
  /** Off the price of the fill. */
  slippagePpm: bigint
  /** Undefined: the planned fee. */
  feePpm: bigint | undefined
}

export const FILLS_AT_CLOSE: FillTerms = {
  price: 'close',
  delayMs: 0,
  slippagePpm: 0n,
  feePpm: undefined,
}

export class PriceHistory {
  readonly points: readonly PricePoint[]

  /** In order of time. */
  constructor(points: readonly PricePoint[]) {
    this.points = points
  }

  get endMs(): number {
    return this.points.at(-1)?.atMs ?? 0
  }

  /** Of all prices in force from `confirmMs` before `atMs` until then. */
  windowAt(atMs: number, confirmMs: number): PriceWindow {
    const last = this.#indexAt(atMs)
    const latest = this.#priceOf(last)
    let [high, low] = [latest, latest]
    for (let index = this.#indexAt(atMs - confirmMs); index < last; index += 1) {
      const price = this.#priceOf(index)
      high = maxOf(high, price)
      low = minOf(low, price)
    }
    return { atMs, latest, high, low }
  }

  fillPriceAt(atMs: number, { price, slippagePpm }: FillTerms): bigint {
    const first = this.#indexAt(atMs)
    let quoted = this.#priceOf(first)
    if (price === 'next-hour-low') {
      const untilMs = atMs + HOUR_MS
      for (let index = first + 1; this.#startOf(index) <= untilMs; index += 1) {
        quoted = minOf(quoted, this.#priceOf(index))
      }
    }
    return maxOf(1n, divideDown(quoted * (ONE_PPM - slippagePpm), ONE_PPM))
  }

  #priceOf(index: number): bigint {
    return this.points[index]?.price ?? 0n
  }

  #startOf(index: number): number {
    return this.points[index]?.atMs ?? Number.POSITIVE_INFINITY
  }

  /** The last price set by `atMs`, or the first of all. */
  #indexAt(atMs: number): number {
    let [low, high] = [0, this.points.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#startOf(middle) <= atMs) low = middle
      else high = middle - 1
    }
    return low
  }
}
