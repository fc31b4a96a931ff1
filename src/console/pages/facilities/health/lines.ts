import type { Facility } from '../../../../client/index.ts'
import type { Levels } from '../../../data/lending-types.ts'

export type LineName = Levels['levels'][number]['line']

type Terms = Facility['terms']

/** What each line of the ladder is called. */
export const LINES: Record<LineName, string> = {
  tier_1: 'Tier 1',
  tier_2: 'Tier 2',
  tier_3: 'Tier 3',
  critical: 'Critical',
  sale: 'Sale',
}

const HOUR_SECONDS = 3_600

/** What happens above a line, by the terms of the loan. */
export function meaningOf(line: LineName, terms: Terms): string {
  if (line === 'critical') return 'No time to cure'
  if (line === 'sale') return 'Collateral is sold'
  const tier = terms?.tiers.find((one) => `tier_${one.tier}` === line)
  if (!tier) return 'Warning'
  const hours = Number((tier.cure_seconds / HOUR_SECONDS).toFixed(2))
  return `Warning, ${hours} h to cure`
}

export type GaugeLine = { ltv: number; name: string }

/** The same for every loan. */
const NOTICE_LTV = 0.6
const SECOND_NOTICE = { ltv: 0.65, name: 'Second early notice' }

function cureLines(ltv: number): GaugeLine[] {
  if (ltv === NOTICE_LTV) return [{ ltv, name: 'Cured below, early notice above' }]
  return [
    { ltv, name: 'Cured below' },
    { ltv: NOTICE_LTV, name: 'Early notice' },
  ]
}

/** Of the loan's own terms; none before it is approved. */
export function gaugeLines(terms: Terms): readonly GaugeLine[] {
  if (!terms) return []
  return [...cureLines(Number(terms.cure_ltv)), SECOND_NOTICE, ...ladderLines(terms)].sort(
    (a, b) => a.ltv - b.ltv,
  )
}

/** The lines at which something happens. */
export function ladderLines(terms: Terms): readonly GaugeLine[] {
  if (!terms) return []
  return [
    ...terms.tiers.map(({ tier, above_ltv: ltv }) => ({ ltv: Number(ltv), name: `Tier ${tier}` })),
    { ltv: Number(terms.critical_ltv), name: 'Critical' },
  ]
}
