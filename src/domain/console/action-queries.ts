import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type NewAction = {
  tenantId: string
  actionId: string
  personId: string | undefined
  keyId: string | undefined
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
      key_id: action.keyId ?? null,
      action: action.action,
      subject: action.subject ?? null,
      before: action.before ?? null,
      after: action.after ?? null,
      request_id: action.requestId ?? null,
      acted_at: action.actedAt,
    })
    .execute()
}

/** Keys that were made in the console. */
export async function selectKeyMakers(db: Db, tenantId: string) {
  return await db
    .selectFrom('console_actions')
    .select(['subject', 'person_id'])
    .where('tenant_id', '=', tenantId)
    .where('action', '=', sql.lit('createKey'))
    .execute()
}

/** When the tenant's people made their newest invitations, newest first. */
export async function selectInvitationsSince(
  db: Db,
  tenantId: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('console_actions')
    .select('acted_at')
    .where('tenant_id', '=', tenantId)
    // As the index has it.
    .where(sql<boolean>`action IN ('invitePerson', 'invitePersonAgain') AND person_id IS NOT NULL`)
    .where('acted_at', '>', since)
    .orderBy('acted_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.acted_at)
}

export async function selectActions(
  db: Db,
  tenantId: string,
  { before, limit }: { before: string | undefined; limit: number },
) {
  return await db
    .selectFrom('console_actions as a')
    .leftJoin('console_people as p', (join) =>
      join.onRef('p.tenant_id', '=', 'a.tenant_id').onRef('p.person_id', '=', 'a.person_id'),
    )
    .select([
      'a.action_id',
      'a.person_id',
      'a.key_id',
      'a.action',
      'a.subject',
      'a.before',
      'a.after',
      'a.request_id',
      'a.acted_at',
      'p.name',
      'p.email',
    ])
    .where('a.tenant_id', '=', tenantId)
    .$if(before !== undefined, (query) => query.where('a.action_id', '<', before ?? ''))
    .orderBy('a.action_id', 'desc')
    .limit(limit)
    .execute()
}
