import { formatUnits, isDecimal, toUnits } from './decimal.ts'

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
