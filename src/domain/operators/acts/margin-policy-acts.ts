import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { applyWholeTerms, changedTerms, showTerms } from '../../margin/margin-terms.ts'
import { storeVersion, withdrawVersion } from '../../margin/versions/change-versions.ts'
import type { ActContext, GuardedAct } from './guarded-act.ts'

export type NewPolicyVersion = {
  /** Whole, in the form of a policy file. */
  terms: z.input<typeof changedTerms>
  effectiveFrom: string
  /** What it would change in the book, as of the proposal. */
  preview?: Record<string, unknown> | undefined
}

const newPolicyVersion: z.ZodType<NewPolicyVersion> = z.strictObject({
  terms: z.custom<NewPolicyVersion['terms']>((terms) => changedTerms.safeParse(terms).success),
  effectiveFrom: z.iso.datetime(),
  preview: z.record(z.string(), z.unknown()).optional(),
})

export const SET_MARGIN_POLICY: GuardedAct<NewPolicyVersion, { number: number }> = {
  action: 'margin_policy.set',
  schema: newPolicyVersion,
  needsSecond: async () => true,
  async run(context, { terms, effectiveFrom, preview }, reason) {
    const { policy } = applyWholeTerms(changedTerms.parse(terms))
    const from = new Date(effectiveFrom)
    const change = changeBy(context, reason)
    const { number, before } = await storeVersion(
      context.tx,
      { policy, effectiveFrom: from },
      change,
    )
    const act = {
      action: 'margin_policy.set' as const,
      ...{ subject: { kind: 'margin_policy_version', id: String(number) }, reason },
      before: { version: before.version, ...showTerms(before) },
      after: {
        ...{ version: String(number), effective_from: from.toISOString() },
        ...showTerms(policy),
        ...(preview && { preview }),
      },
    }
    return { result: { number }, act }
  },
}

export const WITHDRAW_MARGIN_POLICY: GuardedAct<{ number: number }, void> = {
  action: 'margin_policy.withdraw',
  schema: z.strictObject({ number: z.int() }),
  needsSecond: async () => true,
  async run(context, { number }, reason) {
    const { effectiveFrom } = await withdrawVersion(context.tx, number, changeBy(context, reason))
    const act = {
      action: 'margin_policy.withdraw' as const,
      ...{ subject: { kind: 'margin_policy_version', id: String(number) }, reason },
      before: { withdrawn: false, effective_from: effectiveFrom.toISOString() },
      after: { withdrawn: true },
    }
    return { result: undefined, act }
  },
}

/** The versions show why, also where one operator is enough. */
function changeBy({ now, signatures }: ActContext, reason: string | undefined) {
  if (reason === undefined || reason.trim() === '') {
    throw new Refusal('validation_failed', 'The margin policy is changed for a reason: add it.')
  }
  return { note: reason, ...signatures, now }
}
