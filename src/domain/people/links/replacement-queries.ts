import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { isPerson, type PersonKey, tablesOf } from '../../../db/sql/people-tables.ts'

/** A link that was opened for someone who could sign in. */
export type Replacement = { replaces_at: Date; used_at: Date; is_trusted: boolean }

/** Those that have not taken effect and were not refused. */
export async function selectReplacements(
  db: Db,
  key: PersonKey,
  now: Date,
): Promise<Replacement[]> {
  const { rows } = await sql<Replacement>`
    SELECT replaces_at, used_at, is_trusted FROM ${tablesOf(key).invitations}
    WHERE ${isPerson(key)} AND replaces_at > ${now}`.execute(db)
  return rows
}

export async function updateReplaces(
  tx: Tx,
  key: PersonKey,
  invitationId: string,
  endsAt: Date,
): Promise<void> {
  await sql`UPDATE ${tablesOf(key).invitations} SET replaces_at = ${endsAt}
    WHERE ${isPerson(key)} AND invitation_id = ${invitationId}`.execute(tx)
}

const endsLater = (endsAt: Date) => sql`(ends_at IS NULL OR ends_at > ${endsAt})`

/** All that a person signs in with, and what is open by it, ends then; what ends sooner does so. Returns
 * how many passkeys and sessions there are. */
export async function updateAccessEnding(tx: Tx, key: PersonKey, endsAt: Date) {
  const { people, passkeys, sessions } = tablesOf(key)
  const ended = await sql`UPDATE ${passkeys} SET ends_at = ${endsAt}
    WHERE ${isPerson(key)} AND ${endsLater(endsAt)}`.execute(tx)
  const closed = await sql`UPDATE ${sessions} SET ends_at = ${endsAt}
    WHERE ${isPerson(key)} AND ended_at IS NULL AND ${endsLater(endsAt)}`.execute(tx)
  await sql`UPDATE ${people} SET oidc_ends_at = least(oidc_ends_at, ${endsAt})
    WHERE ${isPerson(key)} AND oidc_subject IS NOT NULL`.execute(tx)
  if (key.audience === 'lender') {
    await sql`UPDATE operator_tokens SET ends_at = ${endsAt}
      WHERE ${isPerson(key)} AND revoked_at IS NULL AND ${endsLater(endsAt)}`.execute(tx)
  }
  return {
    passkeys: Number(ended.numAffectedRows),
    sessions: Number(closed.numAffectedRows),
  }
}

/** Ends what came by the link that ends the person's access at `endsAt`, or by a later one, and keeps
 * what it was to replace. */
export async function restoreAccess(
  tx: Tx,
  key: PersonKey,
  { endsAt, now }: { endsAt: Date; now: Date },
): Promise<void> {
  const { people, invitations, passkeys, sessions } = tablesOf(key)
  await sql`UPDATE ${invitations} SET replaces_at = NULL
    WHERE ${isPerson(key)} AND replaces_at >= ${endsAt}`.execute(tx)
  await sql`DELETE FROM ${passkeys} WHERE ${isPerson(key)} AND ${endsLater(endsAt)}`.execute(tx)
  await sql`UPDATE ${passkeys} SET ends_at = NULL
    WHERE ${isPerson(key)} AND ends_at = ${endsAt}`.execute(tx)
  await sql`UPDATE ${sessions} SET ended_at = ${now}
    WHERE ${isPerson(key)} AND ended_at IS NULL AND ${endsLater(endsAt)}`.execute(tx)
  await sql`UPDATE ${sessions} SET ends_at = NULL
    WHERE ${isPerson(key)} AND ended_at IS NULL AND ends_at = ${endsAt}`.execute(tx)
  await sql`UPDATE ${people} SET oidc_ends_at = NULL
    WHERE ${isPerson(key)} AND oidc_ends_at = ${endsAt}`.execute(tx)
  if (key.audience === 'tenant') return
  await sql`UPDATE operator_tokens SET revoked_at = ${now}
    WHERE ${isPerson(key)} AND revoked_at IS NULL AND ${endsLater(endsAt)}`.execute(tx)
  await sql`UPDATE operator_tokens SET ends_at = NULL
    WHERE ${isPerson(key)} AND ends_at = ${endsAt}`.execute(tx)
}
