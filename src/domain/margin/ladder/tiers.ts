import { exceedsLtv, floorCents } from '../../../core/ratio.ts'
import type { MarginPolicy, Tier } from '../policy.ts'

/** Undefined at or above the floor; the lowest tier is the breach itself. */
export function tierAt(
  debtCents: bigint,
  valueCents: bigint,
  policy: MarginPolicy,
): Tier | undefined {
  if (valueCents >= floorCents(debtCents, policy.floorLtvPpm)) return undefined
  const exceeded = policy.tiers.filter(({ aboveLtvPpm }) =>
    exceedsLtv(debtCents, valueCents, aboveLtvPpm),
  )
  return exceeded.at(-1)?.tier ?? 1
}

export function isCritical(debtCents: bigint, valueCents: bigint, policy: MarginPolicy): boolean {
  return exceedsLtv(debtCents, valueCents, policy.criticalLtvPpm)
}
