import type { Tx } from '../../db/database.ts'

export type NewAction = {
  tenantId: string
  actionId: string
  personId: string | undefined
  action: string
  subject: string | undefined
  before: Record<string, unknown> | undefined
  after: Record<string, unknown> | undefined
  requestId: string | undefined
  actedAt: Date
}

export async function insertAction(tx: Tx, action: NewAction): Promise<void> {
  await tx
    .insertInto('console_actions')
    .values({
      tenant_id: action.tenantId,
      action_id: action.actionId,
      person_id: action.personId ?? null,
      action: action.action,
      subject: action.subject ?? null,
      before: action.before ?? null,
      after: action.after ?? null,
      request_id: action.requestId ?? null,
      acted_at: action.actedAt,
    })
    .execute()
}
