import { listFacts } from './assets.ts'
import type { FieldFault } from './field-errors.ts'

/** An amount of an asset in its smallest unit: cents, satoshi, wei. Never negative. */
export type Amount = { asset: string; units: bigint }

const DIGITS = new Map(listFacts(({ digits }) => digits))

/** The assets in which money moves; the first is the unit of every debt. */
export const MONEY_ASSETS = listFacts(({ money }) => money).map(([asset]) => asset)

/** Whether draws and repayments may be in the asset. */
export function isMoneyAsset(asset: string): boolean {
  return MONEY_ASSETS.includes(asset)
}

const MOST_FRACTION_DIGITS = 18
/** Digits that a decimal has before its point at most. */
export const MOST_WHOLE_DIGITS = 18

/** How many decimal places one unit of the asset has; 18 for assets not known here. */
export function fractionDigits(asset: string): number {
  return DIGITS.get(asset) ?? MOST_FRACTION_DIGITS
}

/** How many of the smallest unit make one whole. */
export function unitsPerWhole(asset: string): bigint {
  return 10n ** BigInt(fractionDigits(asset))
}

const DECIMAL = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/

/** What `parseDecimal` reads with this many fraction digits, 0 included, as the document shows it. */
export function decimalPattern(digits: number): string {
  return `^(0|[1-9]\\d{0,17})(\\.\\d{1,${digits}})?$`
}

/**
 * The same without 0. Spelled out by the zeros after the point, because not every tool that reads the
 * document knows lookahead.
 */
export function positivePattern(digits: number): string {
  const fractions = Array.from({ length: digits }, (_, zeros) => {
    const rest = digits - zeros - 1
    return `${'0'.repeat(zeros)}[1-9]${rest === 0 ? '' : `\\d{0,${rest}}`}`
  })
  return `^([1-9]\\d{0,17}(\\.\\d{1,${digits}})?|0\\.(${fractions.join('|')}))$`
}

/**
 * Reads a plain decimal string into units of 10^-`digits`: at most 18 digits before the point, no
 * sign, no exponent, no superfluous zero in front. Undefined for anything else, and for more
 * fraction digits than there are units.
 */
export function parseDecimal(text: string, digits: number): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  if (fraction.length > digits) return undefined
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

/** Why `parseDecimal` does not read a text, or why 0 is refused where it does. */
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

/** Prints units of 10^-`digits` as a decimal string without trailing zeros. */
export function formatDecimal(units: bigint, digits: number): string {
  return formatFixed(units, digits).replace(/\.?0+$/, (zeros) => (digits === 0 ? zeros : ''))
}

/** Prints units of 10^-`digits` as a decimal string with exactly `digits` decimal places. */
export function formatFixed(units: bigint, digits: number): string {
  if (units < 0n) return `-${formatFixed(-units, digits)}`
  if (digits === 0) return String(units)
  const text = String(units).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Cents as the interface prints US dollars: always two decimal places. */
export function formatUsd(cents: bigint): string {
  return formatFixed(cents, 2)
}

/** How much of an asset, as the interface prints it: dollars with two decimals, no other zeros. */
export function formatQuantity({ asset, units }: Amount): string {
  return asset === 'USD' ? formatUsd(units) : formatDecimal(units, fractionDigits(asset))
}

/** An amount object of the interface. */
export function formatAmount(amount: Amount): { amount: string; asset: string } {
  return { amount: formatQuantity(amount), asset: amount.asset }
}

/** US dollars as an amount object. */
export function usd(cents: bigint): { amount: string; asset: string } {
  return formatAmount({ asset: 'USD', units: cents })
}

/** `numerator / denominator` rounded up. Both exact; the denominator is positive. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator > quotient * denominator ? quotient + 1n : quotient
}

/** `numerator / denominator` rounded down, also below zero. */
export function divideDown(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator < quotient * denominator ? quotient - 1n : quotient
}

/** The smaller of two. */
export function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The larger of two. */
export function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
