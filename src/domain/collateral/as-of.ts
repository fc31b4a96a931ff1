import { divideDown } from '../../core/money.ts'
import { parseTimestamp } from '../../core/time.ts'

/**
 * Reads an `as_of` as microseconds since 1970, all six fraction digits kept: snapshots taken within
 * one millisecond still have an order. Undefined for what is no timestamp of ours.
 */
export function parseAsOf(text: string): bigint | undefined {
  const date = parseTimestamp(text)
  if (!date) return undefined
  const beyondMillis = text.slice(19, -1).padEnd(7, '0').slice(4)
  return BigInt(date.getTime()) * 1_000n + BigInt(beyondMillis)
}

/** Prints an `as_of` as every timestamp is printed: to the millisecond, rounded down. */
export function formatAsOf(asOfMicros: bigint): string {
  return new Date(Number(divideDown(asOfMicros, 1_000n))).toISOString()
}
