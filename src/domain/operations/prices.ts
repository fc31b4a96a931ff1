import type { Db } from '../../db/database.ts'
import { readLatestPrices, readQuotesAt } from '../collateral/price-rounds.ts'

export type AssetPrice = {
  asset: string
  /** In 10^-8 USD. */
  price: bigint
  acceptedAt: Date
  quotes: { source: string; price: bigint; at: Date }[]
  /** From the lowest to the highest quote, in parts per million of the price. */
  spreadPpm: bigint
}

const PPM = 1_000_000n

/** The last accepted price of each asset with the quotes that it was made of; none on a stack
 * without rounds of prices. */
export async function readPriceSources(db: Db, realNow: Date): Promise<AssetPrice[]> {
  const latest = [...(await readLatestPrices(db, realNow))].filter(([asset]) => asset !== 'USD')
  const instants = [...new Set(latest.map(([, { at }]) => at.getTime()))]
  const quotes = await readQuotesAt(
    db,
    instants.map((ms) => new Date(ms)),
  )
  return latest
    .map(([asset, { price, at }]) => {
      const own = quotes.filter(
        (quote) => quote.asset === asset && quote.acceptedAt.getTime() === at.getTime(),
      )
      return {
        ...{ asset, price, acceptedAt: at, spreadPpm: spreadOf(own, price) },
        quotes: own.map(({ source, price: quoted, at: quotedAt }) => ({
          ...{ source, price: quoted, at: quotedAt },
        })),
      }
    })
    .sort((one, other) => one.asset.localeCompare(other.asset))
}

function spreadOf(quotes: readonly { price: bigint }[], price: bigint): bigint {
  const sorted = quotes.map((quote) => quote.price).sort((a, b) => (a < b ? -1 : 1))
  const [lowest] = sorted
  const highest = sorted.at(-1)
  if (lowest === undefined || highest === undefined || price === 0n) return 0n
  return ((highest - lowest) * PPM) / price
}
