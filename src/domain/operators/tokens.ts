import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import { lockPerson } from '../people/people-queries.ts'
import { newToken, parseToken } from '../people/tokens.ts'
import type { Operator } from './roles.ts'
import {
  insertOperatorToken,
  selectOperatorTokens,
  selectTokenHolder,
  updateTokenFirstUsed,
  updateTokenRevoked,
} from './token-queries.ts'

export const LONGEST_TOKEN_DAYS = 366

const PREFIX = 'opt'

export type OperatorToken = {
  id: string
  email: string
  name: string
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | undefined
}

export type TokenTerms = {
  name: string
  expiresAt: Date
  /** The system's user made it at the command line. */
  isTrusted?: boolean
  /** When a new link replaces the session in which it is made. */
  endsAt?: Date | undefined
}

/** Returns the token, which is stored nowhere: 256 random bits. Refuses `validation_failed` for an
 * end that has passed or is more than a year away. */
export async function createOperatorToken(
  tx: Tx,
  operator: Operator,
  { name, expiresAt, isTrusted = false, endsAt }: TokenTerms,
  now: Date,
): Promise<{ id: string; token: string }> {
  if (expiresAt <= now || expiresAt > addMs(now, LONGEST_TOKEN_DAYS * DAY_MS)) {
    const detail = `A token must end within ${LONGEST_TOKEN_DAYS} days from now.`
    throw new Refusal('validation_failed', detail)
  }
  // A decision by what the operator has waits for this.
  await lockPerson(tx, { ...LENDER, personId: operator.id })
  const id = newId('opt')
  const { token, hash } = newToken(PREFIX)
  await insertOperatorToken(tx, {
    ...{ tokenId: id, operatorId: operator.id, name, tokenHash: hash },
    ...{ createdAt: now, expiresAt, endsAt, isTrusted },
  })
  return { id, token }
}

/** `heldSince`: its first use; undefined for one that the system's user made. Undefined for a token
 * that is unknown, revoked, expired or replaced by a new link, and of one who was removed. */
export async function findTokenHolder(
  db: Db,
  token: string,
  now: Date,
): Promise<{ operator: Operator; heldSince: Date | undefined } | undefined> {
  const parsed = parseToken(token)
  const row = parsed?.prefix === PREFIX ? await selectTokenHolder(db, parsed.hash, now) : undefined
  if (!row) return undefined
  const operator = { id: row.operator_id, email: row.email, name: row.name, role: row.role }
  if (row.held_since || row.is_trusted) return { operator, heldSince: row.held_since ?? undefined }
  await updateTokenFirstUsed(db, row.token_id, now)
  return { operator, heldSince: now }
}

export function stateOfToken(
  { revokedAt, expiresAt }: OperatorToken,
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked'
  return expiresAt <= now ? 'expired' : 'active'
}

/** Of all operators, oldest first. */
export async function listOperatorTokens(db: Db): Promise<OperatorToken[]> {
  return (await selectOperatorTokens(db)).map((row) => ({
    id: row.token_id,
    email: row.email,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.ends_at && row.ends_at < row.expires_at ? row.ends_at : row.expires_at,
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
