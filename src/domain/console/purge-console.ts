import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { purge } from '../../db/purge.ts'
import { deleteChallengesBefore } from '../sign-in/challenge-queries.ts'
import { LONGEST_MS } from '../sign-in/session-life.ts'
import { purgeAged } from '../tenants/each-tenant.ts'

const KEPT_MS = 30 * DAY_MS

/** What can be used no more: challenges at once, sessions and invitations after 30 days. */
export async function purgeConsole(db: Db, now: Date): Promise<number> {
  const expired = addMs(now, -KEPT_MS)
  const opened = addMs(expired, -LONGEST_MS)
  return (
    (await purge((limit) =>
      deleteChallengesBefore(db, 'console_challenges', { before: now, limit }),
    )) +
    (await purgeAged(db, 'console_invitations', expired)) +
    (await purgeAged(db, 'console_sessions', opened))
  )
}
