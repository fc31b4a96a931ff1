import { InvalidArgumentError } from 'commander'
import { type IdPrefix, isId } from '../../core/ids.ts'
import { parseDecimal } from '../../core/money.ts'
import { isScope, SCOPES, type Scope } from '../../core/scopes.ts'
import { parseTimestamp } from '../../core/time.ts'

export const MOST_LISTED = 1_000

export const NO_CURSORS = { encode: () => '', decode: () => undefined }

/** A command lists for people: a thousand, without cursors. */
export const FIRST_PAGE = { request: { limit: MOST_LISTED }, cursors: NO_CURSORS }

export function readId(prefix: IdPrefix): (text: string) => string {
  return (text) => {
    if (isId(prefix, text)) return text
    throw new InvalidArgumentError(`Expected an id of the form ${prefix}_….`)
  }
}

export function readIdOf(...prefixes: IdPrefix[]): (text: string) => string {
  return (text) => {
    if (prefixes.some((prefix) => isId(prefix, text))) return text
    const forms = prefixes.map((prefix) => `${prefix}_…`).join(', ')
    throw new InvalidArgumentError(`Expected an id of one of the forms ${forms}.`)
  }
}

export function readWholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

export function readOrdinal(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number from 1.')
}

export function readVersion(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected the number of a version.')
}

export function readEmail(text: string): string {
  if (/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(text)) return text
  throw new InvalidArgumentError('Expected an e-mail address.')
}

/** Separated by commas, or `all`. */
export function readScopes(text: string): readonly Scope[] {
  if (text === 'all') return SCOPES
  const names = new Set(text.split(',').map((name) => name.trim()))
  const unknown = [...names].filter((name) => !isScope(name))
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`The scopes are ${SCOPES.join(', ')}; or all.`)
  }
  return [...names].filter(isScope)
}

export function readTimestamp(text: string): Date {
  const time = parseTimestamp(text)
  if (time) return time
  throw new InvalidArgumentError('Expected a UTC time such as 2027-01-31T00:00:00Z.')
}

/** In units of so many digits after the point. */
export function readDecimal(fractionDigits: number, example: string): (text: string) => bigint {
  return (text) => {
    const units = parseDecimal(text, fractionDigits)
    if (units !== undefined) return units
    throw new InvalidArgumentError(
      `Expected a decimal such as ${example}, with at most ${fractionDigits} digits after the point.`,
    )
  }
}

export function readMonth(text: string): Date {
  const month = /^\d{4}-\d{2}$/.test(text) ? parseTimestamp(`${text}-01T00:00:00Z`) : undefined
  if (month) return month
  throw new InvalidArgumentError('Expected a month such as 2026-10.')
}
