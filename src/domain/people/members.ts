import { Refusal } from '../../core/errors.ts'
import type { Tx } from '../../db/database.ts'
import { LENDER, peopleOf } from '../../db/sql/people-tables.ts'
import { lockPerson } from './people-queries.ts'
import { type Member, type People, type PersonKey, toPerson } from './person.ts'

/** Refuses `session_required` for one who was removed. */
export async function getMember(tx: Tx, key: PersonKey): Promise<Member> {
  const row = await lockPerson<People>(tx, key)
  if (!row) throw new Refusal('session_required', 'You were removed just now.')
  const people = key.audience === 'tenant' ? peopleOf(key.tenantId) : LENDER
  return { people, person: toPerson(row) }
}
