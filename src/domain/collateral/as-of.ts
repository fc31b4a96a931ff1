import { divideDown } from '../../core/money.ts'
import { parseTimestamp } from '../../core/time.ts'

/** Microseconds since 1970: snapshots of one millisecond keep their order. Undefined if invalid. */
export function parseAsOf(text: string): bigint | undefined {
  const date = parseTimestamp(text)
  if (!date) return undefined
  const beyondMillis = text.slice(19, -1).padEnd(7, '0').slice(4)
  return BigInt(date.getTime()) * 1_000n + BigInt(beyondMillis)
}

export function formatAsOf(asOfMicros: bigint): string {
  return new Date(Number(divideDown(asOfMicros, 1_000n))).toISOString()
}
