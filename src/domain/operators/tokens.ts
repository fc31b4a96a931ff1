import { hash, randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Operator } from './operators.ts'
import {
  insertOperatorToken,
  selectOperatorTokens,
  selectTokenHolder,
  updateTokenRevoked,
} from './token-queries.ts'

export const LONGEST_TOKEN_DAYS = 366

const TOKEN = /^opt\.[A-Za-z0-9_-]{43}$/

export type OperatorToken = {
  id: string
  email: string
  name: string
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | undefined
}

/** Returns the token, which is stored nowhere: 256 random bits. Refuses `validation_failed` for an
 * end that has passed or is more than a year away. */
export async function createOperatorToken(
  tx: Tx,
  operator: Operator,
  { name, expiresAt }: { name: string; expiresAt: Date },
  now: Date,
): Promise<{ id: string; token: string }> {
  if (expiresAt <= now || expiresAt > addMs(now, LONGEST_TOKEN_DAYS * DAY_MS)) {
    const detail = `A token must end within ${LONGEST_TOKEN_DAYS} days from now.`
    throw new Refusal('validation_failed', detail)
  }
  const id = newId('opt')
  const token = `opt.${randomBytes(32).toString('base64url')}`
  await insertOperatorToken(tx, {
    ...{ tokenId: id, operatorId: operator.id, name, tokenHash: hashOf(token) },
    ...{ createdAt: now, expiresAt },
  })
  return { id, token }
}

/** Undefined for a token that is unknown, revoked or expired, and of one who was removed. */
export async function findTokenHolder(
  db: Db,
  token: string,
  now: Date,
): Promise<Operator | undefined> {
  const row = TOKEN.test(token) ? await selectTokenHolder(db, hashOf(token), now) : undefined
  return row && { id: row.operator_id, email: row.email, name: row.name, role: row.role }
}

/** Of all operators, oldest first. */
export async function listOperatorTokens(db: Db): Promise<OperatorToken[]> {
  return (await selectOperatorTokens(db)).map((row) => ({
    id: row.token_id,
    email: row.email,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
  }))
}

/** Takes effect with the next request. Refuses `not_found`. */
export async function revokeOperatorToken(
  tx: Tx,
  tokenId: string,
  now: Date,
): Promise<{ name: string }> {
  const revoked = await updateTokenRevoked(tx, tokenId, now)
  if (!revoked) throw new Refusal('not_found', 'There is no such token, or it was revoked before.')
  return { name: revoked.name }
}

const hashOf = (token: string) => hash('sha256', token, 'buffer')
