import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

export type ChallengePurpose = 'sign_in' | 'add_passkey' | 'revoke_key'

export type NewChallenge = {
  challenge: Buffer
  purpose: ChallengePurpose
  subject: string
  expiresAt: Date
}

export async function insertChallenge(db: Db, challenge: NewChallenge): Promise<void> {
  await db
    .insertInto('console_challenges')
    .values({
      challenge: challenge.challenge,
      purpose: challenge.purpose,
      subject: challenge.subject,
      expires_at: challenge.expiresAt,
    })
    .execute()
}

/** Returns whether there was such a challenge that has not expired. */
export async function deleteChallenge(db: Db, given: NewChallenge): Promise<boolean> {
  const result = await db
    .deleteFrom('console_challenges')
    .where('challenge', '=', given.challenge)
    .where('purpose', '=', given.purpose)
    .where('subject', '=', given.subject)
    .where('expires_at', '>', given.expiresAt)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteChallengesBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM console_challenges WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM console_challenges
      WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
