/** The gauge gives most of its width to where the lines are. */
const STOPS = [
  [0, 0],
  [0.5, 0.22],
  [0.9, 0.92],
  [1.1, 1],
] as const

/** Share of the gauge's width, from 0 to 1. */
export function positionOf(ltv: number): number {
  for (const [at, [ltvTo, shareTo]] of STOPS.entries()) {
    const [ltvFrom, shareFrom] = STOPS[Math.max(0, at - 1)] ?? [0, 0]
    if (ltv > ltvTo) continue
    if (ltvTo === ltvFrom) return shareTo
    return shareFrom + ((ltv - ltvFrom) / (ltvTo - ltvFrom)) * (shareTo - shareFrom)
  }
  return 1
}
