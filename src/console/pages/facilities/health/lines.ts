import type { Levels } from '../../../data/lending/lending-types.ts'

export type LineName = Levels['levels'][number]['line']

/** What each line of the ladder is called, and what happens above it. */
export const LINES: Record<LineName, { name: string; meaning: string }> = {
  tier_1: { name: 'Tier 1', meaning: 'Warning, 48 h to cure' },
  tier_2: { name: 'Tier 2', meaning: 'Warning, 12 h to cure' },
  tier_3: { name: 'Tier 3', meaning: 'Warning, 2 h to cure' },
  critical: { name: 'Critical', meaning: 'No time to cure' },
  sale: { name: 'Sale', meaning: 'Collateral is sold' },
}

export type GaugeLine = { ltv: number; name: string }

/** Early notices and the floor of a cure are the same for every loan; the tiers come with its levels. */
const NOTICES: readonly GaugeLine[] = [
  { ltv: 0.6, name: 'Cured below, early notice above' },
  { ltv: 0.65, name: 'Second early notice' },
]

const TIERS: readonly GaugeLine[] = [
  { ltv: 0.7, name: 'Tier 1' },
  { ltv: 0.75, name: 'Tier 2' },
  { ltv: 0.8, name: 'Tier 3' },
  { ltv: 0.83, name: 'Critical' },
]

/** Without levels, as for a loan that owes nothing, the lines are those of the usual terms. */
export function gaugeLines(levels: Levels['levels']): readonly GaugeLine[] {
  const tiers = levels
    .filter(({ line }) => line !== 'sale')
    .map(({ line, ltv }) => ({ ltv: Number(ltv), name: LINES[line].name }))
  return [...NOTICES, ...(tiers.length > 0 ? tiers : TIERS)]
}
