import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { ChallengeRow } from '../../../db/schema/console.ts'
import { type Audience, tablesOf } from '../../../db/sql/people-tables.ts'

export type NewChallenge = {
  challenge: Buffer
  purpose: ChallengeRow['purpose']
  subject: string
  expiresAt: Date
}

export async function insertChallenge(
  db: Db,
  audience: Audience,
  challenge: NewChallenge,
): Promise<void> {
  await sql`
    INSERT INTO ${tablesOf({ audience }).challenges} (challenge, purpose, subject, expires_at)
    VALUES (${challenge.challenge}, ${challenge.purpose}, ${challenge.subject},
      ${challenge.expiresAt})`.execute(db)
}

/** Returns whether there was such a challenge that has not expired. */
export async function deleteChallenge(
  db: Db,
  audience: Audience,
  given: NewChallenge,
): Promise<boolean> {
  const result = await sql`DELETE FROM ${tablesOf({ audience }).challenges}
    WHERE challenge = ${given.challenge} AND purpose = ${given.purpose}
      AND subject = ${given.subject} AND expires_at > ${given.expiresAt}`.execute(db)
  return result.numAffectedRows === 1n
}
