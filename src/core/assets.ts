import { HOUR_MS, MINUTE_MS } from './time.ts'

/** All that the service knows of an asset. A new asset is one row here, and its documents. A row and its
 * market stay while a version that loans are bound to names the asset. */
export type AssetRow = {
  digits: number
  /** Whole units. No movement is as large: a provider that answers with more is mistaken. */
  most: bigint
  /** Taken off the market value of collateral by the service's own terms, in parts per million; undefined:
   * they do not name it. */
  haircutPpm: bigint | undefined
  /** A claim on a dollar: as collateral it counts at one dollar at most. */
  isDollarClaim: boolean
  /** Draws and repayments move in it, and a margin call takes it in kind; undefined: it is sold. */
  money: MoneyTerms | undefined
  market: AssetMarket | undefined
}

export type MoneyTerms = {
  /** An escalation waits this long for treasury to confirm a reported repayment. */
  holdMs: number
}

/** Names at each venue; undefined where the venue does not list it. */
export type AssetMarket = {
  coinbase: string | undefined
  kraken: { request: string; answer: string } | undefined
  bitstamp: string | undefined
  bitfinex: string | undefined
  sandboxUsd: string
}

/** Listed in this order. A margin call takes money assets in kind in this order. */
export const ASSETS = {
  USD: {
    digits: 2,
    most: 1_000_000_000_000n,
    haircutPpm: 0n,
    isDollarClaim: false,
    money: { holdMs: 24 * HOUR_MS },
    market: undefined,
  },
  BTC: {
    digits: 8,
    // There are never more.
    most: 21_000_000n,
    haircutPpm: 30_000n,
    isDollarClaim: false,
    money: undefined,
    market: {
      coinbase: 'BTC-USD',
      kraken: { request: 'XBTUSD', answer: 'XXBTZUSD' },
      bitstamp: 'btcusd',
      bitfinex: undefined,
      sandboxUsd: '100000',
    },
  },
  ETH: {
    digits: 18,
    most: 1_000_000_000n,
    haircutPpm: 50_000n,
    isDollarClaim: false,
    money: undefined,
    market: {
      coinbase: 'ETH-USD',
      kraken: { request: 'ETHUSD', answer: 'XETHZUSD' },
      bitstamp: 'ethusd',
      bitfinex: undefined,
      sandboxUsd: '4000',
    },
  },
  USDC: {
    digits: 6,
    most: 1_000_000_000_000n,
    haircutPpm: 10_000n,
    isDollarClaim: true,
    money: { holdMs: 60 * MINUTE_MS },
    market: {
      // Coinbase exchanges it for dollars one to one and lists no product.
      coinbase: undefined,
      kraken: { request: 'USDCUSD', answer: 'USDCUSD' },
      bitstamp: 'usdcusd',
      // In place of Coinbase, so that it has three sources too.
      bitfinex: 'tUDCUSD',
      sandboxUsd: '1',
    },
  },
} as const satisfies Record<string, AssetRow>

export type Asset = keyof typeof ASSETS

export type QuotedAsset = {
  [A in Asset]: (typeof ASSETS)[A]['market'] extends undefined ? never : A
}[Asset]

export const isKnownAsset = (asset: string): boolean => Object.hasOwn(ASSETS, asset)

export function listFacts<Fact>(read: (row: AssetRow) => Fact | undefined): [string, Fact][] {
  return Object.entries<AssetRow>(ASSETS).flatMap(([asset, row]): [string, Fact][] => {
    const fact = read(row)
    return fact === undefined ? [] : [[asset, fact]]
  })
}

export function listMarketFacts<Fact>(
  read: (market: AssetMarket) => Fact | undefined,
): [QuotedAsset, Fact][] {
  return listFacts(({ market }) => market && read(market)) as [QuotedAsset, Fact][]
}
