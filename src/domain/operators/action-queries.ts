import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type NewOperatorAction = {
  operatorId: string | undefined
  actor: string
  action: string
  subjectKind: string | undefined
  subjectId: string | undefined
  tenantId: string | undefined
  /** Whose key has sealed what is personal. */
  borrowerId: string | undefined
  reason: string | undefined
  before: object | undefined
  after: object | undefined
  requestId: string | undefined
  actedAt: Date
}

/** What the hash of an action of this alias is made of, and is not a hash. Instants are in
 * microseconds, because their text depends on the session. */
export const contentOf = (alias: string) =>
  sql.raw(`jsonb_build_array(${alias}.number, ${alias}.operator_id, ${alias}.actor, ${alias}.action,
    ${alias}.subject_kind, ${alias}.subject_id, ${alias}.tenant, ${alias}.reason, ${alias}.before,
    ${alias}.after, ${alias}.request_id, (extract(epoch FROM ${alias}.acted_at) * 1000000)::bigint)`)

/** Held until the commit, so that numbers have no gap: the last lock of a transaction. */
export async function lockTrail(tx: Tx) {
  return await tx
    .selectFrom('operator_trail')
    .select(['last_number', 'last_hash'])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function insertOperatorAction(
  tx: Tx,
  after: { number: bigint; hash: Buffer },
  action: NewOperatorAction,
): Promise<void> {
  const toJson = (members: object | undefined) => (members ? JSON.stringify(members) : null)
  await sql`
    WITH written AS (
      INSERT INTO operator_actions (number, operator_id, actor, action, subject_kind, subject_id,
        tenant, borrower_id, reason, before, after, request_id, acted_at, previous_hash, hash)
      SELECT act.*, operator_action_hash(act.previous_hash, ${contentOf('act')})
      FROM (SELECT ${after.number + 1n}::bigint AS number,
        ${action.operatorId ?? null}::text AS operator_id, ${action.actor}::text AS actor,
        ${action.action}::text AS action, ${action.subjectKind ?? null}::text AS subject_kind,
        ${action.subjectId ?? null}::text AS subject_id, ${action.tenantId ?? null}::text AS tenant,
        ${action.borrowerId ?? null}::text AS borrower_id,
        ${action.reason ?? null}::text AS reason, ${toJson(action.before)}::jsonb AS before,
        ${toJson(action.after)}::jsonb AS after, ${action.requestId ?? null}::text AS request_id,
        ${action.actedAt}::timestamptz AS acted_at, ${after.hash}::bytea AS previous_hash) AS act
      RETURNING number, hash
    )
    UPDATE operator_trail SET last_number = written.number, last_hash = written.hash
    FROM written`.execute(tx)
}

/** Whether a thing was changed after an action, even if it was changed back. What was shown, or only
 * proposed, is no change. */
export async function hasActionsSince(
  tx: Tx,
  { kind, id }: { kind: string; id: string },
  number: bigint,
): Promise<boolean> {
  const row = await tx
    .selectFrom('operator_actions')
    .select('number')
    .where('subject_id', '=', id)
    .where('number', '>', number)
    .where('subject_kind', '=', kind)
    .where('after', 'is not', null)
    .where('action', 'not like', 'approvals.%')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function selectLastNumber(tx: Tx): Promise<bigint> {
  const row = await tx.selectFrom('operator_trail').select('last_number').executeTakeFirstOrThrow()
  return row.last_number
}

export async function selectOperatorAction(db: Db, number: bigint) {
  return await actionRows(db).where('number', '=', number).executeTakeFirst()
}

export type ActionFilter = {
  subjectId?: string | undefined
  tenantId?: string | undefined
  actor?: string | undefined
}

/** Newest first, before a number. */
export async function selectOperatorActions(
  db: Db,
  { subjectId, tenantId, actor }: ActionFilter,
  { before, limit }: { before: bigint | undefined; limit: number },
) {
  return await actionRows(db)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0n))
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', subjectId ?? ''))
    .$if(tenantId !== undefined, (query) => query.where('tenant', '=', tenantId ?? ''))
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor ?? ''))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

function actionRows(db: Db) {
  return db
    .selectFrom('operator_actions')
    .select([
      'number',
      'operator_id',
      'actor',
      'action',
      'subject_kind',
      'subject_id',
      'tenant',
      'borrower_id',
      'reason',
      'before',
      'after',
      'request_id',
      'acted_at',
      'previous_hash',
      'hash',
    ])
}
