import { newId } from '../../core/ids.ts'
import type { Tx } from '../../db/database.ts'
import { insertAction } from './action-queries.ts'

/** Who acts, and by which request. Without a person it is the operator. */
export type Actor = {
  tenantId: string
  personId?: string | undefined
  requestId?: string | undefined
  now: Date
}

export type ConsoleAction = {
  action: string
  /** The id of what it is about. */
  subject?: string | undefined
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** In the transaction of the act, so that neither exists without the other. */
export async function recordAction(tx: Tx, actor: Actor, act: ConsoleAction): Promise<void> {
  await insertAction(tx, {
    tenantId: actor.tenantId,
    actionId: newId('act'),
    personId: actor.personId,
    action: act.action,
    subject: act.subject,
    before: act.before,
    after: act.after,
    requestId: actor.requestId,
    actedAt: actor.now,
  })
}
