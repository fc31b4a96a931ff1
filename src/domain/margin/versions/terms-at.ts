import { Refusal } from '../../../core/errors.ts'
import { type Clock, SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { showTerms } from '../margin-terms.ts'
import type { Terms, TermsAt, TermsInForce } from '../policy.ts'
import { assertPriced } from './kept-versions.ts'
import { bindApproved, insertOwnTerms, selectTenantsUnbound } from './version-queries.ts'
import { effective, type Policies, readPolicies } from './versions.ts'

/** A version takes effect much later than this after it is stored, so every process has read it. */
const CACHE_MS = 10 * SECOND_MS

/** `own`: before they are stored, and where a version has no terms. A sandbox clock may leap to a version that
 * this process has not read yet: what meets it is refused once, as `unavailable`, and finds it when it asks again. */
export function createTermsAt(own: Terms, clock: Clock): TermsAt {
  let cached: { steps: readonly Step[]; readAt: number } | undefined
  const isFresh = (readAt: number, now: number) => now >= readAt && now - readAt < CACHE_MS
  return async (db, now) => {
    const readAt = clock().getTime()
    let steps = cached && isFresh(cached.readAt, readAt) ? cached.steps : undefined
    if (!steps) {
      steps = toSteps(own, await readPolicies(db))
      if (!cached || readAt >= cached.readAt) cached = { steps, readAt }
    }
    return toTermsInForce(steps, now, () => {
      cached = undefined
    })
  }
}

/** Stores the service's own terms, once, so that no later build changes those of a loan; and binds what
 * a build that did not know of bound terms has approved. Throws where loans are bound to a version that
 * names an asset without a price in this build. */
export async function fixTerms(db: Db, own: Terms, now: Date): Promise<void> {
  const terms = showTerms(own.marginPolicy)
  await insertOwnTerms(db, { terms, name: own.marginPolicy.version, now })
  const steps = toSteps(own, await readPolicies(db))
  for (const tenantId of await selectTenantsUnbound(db)) {
    for (const [at, { from, terms }] of steps.entries()) {
      const version = terms.policy.termsVersion
      await bindApproved(db, { tenantId, version, from, to: steps[at + 1]?.from })
    }
  }
  await assertPriced(db, now)
}

type Step = { from: Date | undefined; terms: Terms }

function toTermsInForce(steps: readonly Step[], now: Date, readAgain: () => void): TermsInForce {
  const at = (instant: Date): Terms => {
    const step = steps.findLast(({ from }) => from === undefined || from <= instant)
    if (!step) throw new Error('the first terms are in force from the beginning')
    return step.terms
  }
  const versions = steps.map(({ terms }) => terms)
  const byNumber = new Map(versions.map((terms) => [terms.policy.termsVersion, terms]))
  return {
    ...at(now),
    versions,
    termsOf({ termsVersion, decisionedAt }) {
      if (termsVersion === undefined) return at(decisionedAt ?? now)
      const bound = byNumber.get(termsVersion)
      if (bound) return bound
      readAgain()
      const detail = `Version ${termsVersion} of the margin policy is not read yet.`
      throw new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
    },
  }
}

function toSteps(own: Terms, { own: stored, versions }: Policies): Step[] {
  const first = stored ? withPolicy(own, stored, 0) : own
  return [
    { from: undefined, terms: first },
    ...effective(versions).map(({ policy, number, effectiveFrom }) => ({
      from: effectiveFrom,
      terms: withPolicy(own, policy, number),
    })),
  ]
}

/** How old a price may be is of the process, not of the version. */
function withPolicy(
  { policy, marginPolicy: { staleMs } }: Terms,
  version: Terms['marginPolicy'],
  termsVersion: number,
): Terms {
  const { floorLtvPpm, cureLtvPpm, haircuts } = version
  return {
    policy: { ...policy, termsVersion, floorLtvPpm, cureLtvPpm, haircuts },
    marginPolicy: { ...version, staleMs },
  }
}
