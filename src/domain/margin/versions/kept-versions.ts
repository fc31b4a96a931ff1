import { Refusal } from '../../../core/errors.ts'
import { PRICED_ASSETS } from '../../../core/money.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { lockVersions, selectBoundVersions, selectNextVersions } from './version-queries.ts'
import {
  effective,
  listPolicyVersions,
  type PolicyVersion,
  readPolicies,
  versionAt,
} from './versions.ts'

/** Each is a pass of its own over the book. */
const MOST_KEPT = 20

/** With one more: those that facilities are bound to, or will be by an amendment, and those that are in
 * force or will be. Refuses `limit_reached`. Real time. */
export async function assertFewKept(tx: Tx, one: number, now: Date): Promise<void> {
  await lockVersions(tx)
  const kept = await readKept(tx, await listPolicyVersions(tx), now)
  if (kept.add(one).size <= MOST_KEPT) return
  throw new Refusal(
    'limit_reached',
    `Facilities are bound to ${kept.size - 1} versions, and at most ${MOST_KEPT} can be kept apart: amend those of one to another, or wait until they are closed.`,
  )
}

/** Each asset that a kept version names has a price. Throws: this build is not for this book. */
export async function assertPriced(db: Db, now: Date): Promise<void> {
  const { own, versions } = await readPolicies(db)
  const kept = await readKept(db, versions, now)
  for (const { number, policy } of [...(own ? [{ number: 0, policy: own }] : []), ...versions]) {
    const unpriced = [...policy.haircuts.keys()].filter((asset) => !PRICED_ASSETS.includes(asset))
    if (!kept.has(number) || unpriced.length === 0) continue
    const assets = unpriced.join(', ')
    throw new Error(`version ${number} of the margin policy names ${assets}: without a price here`)
  }
}

async function readKept(
  db: Db,
  versions: readonly PolicyVersion[],
  now: Date,
): Promise<Set<number>> {
  const inForce = versionAt(versions, now)?.number ?? 0
  const ahead = effective(versions).filter(({ effectiveFrom }) => effectiveFrom > now)
  const bound = await selectBoundVersions(db, inForce)
  const next = await selectNextVersions(db)
  return new Set([...bound, ...next, inForce, ...ahead.map(({ number }) => number)])
}
