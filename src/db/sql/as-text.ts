import { type RawBuilder, sql } from 'kysely'

const PLAIN = /^[\w:./+-]+$/

/** A list as PostgreSQL reads it; several times faster than the driver's for plain values. */
export function arrayLiteral(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map(elementOf).join(',')}}`
}

/** A column's instant to the microsecond, for cursors: a Date has milliseconds. */
export function exactTime(column: string | RawBuilder<unknown>): RawBuilder<string> {
  const instant = typeof column === 'string' ? sql.ref(column) : column
  return sql<string>`to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

function elementOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  // Unquoted, null in any case is no text.
  if (PLAIN.test(value) && value.length !== 4) return value
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
