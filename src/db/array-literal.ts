const PLAIN = /^[\w:./+-]+$/

/** A list as PostgreSQL reads it; several times faster than the driver's for plain values. */
export function arrayLiteral(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map(elementOf).join(',')}}`
}

function elementOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  // Unquoted, null in any case is no text.
  if (PLAIN.test(value) && value.length !== 4) return value
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
