import { type RawBuilder, sql } from 'kysely'

/** The people of one tenant. */
export type TenantPeople = { audience: 'tenant'; tenantId: string }

/** The lender's own people. */
export type LenderPeople = { audience: 'lender' }

/** Whose people a statement is about. Tenants' people always come with their tenant. */
export type People = TenantPeople | LenderPeople

export type Audience = People['audience']

export type PersonKey<P extends People = People> = P & { personId: string }

export const LENDER: LenderPeople = { audience: 'lender' }

export function peopleOf(tenantId: string): TenantPeople {
  return { audience: 'tenant', tenantId }
}

const TABLES = {
  tenant: {
    people: sql.table('console_people'),
    invitations: sql.table('console_invitations'),
    sessions: sql.table('console_sessions'),
    passkeys: sql.table('console_passkeys'),
    challenges: sql.table('console_challenges'),
    mails: sql.table('console_mails'),
    personId: sql.ref('person_id'),
    /** The columns that name a person in each of the tables. */
    person: sql`tenant_id, person_id`,
  },
  lender: {
    people: sql.table('operators'),
    invitations: sql.table('operator_invitations'),
    sessions: sql.table('operator_sessions'),
    passkeys: sql.table('operator_passkeys'),
    challenges: sql.table('operator_challenges'),
    mails: sql.table('operator_mails'),
    personId: sql.ref('operator_id'),
    person: sql`operator_id`,
  },
}

/** Two sets of tables of one shape; no statement reads both. */
export function tablesOf({ audience }: { audience: Audience }) {
  return TABLES[audience]
}

/** Stands in each part of a statement. */
export function among(people: People): RawBuilder<boolean> {
  return people.audience === 'tenant' ? sql`tenant_id = ${people.tenantId}` : sql`true`
}

export function isPerson(key: PersonKey): RawBuilder<boolean> {
  if (key.audience === 'lender') return sql`operator_id = ${key.personId}`
  return sql`tenant_id = ${key.tenantId} AND person_id = ${key.personId}`
}

/** What an inserted row has in the columns of `person`. */
export function valuesOf(key: PersonKey): RawBuilder<unknown> {
  if (key.audience === 'lender') return sql`${key.personId}`
  return sql`${key.tenantId}, ${key.personId}`
}
