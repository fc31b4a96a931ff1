import { z } from 'zod'
import { formatDecimal } from '../../../../core/money.ts'
import { formatPrice } from '../../../../domain/collateral/prices.ts'
import { readPriceSources } from '../../../../domain/operations/prices.ts'
import { assetText, decimalText, priceText } from '../../../schemas/amounts.ts'
import { timestamp } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const EXAMPLE = {
  items: [
    {
      asset: 'BTC',
      price: '70000.00',
      accepted_at: '2026-11-22T12:00:00.000Z',
      age_seconds: 4,
      spread: '0.000214',
      quotes: [
        { source: 'coinbase', price: '70000.00', at: '2026-11-22T11:59:58.000Z', age_seconds: 6 },
      ],
    },
  ],
}

const age = z.int().describe('Seconds')

const schema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        asset: assetText,
        price: priceText,
        accepted_at: timestamp,
        age_seconds: age,
        spread: decimalText.describe(
          'From the lowest to the highest quote, as a share of the price',
        ),
        quotes: z.array(
          z.strictObject({ source: z.string(), price: priceText, at: timestamp, age_seconds: age }),
        ),
      }),
    ),
  })
  .meta({ id: 'PriceSources', examples: [EXAMPLE] })

export function priceRoutes(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.get('/prices', {
    id: 'listPriceSources',
    summary:
      'List the last accepted price of each asset with its quotes; none where tests set prices',
    tag: 'Operations',
    response: { 200: schema },
    async handler() {
      const now = clock()
      const ageOf = (at: Date) => Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000))
      const prices = await readPriceSources(db, now)
      return {
        items: prices.map(({ asset, price, acceptedAt, spreadPpm, quotes }) => ({
          asset,
          price: formatPrice(price),
          accepted_at: acceptedAt.toISOString(),
          age_seconds: ageOf(acceptedAt),
          spread: formatDecimal(spreadPpm, 6),
          quotes: quotes.map(({ source, price: quoted, at }) => ({
            ...{ source, price: formatPrice(quoted), at: at.toISOString() },
            age_seconds: ageOf(at),
          })),
        })),
      }
    },
  })
}
