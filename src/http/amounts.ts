import { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import { type Amount, fractionDigits, parseDecimal } from '../core/money.ts'
import { isMoneyAsset } from '../domain/facilities/dollar-value.ts'

/** The amount object of the interface. */
export const amountSchema = z.strictObject({ amount: z.string(), asset: z.string() })

const DECIMAL_FORM = 'Must be a plain decimal string above 0, such as "1500.00".'

/** An amount object of a request, read into units: above 0, at most the asset's decimal places. */
export const amountInput = z.codec(
  z.strictObject({
    amount: z
      .string()
      .max(40)
      .meta({ examples: ['1500.00'] }),
    asset: z.string().min(1).max(32),
  }),
  z.custom<Amount>(),
  {
    decode: ({ amount, asset }, context) => {
      const units = parseDecimal(amount, fractionDigits(asset))
      if (units !== undefined && units > 0n) return { asset, units }
      context.issues.push({
        code: 'custom',
        // The asset is not named: it may be any text.
        message: `${DECIMAL_FORM} This asset has ${fractionDigits(asset)} decimal places.`,
        path: ['amount'],
        input: amount,
      })
      return z.NEVER
    },
    encode: () => {
      throw new Error('amounts of requests are only read')
    },
  },
)

/** The members `amount` and `asset` of a body that moves money. */
export const moneyMembers = {
  amount: z.string().max(40).describe('Plain decimal, above 0'),
  asset: z.string().min(1).max(32).describe('USD or USDC'),
}

/** Reads those members into units; refuses `unsupported_asset` and `validation_failed`. */
export function readMoney({ amount, asset }: { amount: string; asset: string }): Amount {
  if (!isMoneyAsset(asset)) {
    throw new Refusal('unsupported_asset', 'Money moves in USD or USDC.')
  }
  const units = parseDecimal(amount, fractionDigits(asset))
  if (units !== undefined && units > 0n) return { asset, units }
  const detail = `${DECIMAL_FORM} ${asset} has ${fractionDigits(asset)} decimal places.`
  throw new Refusal('validation_failed', 'The amount is not valid.', {
    errors: [{ pointer: '/amount', code: 'invalid', detail }],
  })
}
