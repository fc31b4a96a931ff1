import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { purge } from '../../db/sql/purge.ts'
import { purgeAged } from '../tenants/each-tenant.ts'
import { deleteRowsBefore } from './purge-queries.ts'
import { LONGEST_MS } from './sign-in/session-life.ts'

const KEPT_MS = 30 * DAY_MS

/** What can be used no more: challenges at once, sessions and invitations after 30 days. */
export async function purgePeople(db: Db, now: Date): Promise<number> {
  const expired = addMs(now, -KEPT_MS)
  const opened = addMs(expired, -LONGEST_MS)
  const ofTenants =
    (await purgeAged(db, 'console_invitations', expired)) +
    (await purgeAged(db, 'console_sessions', opened))
  return (
    ofTenants +
    (await purge((limit) => deleteRowsBefore(db, 'console_challenges', now, limit))) +
    (await purge((limit) => deleteRowsBefore(db, 'operator_challenges', now, limit))) +
    (await purge((limit) => deleteRowsBefore(db, 'operator_invitations', expired, limit))) +
    (await purge((limit) => deleteRowsBefore(db, 'operator_sessions', opened, limit)))
  )
}
