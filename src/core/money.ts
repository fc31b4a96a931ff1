import { listFacts, listMarketFacts } from './assets.ts'
import type { FieldFault } from './field-errors.ts'

/** In the smallest unit: cents, satoshi, wei. Never negative. */
export type Amount = { asset: string; units: bigint }

const DIGITS = new Map(listFacts(({ digits }) => digits))

/** The first is the unit of every debt. */
export const MONEY_ASSETS = listFacts(({ money }) => money).map(([asset]) => asset)

/** Each has a price, is watched, and may be named by a version of the margin policy, whether the service's
 * own terms name it or not: loans may be bound to a version that does. */
export const QUOTED_ASSETS = listMarketFacts((market) => market).map(([asset]) => asset)

export const PRICED_ASSETS: readonly string[] = ['USD', ...QUOTED_ASSETS]

export function isMoneyAsset(asset: string): boolean {
  return MONEY_ASSETS.includes(asset)
}

const MOST_WHOLE = new Map(listFacts(({ most }) => most))

/** An amount that no provider can mean. Other assets are bounded by their digits alone. */
export function isBeyondBounds({ asset, units }: Amount): boolean {
  const most = MOST_WHOLE.get(asset)
  return most !== undefined && units > most * unitsPerWhole(asset)
}

const MOST_FRACTION_DIGITS = 18
export const MOST_WHOLE_DIGITS = 18

export function fractionDigits(asset: string): number {
  return DIGITS.get(asset) ?? MOST_FRACTION_DIGITS
}

export function unitsPerWhole(asset: string): bigint {
  return 10n ** BigInt(fractionDigits(asset))
}

const DECIMAL = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/

export function decimalPattern(digits: number): string {
  return `^(0|[1-9]\\d{0,17})(\\.\\d{1,${digits}})?$`
}

/** Excludes 0 without lookahead, which not every OpenAPI tool knows. */
export function positivePattern(digits: number): string {
  const fractions = Array.from({ length: digits }, (_, zeros) => {
    const rest = digits - zeros - 1
    return `${'0'.repeat(zeros)}[1-9]${rest === 0 ? '' : `\\d{0,${rest}}`}`
  })
  return `^([1-9]\\d{0,17}(\\.\\d{1,${digits}})?|0\\.(${fractions.join('|')}))$`
}

/** Units of 10^-`digits`. Undefined for a sign, exponent, leading zero or too many digits. */
export function parseDecimal(text: string, digits: number): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  if (fraction.length > digits) return undefined
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

export function findDecimalFault(text: string, digits: number): FieldFault {
  const [, whole = '', fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') return NO_DECIMAL
  if (whole.length > MOST_WHOLE_DIGITS) {
    const expected = `Too large. Expected at most ${MOST_WHOLE_DIGITS} digits before the point.`
    return { code: 'out_of_range', expected }
  }
  if (fraction.length > digits) {
    const expected = `Too precise. Expected at most ${digits} digits after the point.`
    return { code: 'too_precise', expected }
  }
  return { code: 'out_of_range', expected: 'Expected a decimal above 0.' }
}

const NO_DECIMAL: FieldFault = {
  code: 'wrong_format',
  expected: 'Invalid format. Expected a decimal string without sign, exponent or leading zeros.',
}

export function formatDecimal(units: bigint, digits: number): string {
  return formatFixed(units, digits).replace(/\.?0+$/, (zeros) => (digits === 0 ? zeros : ''))
}

export function formatFixed(units: bigint, digits: number): string {
  if (units < 0n) return `-${formatFixed(-units, digits)}`
  if (digits === 0) return String(units)
  const text = String(units).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export function formatUsd(cents: bigint): string {
  return formatFixed(cents, 2)
}

export function formatQuantity({ asset, units }: Amount): string {
  return asset === 'USD' ? formatUsd(units) : formatDecimal(units, fractionDigits(asset))
}

export function formatAmount(amount: Amount): { amount: string; asset: string } {
  return { amount: formatQuantity(amount), asset: amount.asset }
}

export function usd(cents: bigint): { amount: string; asset: string } {
  return formatAmount({ asset: 'USD', units: cents })
}

export function divideUp(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator > quotient * denominator ? quotient + 1n : quotient
}

export function divideDown(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator < quotient * denominator ? quotient - 1n : quotient
}

export function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
