import { formatDecimal } from '../../../core/money.ts'
import { SECOND_MS } from '../../../core/time.ts'
import type { MarginPolicy } from '../policy.ts'

/** By what a facility is decided. */
export type BoundTerms = { version: number; ratePpm: bigint; policy: MarginPolicy }

/** As facilities and events show them; ratios are decimals. */
export function showFacilityTerms({ version, ratePpm, policy }: BoundTerms) {
  const share = (ppm: bigint) => formatDecimal(ppm, 6)
  return {
    version,
    rate: share(ratePpm),
    floor_ltv: share(policy.floorLtvPpm),
    cure_ltv: share(policy.cureLtvPpm),
    tiers: policy.tiers.map(({ tier, aboveLtvPpm, windowMs }) => ({
      tier: tier as number,
      above_ltv: share(aboveLtvPpm),
      cure_seconds: Math.floor(windowMs / SECOND_MS),
    })),
    critical_ltv: share(policy.criticalLtvPpm),
    target_ltv: share(policy.targetLtvPpm),
    haircuts: Object.fromEntries([...policy.haircuts].map(([asset, ppm]) => [asset, share(ppm)])),
  }
}
