/** Decimal text as whole units of 10^-`digits`, exact. Digits beyond are dropped. */
export function toUnits(text: string, digits: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const units = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return sign === '-' ? -units : units
}

export function formatUnits(units: bigint, digits: number): string {
  if (units < 0n) return `-${formatUnits(-units, digits)}`
  const text = String(units).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

export const toCents = (usd: string) => toUnits(usd, 2)

export const formatCents = (cents: bigint) => formatUnits(cents, 2)

export function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/.test(text)
}
