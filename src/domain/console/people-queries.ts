import type { Db, Tx } from '../../db/database.ts'
import type { ConsoleRole, InvitationKind } from '../../db/schema/console.ts'

export type NewPerson = {
  tenantId: string
  personId: string
  email: string
  name: string
  role: ConsoleRole
  createdAt: Date
}

export async function insertPerson(tx: Tx, person: NewPerson): Promise<void> {
  await tx
    .insertInto('console_people')
    .values({
      tenant_id: person.tenantId,
      person_id: person.personId,
      email: person.email,
      name: person.name,
      role: person.role,
      created_at: person.createdAt,
    })
    .execute()
}

export async function selectPersonByEmail(db: Db, tenantId: string, email: string) {
  return await db
    .selectFrom('console_people')
    .select(['person_id', 'email', 'name', 'role'])
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export type NewInvitation = {
  tenantId: string
  invitationId: string
  personId: string
  kind: InvitationKind
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  await tx
    .insertInto('console_invitations')
    .values({
      tenant_id: invitation.tenantId,
      invitation_id: invitation.invitationId,
      person_id: invitation.personId,
      kind: invitation.kind,
      token_hash: invitation.tokenHash,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

/** One statement: of two uses at once the second finds it used. */
export async function takeInvitation(
  tx: Tx,
  tenantId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<{ person_id: string; kind: InvitationKind } | undefined> {
  return await tx
    .updateTable('console_invitations')
    .set({ used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['person_id', 'kind'])
    .executeTakeFirst()
}

/** Those that no one has used. */
export async function deleteInvitations(tx: Tx, tenantId: string, personId: string): Promise<void> {
  await tx
    .deleteFrom('console_invitations')
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
}

/** With how many passkeys each has, and when an open session of theirs was last used. */
export async function selectPeople(db: Db, tenantId: string) {
  return await db
    .selectFrom('console_people as p')
    .select((eb) => [
      'p.person_id',
      'p.email',
      'p.name',
      'p.role',
      'p.created_at',
      eb
        .selectFrom('console_passkeys as k')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .where('k.tenant_id', '=', tenantId)
        .whereRef('k.person_id', '=', 'p.person_id')
        .as('passkeys'),
      eb
        .selectFrom('console_sessions as s')
        .select((last) => last.fn.max('s.seen_at').as('seen_at'))
        .where('s.tenant_id', '=', tenantId)
        .whereRef('s.person_id', '=', 'p.person_id')
        .where('s.ended_at', 'is', null)
        .as('seen_at'),
    ])
    .where('p.tenant_id', '=', tenantId)
    .where('p.removed_at', 'is', null)
    .orderBy('p.email')
    .execute()
}

export async function lockPerson(tx: Tx, tenantId: string, personId: string) {
  return await tx
    .selectFrom('console_people')
    .select(['person_id', 'email', 'name', 'role'])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function countAdmins(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx
    .selectFrom('console_people')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function countPeople(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx
    .selectFrom('console_people')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function updateRole(
  tx: Tx,
  tenantId: string,
  personId: string,
  role: ConsoleRole,
): Promise<void> {
  await tx
    .updateTable('console_people')
    .set({ role })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .execute()
}

export async function updatePersonRemoved(
  tx: Tx,
  tenantId: string,
  personId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('console_people')
    .set({ removed_at: now })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .execute()
}

/** Searches all tenants, or one. */
export async function selectPersonBySubject(
  db: Db,
  subject: string,
  tenantId: string | undefined,
): Promise<FoundPerson | undefined> {
  // @across tenants: a sign-in names the person alone.
  return await firstPerson(db, tenantId).where('p.oidc_subject', '=', subject).executeTakeFirst()
}

/** Searches all tenants, or one; leaves out people who belong to another identity. */
export async function selectUnboundByEmail(
  db: Db,
  email: string,
  tenantId: string | undefined,
): Promise<FoundPerson | undefined> {
  // @across tenants: a sign-in names the person alone.
  return await firstPerson(db, tenantId)
    .where('p.email', '=', email)
    .where('p.oidc_subject', 'is', null)
    .executeTakeFirst()
}

type FoundPerson = { tenant_id: string; person_id: string }

/** Among several tenants, the one whose console they used last, in a session that was not signed out;
 * else the one that invited them first. So no other tenant's invitation changes where they arrive. */
function firstPerson(db: Db, tenantId: string | undefined) {
  return db
    .selectFrom('console_people as p')
    .leftJoin('console_sessions as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 'p.tenant_id')
        .onRef('s.person_id', '=', 'p.person_id')
        .on('s.ended_at', 'is', null),
    )
    .select(['p.tenant_id', 'p.person_id'])
    .where('p.removed_at', 'is', null)
    .$if(tenantId !== undefined, (query) => query.where('p.tenant_id', '=', tenantId ?? ''))
    .groupBy(['p.tenant_id', 'p.person_id', 'p.created_at'])
    .orderBy(
      ({ fn }) => fn.max('s.seen_at'),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('p.created_at')
    .orderBy('p.person_id')
    .limit(1)
}

/** Returns false for a person who has an identity already. */
export async function updateSubject(
  tx: Tx,
  tenantId: string,
  personId: string,
  subject: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('console_people')
    .set({ oidc_subject: subject })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('oidc_subject', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
