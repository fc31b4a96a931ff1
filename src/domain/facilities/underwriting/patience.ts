import { addMs } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { Facility } from '../facilities.ts'
import { selectPauses } from '../pauses/pause-queries.ts'
import { resumeAt } from '../pauses/pauses.ts'
import type { LendingPolicy } from '../policy.ts'

/** How long an application may wait for a portfolio: it stands still in holds, and in no other pause. */
export async function patienceEndsAt(
  db: Db,
  { tenantId, id, createdAt: from }: Facility,
  { underwritingPatienceMs }: LendingPolicy,
  now: Date,
): Promise<Date> {
  const rows = await selectPauses(db, tenantId, [id])
  const holds = rows.flatMap(({ kind, started_at, ended_at }) =>
    kind === 'hold' ? [{ kind, from: started_at, until: ended_at ?? undefined }] : [],
  )
  return resumeAt({ at: addMs(from, underwritingPatienceMs), from }, holds, now)
}
