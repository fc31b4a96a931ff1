import { randomBytes } from 'node:crypto'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { Audience } from '../../../db/sql/people-tables.ts'
import { deleteChallenge, insertChallenge, type NewChallenge } from './challenge-queries.ts'

const VALID_MS = 5 * MINUTE_MS

/** What a passkey is to sign: for a sign-in, or for one act of one person. The subject names the
 * person and the act; empty at a sign-in. */
export type ChallengeFor = Pick<NewChallenge, 'purpose' | 'subject'>

export const SIGN_IN: ChallengeFor = { purpose: 'sign_in', subject: '' }

export async function createChallenge(
  db: Db,
  audience: Audience,
  { validMs = VALID_MS, ...wanted }: ChallengeFor & { validMs?: number },
  now: Date,
): Promise<Buffer> {
  const challenge = randomBytes(32)
  await insertChallenge(db, audience, { ...wanted, challenge, expiresAt: addMs(now, validMs) })
  return challenge
}

/** Outside the transaction of the act: a challenge is used up by an answer that fails too. */
export async function takeChallenge(
  db: Db,
  audience: Audience,
  wanted: ChallengeFor & { given: string },
  now: Date,
): Promise<boolean> {
  const { given, ...meant } = wanted
  const challenge = Buffer.from(given, 'base64url')
  if (challenge.length !== 32) return false
  return await deleteChallenge(db, audience, { ...meant, challenge, expiresAt: now })
}
