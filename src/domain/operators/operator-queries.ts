import type { Db, Tx } from '../../db/database.ts'
import type { OperatorRole } from '../../db/schema/operators.ts'

export type NewOperator = {
  operatorId: string
  email: string
  name: string
  role: OperatorRole
  createdAt: Date
}

export async function insertOperator(tx: Tx, operator: NewOperator): Promise<void> {
  await tx
    .insertInto('operators')
    .values({
      operator_id: operator.operatorId,
      email: operator.email,
      name: operator.name,
      role: operator.role,
      created_at: operator.createdAt,
    })
    .execute()
}

export async function selectOperatorByEmail(db: Db, email: string) {
  return await db
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role'])
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export async function selectOperator(db: Db, operatorId: string) {
  return await db
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role'])
    .where('operator_id', '=', operatorId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** With how many passkeys each has, and when an open session of theirs was last used. */
export async function selectOperators(db: Db) {
  return await db
    .selectFrom('operators as o')
    .select((eb) => [
      'o.operator_id',
      'o.email',
      'o.name',
      'o.role',
      'o.created_at',
      eb
        .selectFrom('operator_passkeys as k')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .whereRef('k.operator_id', '=', 'o.operator_id')
        .as('passkeys'),
      eb
        .selectFrom('operator_sessions as s')
        .select((last) => last.fn.max('s.seen_at').as('seen_at'))
        .whereRef('s.operator_id', '=', 'o.operator_id')
        .where('s.ended_at', 'is', null)
        .as('seen_at'),
    ])
    .where('o.removed_at', 'is', null)
    .orderBy('o.email')
    .execute()
}

/** All of them, so that two admins cannot remove each other. */
export async function lockOperators(tx: Tx) {
  return await tx
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role'])
    .where('removed_at', 'is', null)
    .orderBy('operator_id')
    .forNoKeyUpdate()
    .execute()
}

export async function lockOperator(tx: Tx, operatorId: string) {
  return await tx
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role'])
    .where('operator_id', '=', operatorId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Held until the commit: a change of the role waits for what is done under it. Undefined for one
 * who was removed. */
export async function shareOperatorRole(
  tx: Tx,
  operatorId: string,
): Promise<OperatorRole | undefined> {
  const row = await tx
    .selectFrom('operators')
    .select('role')
    .where('operator_id', '=', operatorId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row?.role
}

export async function selectOperatorBySubject(db: Db, subject: string) {
  return await db
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role'])
    .where('oidc_subject', '=', subject)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** Returns false for an operator who has an identity already. */
export async function updateOperatorSubject(
  tx: Tx,
  operatorId: string,
  subject: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('operators')
    .set({ oidc_subject: subject })
    .where('operator_id', '=', operatorId)
    .where('oidc_subject', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function updateOperatorRole(
  tx: Tx,
  operatorId: string,
  role: OperatorRole,
): Promise<void> {
  await tx.updateTable('operators').set({ role }).where('operator_id', '=', operatorId).execute()
}

export async function updateOperatorRemoved(tx: Tx, operatorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ removed_at: now })
    .where('operator_id', '=', operatorId)
    .execute()
}
