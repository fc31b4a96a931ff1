import type { Db } from '../../../db/database.ts'
import { selectFirstSince, selectLastBefore } from './newest-queries.ts'

const LAST = 2n ** 63n - 1n

/** The numbers of the events recorded from `since` up to but without `until`, to within what commits
 * at one moment. Empty (`from` above `to`) where there are none. */
export async function findSequences(
  db: Db,
  tenantId: string,
  { since, until }: { since?: Date | undefined; until?: Date | undefined },
): Promise<{ from: bigint; to: bigint }> {
  const from = since === undefined ? 0n : await selectFirstSince(db, tenantId, since)
  const to = until === undefined ? LAST : await selectLastBefore(db, tenantId, until)
  return from === null || to === null ? { from: 1n, to: 0n } : { from, to }
}
