import { Refusal } from '../../core/errors.ts'
import { MOST_WHOLE_DIGITS } from '../../core/money.ts'
import type { PricePoint } from '../../domain/backtest/prices.ts'
import { PRICE_DIGITS, parsePrice } from '../../domain/collateral/prices.ts'

const TIME_AND_PRICE = /^"?([^",]*)"?,"?([^",]*)"?$/
const PRICE = /^0*(\d+)(?:\.(\d+))?$/
const UNIX_TIME = /^(\d{9,10})(\d{3})?(?:\.\d+)?$/
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))? ?(?:Z|UTC)?$/

/**
 * Lines of `time,price` in any order, with or without a heading. A time is ISO 8601 in UTC, unix
 * seconds or milliseconds; a price is in USD, cut to eight decimal places. Refuses
 * `validation_failed`, naming the line, for anything else and for two prices of one instant.
 */
export function parsePriceHistory(text: string): PricePoint[] {
  const points: PricePoint[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const row = line.trim()
    if (row === '' || (index === 0 && /^"?[a-z]/i.test(row))) continue
    points.push(parseRow(row, index + 1))
  }
  points.sort((a, b) => a.atMs - b.atMs)
  const twice = points.find((point, index) => point.atMs === points[index - 1]?.atMs)
  if (twice) throw refuse(`${new Date(twice.atMs).toISOString()} has two prices.`)
  if (points.length < 2) throw refuse('there are fewer than two prices.')
  return points
}

function parseRow(row: string, line: number): PricePoint {
  const [found, time = '', priceText = ''] = TIME_AND_PRICE.exec(row) ?? []
  if (found === undefined) throw refuse(`line ${line}: not a time, a comma and a price.`)
  const atMs = parseTime(time)
  if (atMs === undefined) {
    throw refuse(
      `line ${line}: not a valid time; write it as 2026-01-31T12:00:00Z or in unix seconds.`,
    )
  }
  return { atMs, price: readPrice(priceText, line) }
}

function readPrice(text: string, line: number): bigint {
  const [, whole = '', fraction = ''] = PRICE.exec(text) ?? []
  const price = parsePrice(`${whole}.${fraction.slice(0, PRICE_DIGITS) || '0'}`)
  if (price !== undefined) return price
  const fault =
    whole.length > MOST_WHOLE_DIGITS
      ? `is too large: at most ${MOST_WHOLE_DIGITS} digits before the point.`
      : 'is not a plain decimal above 0.'
  throw refuse(`line ${line}: the price ${fault}`)
}

function parseTime(text: string): number | undefined {
  const unix = UNIX_TIME.exec(text)
  if (unix) return Number(`${unix[1]}${unix[2] ?? '000'}`)
  const [, date, timeOfDay = '00:00'] = ISO_TIME.exec(text) ?? []
  if (date === undefined) return undefined
  const atMs = Date.parse(`${date}T${timeOfDay}Z`)
  // Date turns 30 February into March.
  const exists = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date)
  return exists ? atMs : undefined
}

function refuse(fault: string): Refusal {
  return new Refusal('validation_failed', `The price history cannot be used: ${fault}`)
}
