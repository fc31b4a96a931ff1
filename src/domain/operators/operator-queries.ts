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

export async function selectOperators(db: Db) {
  return await db
    .selectFrom('operators')
    .select(['operator_id', 'email', 'name', 'role', 'created_at'])
    .where('removed_at', 'is', null)
    .orderBy('email')
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
