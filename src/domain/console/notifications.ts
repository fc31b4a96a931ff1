import type { Db, Tx } from '../../db/database.ts'
import { peopleOf } from '../../db/sql/people-tables.ts'
import { askToConfirm, assertMailServer } from '../mails/confirmations.ts'
import { type Actor, recordAction } from './actions.ts'
import { selectFailureMails, updateFailureMails } from './notification-queries.ts'

/** Whether a person is written to when a webhook fails. */
export async function wantsFailureMails(
  db: Db,
  tenantId: string,
  personId: string,
): Promise<boolean> {
  return (await selectFailureMails(db, tenantId, personId)) ?? false
}

/** An address that is not confirmed is mailed a link. The choice is kept also where a limit keeps that
 * from being mailed now: mails begin once the address is confirmed. Refuses as `assertMailServer`. */
export async function setFailureMails(
  tx: Tx,
  actor: Actor & { personId: string },
  { wanted, hasMailServer }: { wanted: boolean; hasMailServer: boolean },
): Promise<void> {
  const { tenantId, personId, now } = actor
  if (wanted) assertMailServer(hasMailServer)
  if (wanted) await askToConfirm(tx, { ...peopleOf(tenantId), personId }, now)
  const before = await wantsFailureMails(tx, tenantId, personId)
  if (before === wanted) return
  await updateFailureMails(tx, tenantId, personId, wanted)
  await recordAction(tx, actor, {
    action: 'setNotifications',
    subject: personId,
    before: { failure_mails: before },
    after: { failure_mails: wanted },
  })
}
