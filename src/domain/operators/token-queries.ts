import type { Db, Tx } from '../../db/database.ts'

export type NewOperatorToken = {
  tokenId: string
  operatorId: string
  name: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
  endsAt: Date | undefined
  isTrusted: boolean
}

export async function insertOperatorToken(tx: Tx, token: NewOperatorToken): Promise<void> {
  await tx
    .insertInto('operator_tokens')
    .values({
      token_id: token.tokenId,
      operator_id: token.operatorId,
      name: token.name,
      token_hash: token.tokenHash,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      ends_at: token.endsAt ?? null,
      is_trusted: token.isTrusted,
    })
    .execute()
}

/** With the operator as they are now; none of one who was removed. */
export async function selectTokenHolder(db: Db, tokenHash: Buffer, now: Date) {
  return await db
    .selectFrom('operator_tokens as t')
    .innerJoin('operators as o', 'o.operator_id', 't.operator_id')
    .select(['t.token_id', 't.held_since', 't.is_trusted'])
    .select(['o.operator_id', 'o.email', 'o.name', 'o.role'])
    .where('t.token_hash', '=', tokenHash)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where((eb) => eb.or([eb('t.ends_at', 'is', null), eb('t.ends_at', '>', now)]))
    .where('o.removed_at', 'is', null)
    .executeTakeFirst()
}

export async function updateTokenFirstUsed(db: Db, tokenId: string, now: Date): Promise<void> {
  await db
    .updateTable('operator_tokens')
    .set({ held_since: now })
    .where('token_id', '=', tokenId)
    .where('held_since', 'is', null)
    .execute()
}

export async function selectOperatorTokens(db: Db) {
  return await db
    .selectFrom('operator_tokens as t')
    .innerJoin('operators as o', 'o.operator_id', 't.operator_id')
    .select(['t.token_id', 't.name', 't.created_at', 't.expires_at', 't.ends_at', 't.revoked_at'])
    .select('o.email')
    .orderBy('t.token_id')
    .execute()
}

export async function updateTokenRevoked(
  tx: Tx,
  tokenId: string,
  now: Date,
): Promise<{ name: string; operator_id: string } | undefined> {
  return await tx
    .updateTable('operator_tokens')
    .set({ revoked_at: now })
    .where('token_id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'operator_id'])
    .executeTakeFirst()
}
