import { randomBytes } from 'node:crypto'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { type ChallengePurpose, deleteChallenge, insertChallenge } from './challenge-queries.ts'

const VALID_MS = 5 * MINUTE_MS

/** What a passkey is to sign: for a sign-in, or for one act of one person. */
export type ChallengeFor = {
  purpose: ChallengePurpose
  /** The person, or the person and the key; empty at a sign-in. */
  subject: string
}

export async function createChallenge(db: Db, wanted: ChallengeFor, now: Date): Promise<Buffer> {
  const challenge = randomBytes(32)
  await insertChallenge(db, { ...wanted, challenge, expiresAt: addMs(now, VALID_MS) })
  return challenge
}

/** Outside the transaction of the act: a challenge is used up by an answer that fails too. */
export async function takeChallenge(
  db: Db,
  wanted: ChallengeFor,
  given: string,
  now: Date,
): Promise<boolean> {
  const challenge = Buffer.from(given, 'base64url')
  if (challenge.length !== 32) return false
  return await deleteChallenge(db, { ...wanted, challenge, expiresAt: now })
}
