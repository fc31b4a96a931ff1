import { z } from 'zod'
import { formatDecimal, formatUsd } from '../../../core/money.ts'
import { nameRule, type ResidencyRule, replaceRule } from '../../onboarding/residency.ts'
import { seedSampleResidency } from '../../onboarding/samples.ts'
import type { GuardedAct } from './guarded-act.ts'

type StoredRule = {
  country: string
  state?: string | undefined
  borrowerType: ResidencyRule['borrowerType']
  allowed: boolean
  ratePpm?: number | undefined
  /** Digits, because JSON has no exact integers. */
  maxLimitCents?: string | undefined
}

const storedRule: z.ZodType<StoredRule> = z.strictObject({
  country: z.string(),
  state: z.string().optional(),
  borrowerType: z.enum(['individual', 'business']),
  allowed: z.boolean(),
  ratePpm: z.int().optional(),
  maxLimitCents: z.string().optional(),
})

export function toStoredRule({ maxLimitCents, ...rule }: ResidencyRule): StoredRule {
  return { ...rule, maxLimitCents: maxLimitCents?.toString() }
}

export const SET_RESIDENCY: GuardedAct<StoredRule, ResidencyRule> = {
  action: 'residency.set',
  schema: storedRule,
  needsSecond: async () => true,
  async run({ tx, now }, { maxLimitCents, state, ratePpm, ...stored }, reason) {
    const cents = maxLimitCents === undefined ? undefined : BigInt(maxLimitCents)
    const rule = { ...stored, state, ratePpm, maxLimitCents: cents }
    const before = await replaceRule(tx, rule, now)
    const states = { ...(before && { before: showRule(before) }), after: showRule(rule) }
    const subject = { kind: 'residency_rule', id: nameRule(rule) }
    return { result: rule, act: { action: 'residency.set', subject, reason, ...states } }
  },
}

export const SEED_RESIDENCY: GuardedAct<Record<string, never>, ResidencyRule[]> = {
  action: 'residency.seed_sample',
  schema: z.strictObject({}),
  needsSecond: async () => true,
  async run({ tx, now }, _request, reason) {
    const rules = await seedSampleResidency(tx, now)
    const subject = { kind: 'residency_policy', id: 'sample' }
    const after = { rules: rules.map(nameRule) }
    const act = { action: 'residency.seed_sample' as const, subject, reason, after }
    return { result: rules, act: rules.length === 0 ? undefined : act }
  },
}

function showRule({ allowed, ratePpm, maxLimitCents }: ResidencyRule) {
  return {
    allowed,
    rate: ratePpm === undefined ? null : formatDecimal(BigInt(ratePpm), 6),
    max_limit_usd: maxLimitCents === undefined ? null : formatUsd(maxLimitCents),
  }
}
