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
