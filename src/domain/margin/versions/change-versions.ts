import { Refusal } from '../../../core/errors.ts'
import { addMs, MINUTE_MS, SECOND_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import { showTerms } from '../margin-terms.ts'
import type { MarginPolicy } from '../policy.ts'
import { sellsEachAssetOnce } from '../stress/scenario.ts'
import { assertFewKept } from './kept-versions.ts'
import { insertVersion, insertWithdrawal, lockVersions } from './version-queries.ts'
import {
  effective,
  lastPolicy,
  listPolicyVersions,
  type PolicyVersion,
  readOwnPolicy,
} from './versions.ts'

/** Processes read versions every few seconds: nothing changes for them on shorter notice. */
const NOTICE_MS = 15 * MINUTE_MS

type Change = { note: string; proposedBy: string; signedBy: string; now: Date }

/** Real time. Refuses `validation_failed` for terms out of bounds, an instant that is not far enough
 * ahead, or not after the last version's, and `limit_reached` while facilities are bound to too many. */
export async function storeVersion(
  tx: Tx,
  { policy, effectiveFrom }: { policy: MarginPolicy; effectiveFrom: Date },
  { now, ...signed }: Change,
): Promise<{ number: number; before: MarginPolicy }> {
  assertSound(policy)
  await lockVersions(tx)
  const versions = await listPolicyVersions(tx)
  if (effectiveFrom < addMs(now, NOTICE_MS)) {
    throw invalid('effective_from must be at least 15 minutes ahead.')
  }
  const last = effective(versions).at(-1)
  if (last && effectiveFrom <= last.effectiveFrom) {
    const at = last.effectiveFrom.toISOString()
    throw invalid(`effective_from must be after that of version ${last.number} (${at}).`)
  }
  const number = (versions.at(-1)?.number ?? 0) + 1
  await assertFewKept(tx, number, now)
  const terms = showTerms(policy)
  await insertVersion(tx, { number, terms, effectiveFrom, ...signed, createdAt: now })
  return { number, before: lastPolicy(versions) ?? (await readOwnPolicy(tx)) }
}

/** Refuses `not_found`, and `validation_failed` for one that is in force or soon to be. */
export async function withdrawVersion(
  tx: Tx,
  number: number,
  { now, ...signed }: Change,
): Promise<PolicyVersion> {
  await lockVersions(tx)
  const version = (await listPolicyVersions(tx)).find((one) => one.number === number)
  if (!version)
    throw new Refusal('not_found', `There is no version ${number} of the margin policy.`)
  if (version.withdrawn) throw invalid(`Version ${number} is withdrawn already.`)
  if (version.effectiveFrom < addMs(now, NOTICE_MS)) {
    throw invalid(
      `Version ${number} is in force, or will be in less than 15 minutes: store another version.`,
    )
  }
  await insertWithdrawal(tx, { number, ...signed, at: now })
  return version
}

/** Debts below `least_usd` are never warned. */
const MOST_LEAST_CENTS = 100_000n

const LEAST_CONFIRM_MS = 10 * SECOND_MS

/** What may be stressed and tried may be put in force only within these bounds. */
function assertSound(policy: MarginPolicy): void {
  const { tiers, criticalLtvPpm, deepLtvPpm, leastCents, confirmMs, longestWindowMs } = policy
  if (criticalLtvPpm >= 1_000_000n) throw invalid('critical_ltv must be below 1.')
  if (leastCents > MOST_LEAST_CENTS) throw invalid('least_usd must be at most 1000.00.')
  if (deepLtvPpm > 1_000_000n) throw invalid('deep_ltv must be at most 1.')
  if (tiers.some(({ windowMs }, at) => windowMs > (tiers[at - 1]?.windowMs ?? windowMs))) {
    throw invalid('The hours of a higher tier must not be more than those of a lower one.')
  }
  if (policy.relapseLeastMs > (tiers[0]?.windowMs ?? 0)) {
    throw invalid('relapse_least_hours must not be more than the hours of the first tier.')
  }
  if (confirmMs < LEAST_CONFIRM_MS || confirmMs > longestWindowMs) {
    throw invalid('confirm_seconds must be from 10 to 600.')
  }
  if (!sellsEachAssetOnce(policy)) {
    throw invalid('dust_usd is too small for the room between target_ltv and cure_ltv.')
  }
}

function invalid(detail: string): Refusal {
  return new Refusal('validation_failed', detail)
}
