import { type Clock, SECOND_MS } from '../../../core/time.ts'
import type { TermsAt, TermsInForce } from '../policy.ts'
import { effective, listPolicyVersions, type PolicyVersion } from './versions.ts'

/** A version takes effect much later than this after it is stored, so every process has read it. */
const CACHE_MS = 10 * SECOND_MS

/** `own`: before the first version, and where a version has no terms. */
export function createTermsAt(own: TermsInForce, clock: Clock): TermsAt {
  let cached: { steps: readonly Step[]; readAt: number } | undefined
  const isFresh = (readAt: number, now: number) => now >= readAt && now - readAt < CACHE_MS
  return async (db, now) => {
    const readAt = clock().getTime()
    let steps = cached && isFresh(cached.readAt, readAt) ? cached.steps : undefined
    if (!steps) {
      steps = toSteps(own, await listPolicyVersions(db))
      if (!cached || readAt >= cached.readAt) cached = { steps, readAt }
    }
    return steps.findLast(({ from }) => from === undefined || from <= now)?.terms ?? own
  }
}

type Step = { from: Date | undefined; terms: TermsInForce }

function toSteps(own: TermsInForce, versions: readonly PolicyVersion[]): Step[] {
  const after = effective(versions)
  const steps = [
    { from: undefined, terms: own },
    ...after.map(({ policy, effectiveFrom }) => ({
      from: effectiveFrom,
      terms: withPolicy(own, policy),
    })),
  ]
  return steps.map(({ from, terms }, at) => {
    const changesAt = after[at]?.effectiveFrom
    return { from, terms: { ...terms, marginPolicy: { ...terms.marginPolicy, changesAt } } }
  })
}

/** How old a price may be is of the process, not of the version. */
function withPolicy(
  { policy, marginPolicy: { staleMs } }: TermsInForce,
  version: PolicyVersion['policy'],
): TermsInForce {
  const { floorLtvPpm, cureLtvPpm, haircuts } = version
  return {
    policy: { ...policy, floorLtvPpm, cureLtvPpm, haircuts },
    marginPolicy: { ...version, staleMs },
  }
}
