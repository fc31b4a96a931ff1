/** Quotes prices as the exchanges do, at `now`; undefined for what is no ticker. */
export function answerTicker(
  prices: ReadonlyMap<string, string>,
  exchange: string,
  target: string,
  now: Date,
): object | undefined {
  switch (exchange) {
    case 'coinbase': {
      const [, asset = ''] = /\/products\/(\w+)-USD\/ticker$/.exec(target) ?? []
      return { price: prices.get(asset) ?? '0', time: now.toISOString() }
    }
    case 'kraken': {
      const quote = (asset: string) => ({ c: [prices.get(asset) ?? '0', '1'] })
      const result = { XXBTZUSD: quote('BTC'), XETHZUSD: quote('ETH'), USDCUSD: quote('USDC') }
      return { error: [], result }
    }
    case 'bitstamp': {
      const [, asset = ''] = /\/ticker\/(\w+)usd\/$/.exec(target) ?? []
      const last = prices.get(asset.toUpperCase()) ?? '0'
      return { last, timestamp: String(Math.floor(now.getTime() / 1_000)) }
    }
    case 'bitfinex':
      return [[1, now.getTime(), 1, Number(prices.get('USDC') ?? '0')]]
    default:
      return undefined
  }
}
