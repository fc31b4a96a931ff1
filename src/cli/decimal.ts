/**
 * Reads a plain decimal (no sign, no exponent, no superfluous zero in front) as a whole number of
 * its smallest unit, `fractionDigits` places down; undefined for anything else or finer.
 */
export function parseDecimal(text: string, fractionDigits: number): bigint | undefined {
  const match = /^(0|[1-9]\d{0,17})(?:\.(\d+))?$/.exec(text)
  const [, whole, fraction = ''] = match ?? []
  if (whole === undefined || fraction.length > fractionDigits) return undefined
  return BigInt(whole + fraction.padEnd(fractionDigits, '0'))
}

/** Prints what `parseDecimal` read, with at least `minDigits` places after the point. */
export function formatDecimal(units: bigint, fractionDigits: number, minDigits: number): string {
  const digits = units.toString().padStart(fractionDigits + 1, '0')
  const whole = digits.slice(0, -fractionDigits)
  const fraction = digits.slice(-fractionDigits).replace(/0+$/, '').padEnd(minDigits, '0')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
