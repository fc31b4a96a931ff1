import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ChallengeRow } from '../../db/schema/console.ts'

/** Tenants' people and operators have one each. */
export type ChallengeTable = 'console_challenges' | 'operator_challenges'

export type NewChallenge = {
  challenge: Buffer
  purpose: ChallengeRow['purpose']
  subject: string
  expiresAt: Date
}

export async function insertChallenge(
  db: Db,
  table: ChallengeTable,
  challenge: NewChallenge,
): Promise<void> {
  await db
    .insertInto(table)
    .values({
      challenge: challenge.challenge,
      purpose: challenge.purpose,
      subject: challenge.subject,
      expires_at: challenge.expiresAt,
    })
    .execute()
}

/** Returns whether there was such a challenge that has not expired. */
export async function deleteChallenge(
  db: Db,
  table: ChallengeTable,
  given: NewChallenge,
): Promise<boolean> {
  const result = await sql`DELETE FROM ${sql.table(table)}
    WHERE challenge = ${given.challenge} AND purpose = ${given.purpose}
      AND subject = ${given.subject} AND expires_at > ${given.expiresAt}`.execute(db)
  return result.numAffectedRows === 1n
}

export async function deleteChallengesBefore(
  db: Db,
  table: ChallengeTable,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)}
      WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
