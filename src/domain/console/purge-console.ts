import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { purge } from '../../db/purge.ts'
import { deleteChallengesBefore } from './challenge-queries.ts'
import { deleteInvitationsBefore } from './people-queries.ts'
import { deleteSessionsBefore } from './session-queries.ts'
import { LONGEST_MS } from './sessions.ts'

const KEPT_MS = 30 * DAY_MS

/** What can be used no more: challenges at once, sessions and invitations after 30 days. */
export async function purgeConsole(db: Db, now: Date): Promise<number> {
  const expired = addMs(now, -KEPT_MS)
  const opened = addMs(expired, -LONGEST_MS)
  return (
    (await purge((limit) => deleteChallengesBefore(db, now, limit))) +
    (await purge((limit) => deleteInvitationsBefore(db, expired, limit))) +
    (await purge((limit) => deleteSessionsBefore(db, opened, limit)))
  )
}
