import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import {
  isPerson,
  LENDER,
  type PersonKey,
  peopleOf,
  tablesOf,
} from '../../src/db/sql/people-tables.ts'
import { recordOperatorAction } from '../../src/domain/operators/actions.ts'
import { actChangeRole, actRemove } from '../../src/domain/operators/people-acts.ts'
import type { Operator, OperatorRole } from '../../src/domain/operators/roles.ts'
import { addPerson, inviteOrInviteAgain, type NewPerson } from '../../src/domain/people/people.ts'
import type { LenderPeople, TenantPeople } from '../../src/domain/people/person.ts'

export async function inviteOperator(
  tx: Tx,
  given: NewPerson<LenderPeople>,
  now: Date,
): Promise<{ operator: Operator; token: string }> {
  const { person, token } = await inviteOrInviteAgain(tx, { ...LENDER, now }, given)
  return { operator: person, token }
}

/** The sessions of a person count as confirmed by a passkey for as long as a test lasts. */
export async function confirmForTest(tx: Tx, key: PersonKey): Promise<void> {
  await sql`UPDATE ${tablesOf(key).sessions} SET confirmed_at = '2100-01-01'
    WHERE ${isPerson(key)}`.execute(tx)
}

export async function removeOperator(tx: Tx, email: string, now: Date): Promise<void> {
  await actRemove(tx, email, now)
}

/** In the record, as by the system's user. */
export async function changeRoleRecorded(
  tx: Tx,
  operatorId: string,
  role: OperatorRole,
  now: Date,
) {
  const { act } = await actChangeRole(tx, operatorId, role, now)
  await recordOperatorAction(tx, { actor: { kind: 'system', user: 'tester' }, now }, act)
}

export async function inviteToTenant(
  tx: Tx,
  tenantId: string,
  given: NewPerson<TenantPeople>,
  now: Date,
) {
  return await addPerson(tx, { ...peopleOf(tenantId), now }, given)
}
