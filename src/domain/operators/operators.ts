import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { foldAddress, readAddress } from '../sign-in/address.ts'
import {
  insertOperator,
  lockOperator,
  lockOperators,
  selectOperator,
  selectOperatorByEmail,
  selectOperators,
  updateOperatorRemoved,
  updateOperatorRole,
} from './operator-queries.ts'
import type { OperatorRole } from './roles.ts'
import { endAccess } from './sign-in/end-access.ts'

const MOST = 100

export type Operator = { id: string; email: string; name: string; role: OperatorRole }

export type NewOperator = Omit<Operator, 'id'>

/** Undefined for one who was removed too. */
export async function findOperator(db: Db, email: string): Promise<Operator | undefined> {
  const row = await selectOperatorByEmail(db, foldAddress(email))
  return row && toOperator(row)
}

/** Refuses `session_required` for one who was removed. */
export async function getOperator(tx: Tx, operatorId: string): Promise<Operator> {
  const row = await lockOperator(tx, operatorId)
  if (!row) throw new Refusal('session_required', 'You are no longer an operator.')
  return toOperator(row)
}

/** Refuses `not_found`, for one who was removed too. */
export async function getOperatorById(db: Db, operatorId: string): Promise<Operator> {
  const row = await selectOperator(db, operatorId)
  if (!row) throw new Refusal('not_found', `There is no operator ${operatorId}.`)
  return toOperator(row)
}

export type ListedOperator = Operator & {
  createdAt: Date
  passkeys: number
  /** In a session that has not been signed out. */
  lastSeenAt: Date | undefined
}

/** By e-mail address. */
export async function listOperators(db: Db): Promise<ListedOperator[]> {
  return (await selectOperators(db)).map((row) => ({
    ...toOperator(row),
    createdAt: row.created_at,
    passkeys: Number(row.passkeys ?? 0n),
    lastSeenAt: row.seen_at ?? undefined,
  }))
}

/** One who is there gets the role. Refuses as `readAddress`, `limit_reached` and `last_admin`. */
export async function inviteOperator(
  tx: Tx,
  { email: given, name, role }: NewOperator,
  now: Date,
): Promise<{ operator: Operator; before: Operator | undefined }> {
  const email = readAddress(given)
  const operators = (await lockOperators(tx)).map(toOperator)
  const before = operators.find((operator) => operator.email === email)
  if (before) {
    if (role !== 'admin') assertAdminRemains(operators, before)
    await updateOperatorRole(tx, before.id, role)
    return { operator: { ...before, role }, before }
  }
  if (operators.length >= MOST) {
    throw new Refusal('limit_reached', `There can be ${MOST} operators; remove one first.`)
  }
  const operator = { id: newId('opr'), email, name, role }
  await insertOperator(tx, { ...operator, operatorId: operator.id, createdAt: now })
  return { operator, before: undefined }
}

/** Refuses `not_found` and `last_admin`. */
export async function changeOperatorRole(
  tx: Tx,
  operatorId: string,
  role: OperatorRole,
): Promise<{ operator: Operator; before: Operator }> {
  const operators = (await lockOperators(tx)).map(toOperator)
  const before = operators.find(({ id }) => id === operatorId)
  if (!before) throw new Refusal('not_found', `There is no operator ${operatorId}.`)
  if (role !== 'admin') assertAdminRemains(operators, before)
  await updateOperatorRole(tx, operatorId, role)
  return { operator: { ...before, role }, before }
}

/** Refuses `not_found` and `last_admin`. */
export async function removeOperator(tx: Tx, email: string, now: Date): Promise<Operator> {
  const operators = (await lockOperators(tx)).map(toOperator)
  const operator = operators.find((one) => one.email === foldAddress(email))
  if (!operator) throw unknownOperator(email)
  assertAdminRemains(operators, operator)
  await updateOperatorRemoved(tx, operator.id, now)
  await endAccess(tx, operator.id, now)
  return operator
}

export function unknownOperator(email: string): Refusal {
  return new Refusal('not_found', `There is no operator ${email}.`)
}

/** The last of all may go: the next one is invited by the system's user. */
function assertAdminRemains(operators: readonly Operator[], changed: Operator): void {
  const others = operators.filter(({ id }) => id !== changed.id)
  const isLast = changed.role === 'admin' && !others.some(({ role }) => role === 'admin')
  if (isLast && others.length > 0) {
    throw new Refusal('last_admin', 'The last admin stays: make another operator an admin first.')
  }
}

export function toOperator(row: {
  operator_id: string
  email: string
  name: string
  role: OperatorRole
}): Operator {
  return { id: row.operator_id, email: row.email, name: row.name, role: row.role }
}
