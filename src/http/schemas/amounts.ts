import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { issueOf, withExample } from '../../core/field-errors.ts'
import {
  type Amount,
  decimalPattern,
  findDecimalFault,
  fractionDigits,
  isMoneyAsset,
  MONEY_ASSETS,
  parseDecimal,
  positivePattern,
} from '../../core/money.ts'
import { PRICE_DIGITS, parsePrice } from '../../domain/collateral/prices.ts'
import { textReadBy } from './fields.ts'

const MONEY_DIGITS = MONEY_ASSETS.map((asset) => `${fractionDigits(asset)} in ${asset}`).join(', ')
const MOST_MONEY_DIGITS = Math.max(...MONEY_ASSETS.map(fractionDigits))

/** 0 or more, in responses. */
export const decimalText = z.string().meta({ pattern: decimalPattern(18) })

export const usdText = z.string().meta({ pattern: '^(0|[1-9]\\d*)\\.\\d{2}$' })

export const priceText = z.string().meta({ pattern: positivePattern(PRICE_DIGITS) })

/** 0 or more, read in units of so many digits after the point. The example is for a member that the example
 * of the whole leaves out. */
export function decimalInput(digits: number, example?: string) {
  return textReadBy(
    (text) => parseDecimal(text, digits),
    (text) => findDecimalFault(text, digits),
    z.string().meta({
      pattern: decimalPattern(digits),
      ...(example !== undefined && { examples: [example] }),
    }),
  )
}

/** In USD, read in 10^-8 USD. */
export const priceInput = textReadBy(
  parsePrice,
  (text) => findDecimalFault(text, PRICE_DIGITS),
  priceText.meta({ examples: ['70000.00'] }),
)

export const signedUsdText = z.string().meta({ pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$' })

export const assetText = z.string().meta({ pattern: '^[A-Z0-9]{1,16}$' })

export const amountSchema = z.strictObject({ amount: decimalText, asset: assetText })

/** In requests, above 0. For the document; `parseDecimal` reads it. */
function positiveText(digits: number) {
  return z.string().meta({ pattern: positivePattern(digits), examples: ['1500.00'] })
}

/**
 * For the document: other codes have their own refusal. A pattern, not an enum, so that client code
 * compiles when assets are added.
 */
function codeText(codes: readonly string[]) {
  return z
    .string()
    .min(1)
    .max(32)
    .meta({ pattern: `^(${codes.join('|')})$`, examples: [codes[0]] })
}

/** In requests: above 0, at most the asset's decimal places. */
export const amountInput = amountOf(MONEY_ASSETS, MOST_MONEY_DIGITS, () => false)

/** Of an asset in which money moves; other codes are not valid. */
export const moneyInput = amountOf(MONEY_ASSETS, MOST_MONEY_DIGITS, (asset) => !isMoneyAsset(asset))

export const usdInput = amountOf(['USD'], fractionDigits('USD'), (asset) => asset !== 'USD')

/** The asset first: its decimal places decide how to read the amount. */
function amountOf(
  assets: readonly string[],
  digits: number,
  isRefused: (asset: string) => boolean,
) {
  return z.codec(
    z.strictObject({ amount: positiveText(digits), asset: codeText(assets) }),
    z.custom<Amount>(),
    {
      decode: ({ amount, asset }, context) => {
        const places = fractionDigits(asset)
        const units = parseDecimal(amount, places)
        if (isRefused(asset)) {
          const expected = `Expected ${assets.map((code) => `\`${code}\``).join(' or ')}.`
          context.issues.push(issueOf({ code: 'unknown_value', expected }, asset, ['asset']))
          return z.NEVER
        }
        if (units !== undefined && units > 0n) return { asset, units }
        context.issues.push(issueOf(findDecimalFault(amount, places), amount, ['amount']))
        return z.NEVER
      },
      encode: () => {
        throw new Error('request amounts are never serialised')
      },
    },
  )
}

/** Members of a body that moves money. */
export const moneyMembers = {
  amount: positiveText(MOST_MONEY_DIGITS).describe(
    `Plain decimal, above 0; digits after the point at most: ${MONEY_DIGITS}`,
  ),
  asset: codeText(MONEY_ASSETS),
}

/** Refuses `unsupported_asset` and `validation_failed`. */
export function readMoney({ amount, asset }: { amount: string; asset: string }): Amount {
  if (!isMoneyAsset(asset)) {
    throw new Refusal(
      'unsupported_asset',
      `Unsupported asset. Allowed: ${MONEY_ASSETS.join(', ')}.`,
    )
  }
  const digits = fractionDigits(asset)
  const units = parseDecimal(amount, digits)
  if (units !== undefined && units > 0n) return { asset, units }
  const { code, expected } = findDecimalFault(amount, digits)
  throw new Refusal('validation_failed', 'The amount is not valid.', {
    errors: [{ pointer: '/amount', code, detail: withExample(expected, '1500.00') }],
  })
}
