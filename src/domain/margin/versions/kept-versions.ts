import { Refusal } from '../../../core/errors.ts'
import type { Tx } from '../../../db/database.ts'
import { lockVersions, selectBoundVersions, selectNextVersions } from './version-queries.ts'
import { effective, listPolicyVersions, versionAt } from './versions.ts'

/** Each is a pass of its own over the book. */
const MOST_KEPT = 20

/** With one more: those that facilities are bound to, or will be by an amendment, and those that are in
 * force or will be. Refuses `limit_reached`. Real time. */
export async function assertFewKept(tx: Tx, one: number, now: Date): Promise<void> {
  await lockVersions(tx)
  const versions = await listPolicyVersions(tx)
  const inForce = versionAt(versions, now)?.number ?? 0
  const ahead = effective(versions).filter(({ effectiveFrom }) => effectiveFrom > now)
  const bound = await selectBoundVersions(tx, inForce)
  const next = await selectNextVersions(tx)
  const kept = new Set([...bound, ...next, inForce, ...ahead.map(({ number }) => number)])
  if (kept.add(one).size <= MOST_KEPT) return
  throw new Refusal(
    'limit_reached',
    `Facilities are bound to ${kept.size - 1} versions, and at most ${MOST_KEPT} can be kept apart: amend those of one to another, or wait until they are closed.`,
  )
}
