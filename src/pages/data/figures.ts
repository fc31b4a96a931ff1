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

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Two days are still counted in hours, as deadlines are. */
const DAYS_FROM_SECONDS = 3 * 86_400

/** The two largest units: "3 d 23 h", "47 h 59 min", "4 min 3 s". Nothing below zero. */
export function formatSeconds(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const first = UNITS.findIndex(([, size], at) =>
    at === 0 ? rest >= DAYS_FROM_SECONDS : rest >= size,
  )
  if (first < 0) return '0 s'
  const parts = UNITS.slice(first, first + 2).flatMap(([name, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return parts.join(' ')
}

export function secondsBetween(from: string | number | Date, to: string | number | Date): number {
  return (new Date(to).getTime() - new Date(from).getTime()) / 1_000
}

/** 0.727714 as "72.77 %". Without value a ratio has no meaning, and the API shows 999999. */
export function formatRatio(ltv: string, digits = 2): string {
  const ratio = Number(ltv)
  return ratio >= 1_000 ? 'no value' : `${(ratio * 100).toFixed(digits)} %`
}

/** "0.7" as "70 %", "0.625" as "62.5 %". */
export function formatLine(ltv: string): string {
  return `${Number((Number(ltv) * 100).toFixed(4))} %`
}

export function formatPpm(ppm: bigint | undefined): string {
  return ppm === undefined ? 'no value' : `${(Number(ppm) / 10_000).toFixed(2)} %`
}

/** "0.7" as "70"; what is not a ratio stays as it is. */
export const toPercent = (ratio: string) => shift(ratio, 20, 18)

/** "62.5" as "0.625", every digit kept; what is not a number stays as it is, for the service to refuse. */
export const fromPercent = (percent: string) => shift(percent, 18, 20)

function shift(text: string, from: number, to: number): string {
  return isDecimal(text) ? formatUnits(toUnits(text, from), to).replace(/\.?0+$/, '') : text
}
