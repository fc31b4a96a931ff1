import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { purge } from '../../db/sql/purge.ts'
import { deleteRowsBefore } from '../people/purge-queries.ts'
import { purgeAged } from '../tenants/each-tenant.ts'

const KEPT_MS = 30 * DAY_MS

/** Longer than the time in which an address is asked once. */
const ASKED_MS = 2 * DAY_MS

/** What was mailed, after 30 days, and which addresses were asked, after two. */
export async function purgeMails(db: Db, now: Date): Promise<number> {
  const before = addMs(now, -KEPT_MS)
  const asked = addMs(now, -ASKED_MS)
  return (
    (await purgeAged(db, 'console_mails', before)) +
    (await purgeAged(db, 'failure_notices', before)) +
    (await purge((limit) => deleteRowsBefore(db, 'operator_mails', before, limit))) +
    (await purge((limit) => deleteRowsBefore(db, 'asked_addresses', asked, limit)))
  )
}
