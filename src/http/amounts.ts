import { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import { type Amount, fractionDigits, parseDecimal, tellDecimalFault } from '../core/money.ts'
import { isMoneyAsset } from '../domain/facilities/dollar-value.ts'

/** The amount object of the interface. */
export const amountSchema = z.strictObject({ amount: z.string(), asset: z.string() })

/** Told by the document alone: what is longer is refused as too large or too precise. */
const amountText = z.string().meta({ maxLength: 40 })

/** An amount object of a request, read into units: above 0, at most the asset's decimal places. */
export const amountInput = amountOf(() => undefined)

/** The same, in dollars. */
export const usdInput = amountOf((asset) => (asset === 'USD' ? undefined : 'Limits are in USD.'))

/** The asset is judged first: how many decimal places another has is of no use. */
function amountOf(findAssetFault: (asset: string) => string | undefined) {
  return z.codec(
    z.strictObject({
      amount: amountText.meta({ examples: ['1500.00'] }),
      asset: z.string().min(1).max(32),
    }),
    z.custom<Amount>(),
    {
      decode: ({ amount, asset }, context) => {
        const assetFault = findAssetFault(asset)
        const units = parseDecimal(amount, fractionDigits(asset))
        if (assetFault === undefined && units !== undefined && units > 0n) return { asset, units }
        const [message, name, input] = assetFault
          ? [assetFault, 'asset', asset]
          : [tellAmountFault(amount, asset), 'amount', amount]
        context.issues.push({ code: 'custom', message, path: [name], input })
        return z.NEVER
      },
      encode: () => {
        throw new Error('amounts of requests are only read')
      },
    },
  )
}

function tellAmountFault(amount: string, asset: string): string {
  return tellDecimalFault(amount, fractionDigits(asset), '1500.00')
}

/** The members `amount` and `asset` of a body that moves money. */
export const moneyMembers = {
  amount: amountText.describe('Plain decimal, above 0'),
  asset: z.string().min(1).max(32).describe('USD or USDC'),
}

/** Reads those members into units; refuses `unsupported_asset` and `validation_failed`. */
export function readMoney({ amount, asset }: { amount: string; asset: string }): Amount {
  if (!isMoneyAsset(asset)) {
    throw new Refusal('unsupported_asset', 'Money moves in USD or USDC.')
  }
  const units = parseDecimal(amount, fractionDigits(asset))
  if (units !== undefined && units > 0n) return { asset, units }
  throw new Refusal('validation_failed', 'The amount is not valid.', {
    errors: [{ pointer: '/amount', code: 'invalid', detail: tellAmountFault(amount, asset) }],
  })
}
