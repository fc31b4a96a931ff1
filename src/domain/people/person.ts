import type { ConsoleRole } from '../../db/schema/console.ts'
import type { OperatorRole } from '../../db/schema/operators.ts'
import type {
  Audience,
  LenderPeople,
  People,
  PersonKey,
  TenantPeople,
} from '../../db/sql/people-tables.ts'

export type { LenderPeople, People, PersonKey, TenantPeople }

export type PeopleIn<A extends Audience> = Extract<People, { audience: A }>

export type RoleOf<P extends People> = P extends TenantPeople ? ConsoleRole : OperatorRole

export type Person<P extends People = People> = {
  id: string
  email: string
  name: string
  role: RoleOf<P>
}

/** A person, and whose they are. */
export type Member<P extends People = People> = { people: P; person: Person<P> }

export function keyOf({ people, person }: Member): PersonKey {
  return { ...people, personId: person.id }
}

export function toPerson<P extends People>(row: {
  person_id: string
  email: string
  name: string
  role: RoleOf<P>
}): Person<P> {
  return { id: row.person_id, email: row.email, name: row.name, role: row.role }
}
