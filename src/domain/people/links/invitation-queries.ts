import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { InvitationKind } from '../../../db/schema/console.ts'
import {
  among,
  isPerson,
  type People,
  type PersonKey,
  tablesOf,
  valuesOf,
} from '../../../db/sql/people-tables.ts'

export type NewInvitation = {
  invitationId: string
  kind: InvitationKind
  /** Given by the system's user. */
  isTrusted: boolean
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

export async function insertInvitation(
  tx: Tx,
  key: PersonKey,
  invitation: NewInvitation,
): Promise<void> {
  const { invitations, person } = tablesOf(key)
  await sql`
    INSERT INTO ${invitations}
      (${person}, invitation_id, kind, is_trusted, token_hash, created_at, expires_at)
    VALUES (${valuesOf(key)}, ${invitation.invitationId}, ${invitation.kind},
      ${invitation.isTrusted}, ${invitation.tokenHash}, ${invitation.createdAt}, ${invitation.expiresAt})`.execute(
    tx,
  )
}

type TakenInvitation = {
  invitation_id: string
  person_id: string
  kind: InvitationKind
  is_trusted: boolean
  created_at: Date
}

/** One statement: of two uses at once the second finds it used. */
export async function takeInvitation(
  tx: Tx,
  people: People,
  tokenHash: Buffer,
  now: Date,
): Promise<TakenInvitation | undefined> {
  const { invitations, personId } = tablesOf(people)
  const { rows } = await sql<TakenInvitation>`
    UPDATE ${invitations} SET used_at = ${now}
    WHERE ${among(people)} AND token_hash = ${tokenHash} AND used_at IS NULL
      AND expires_at > ${now}
    RETURNING ${personId} AS person_id, invitation_id, kind, is_trusted, created_at`.execute(tx)
  return rows[0]
}

/** Those that no one has used. */
export async function deleteInvitations(tx: Tx, key: PersonKey): Promise<void> {
  await sql`DELETE FROM ${tablesOf(key).invitations}
    WHERE ${isPerson(key)} AND used_at IS NULL`.execute(tx)
}
