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
