import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { InvitationKind } from '../../../db/schema/console.ts'

export type NewOperatorInvitation = {
  invitationId: string
  operatorId: string
  kind: InvitationKind
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

export async function insertOperatorInvitation(
  tx: Tx,
  invitation: NewOperatorInvitation,
): Promise<void> {
  await tx
    .insertInto('operator_invitations')
    .values({
      invitation_id: invitation.invitationId,
      operator_id: invitation.operatorId,
      kind: invitation.kind,
      token_hash: invitation.tokenHash,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

/** One statement: of two uses at once the second finds it used. */
export async function takeOperatorInvitation(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<{ operator_id: string; kind: InvitationKind } | undefined> {
  return await tx
    .updateTable('operator_invitations')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['operator_id', 'kind'])
    .executeTakeFirst()
}

/** Those that no one has used. */
export async function deleteOperatorInvitations(tx: Tx, operatorId: string): Promise<void> {
  await tx
    .deleteFrom('operator_invitations')
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteOperatorInvitationsBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    DELETE FROM operator_invitations WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM operator_invitations
      WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
