import { addMs } from '../../../core/time.ts'
import type { MarginPolicy, Tier } from '../policy.ts'
import type { LadderFacts } from './facts.ts'

/** Being critical does not shorten this deadline; the custodian's positions are measured by it. */
export function windowDeadline(
  facts: Pick<LadderFacts, 'now' | 'warning' | 'lastCure'>,
  tier: Tier,
  policy: MarginPolicy,
): Date {
  const windowMs = windowOf(tier, policy)
  const { warning, now } = facts
  return warning
    ? earlier(warning.windowDeadline, addMs(now, windowMs))
    : firstDeadline(facts, windowMs, policy)
}

function firstDeadline(
  { now, lastCure }: Pick<LadderFacts, 'now' | 'lastCure'>,
  windowMs: number,
  policy: MarginPolicy,
): Date {
  if (!lastCure || addMs(lastCure.curedAt, policy.relapseMs) < now) return addMs(now, windowMs)
  const leftMs = Math.max(lastCure.leftMs, policy.relapseLeastMs)
  return addMs(now, Math.min(windowMs, leftMs))
}

export function windowOf(tier: Tier, policy: MarginPolicy): number {
  const step = policy.tiers.find((candidate) => candidate.tier === tier)
  if (!step) throw new Error(`the policy has no tier ${tier}`)
  return step.windowMs
}

export function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

export function later(a: Date, b: Date): Date {
  return a > b ? a : b
}
