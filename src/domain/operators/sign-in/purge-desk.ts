import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { purge } from '../../../db/purge.ts'
import { deleteChallengesBefore } from '../../sign-in/challenge-queries.ts'
import { LONGEST_MS } from '../../sign-in/session-life.ts'
import { deleteAnswersBefore } from '../answer-queries.ts'
import { deleteOperatorInvitationsBefore } from './invitation-queries.ts'
import { deleteOperatorSessionsBefore } from './session-queries.ts'

const KEPT_MS = 30 * DAY_MS

/** What can be used no more: challenges at once, the rest after 30 days. */
export async function purgeDesk(db: Db, now: Date): Promise<number> {
  const expired = addMs(now, -KEPT_MS)
  const opened = addMs(expired, -LONGEST_MS)
  const challenges = (limit: number) =>
    deleteChallengesBefore(db, 'operator_challenges', { before: now, limit })
  return (
    (await purge(challenges)) +
    (await purge((limit) => deleteOperatorInvitationsBefore(db, expired, limit))) +
    (await purge((limit) => deleteOperatorSessionsBefore(db, opened, limit))) +
    (await purge((limit) => deleteAnswersBefore(db, expired, limit)))
  )
}
