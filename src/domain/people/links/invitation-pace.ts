import { Refusal } from '../../../core/errors.ts'
import { addMs, HOUR_MS, SECOND_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import { lockTenant } from '../../auth/queries.ts'
import { selectInvitationsSince } from '../../console/action-queries.ts'
import type { Actor } from '../../console/actions.ts'

/** Invitations of a tenant's people, new ones and again. Each is a way into the console and, where there is a mail
 * server, may become a mail: an hour's worth is what a team that starts needs. What the lender invites is
 * not counted. */
export const INVITATIONS_AN_HOUR = 10

/** Refuses `limit_reached`, with the time to wait. */
export async function assertMayInvite(
  tx: Tx,
  { tenantId, personId, now }: Pick<Actor, 'tenantId' | 'personId' | 'now'>,
): Promise<void> {
  if (personId === undefined) return
  // So that of two at once the second counts the first.
  await lockTenant(tx, tenantId)
  const since = addMs(now, -HOUR_MS)
  const made = await selectInvitationsSince(tx, tenantId, since, INVITATIONS_AN_HOUR)
  const oldest = made.at(-1)
  if (made.length < INVITATIONS_AN_HOUR || !oldest) return
  const waitMs = addMs(oldest, HOUR_MS).getTime() - now.getTime()
  const detail = `A tenant's people can make ${INVITATIONS_AN_HOUR} invitations an hour. Try again later.`
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / SECOND_MS))
  throw new Refusal('limit_reached', detail, { retryAfterSeconds })
}
