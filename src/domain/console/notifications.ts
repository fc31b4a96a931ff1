import { Refusal } from '../../core/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
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

/** Refuses `validation_failed` where no mail server is configured. */
export async function setFailureMails(
  tx: Tx,
  actor: Actor & { personId: string },
  { wanted, hasMailServer }: { wanted: boolean; hasMailServer: boolean },
): Promise<void> {
  const { tenantId, personId } = actor
  if (wanted && !hasMailServer) {
    throw new Refusal(
      'validation_failed',
      'failure_mails: this service has no mail server. Ask the lender to set SMTP_URL.',
    )
  }
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
