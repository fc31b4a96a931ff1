import { sql } from 'kysely'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, scopeOf } from '../../db/tenant-scope.ts'

export type NewKey = {
  tenantId: string
  keyId: string
  publicKey: Buffer
  label: string
  scopes: readonly string[]
  createdAt: Date
  expiresAt: Date | undefined
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      tenant_id: key.tenantId,
      key_id: key.keyId,
      public_key: key.publicKey,
      label: key.label,
      scopes: [...key.scopes],
      created_at: key.createdAt,
      expires_at: key.expiresAt ?? null,
    })
    .execute()
  await tx
    .insertInto('api_key_owners')
    .values({ key_id: key.keyId, tenant_id: key.tenantId })
    .execute()
}

/** Revoked and expired keys have one too. One server has the list of all keys, so an invented key is asked of no
 * node of a distributed database. */
export async function selectKeyOwners(db: Db, keyIds: readonly string[]) {
  return await db
    .selectFrom('api_key_owners')
    .select(['key_id', 'tenant_id'])
    .where('key_id', '=', sql<string>`ANY(${keyIds})`)
    .execute()
}

/** Undefined for a revoked key. */
export async function selectKey(db: Db, tenantId: string, keyId: string) {
  return await db
    .selectFrom('api_keys as k')
    .innerJoin('tenants as t', 't.tenant_id', 'k.tenant_id')
    .select(['k.tenant_id', 'k.key_id', 'k.public_key', 'k.scopes', 'k.expires_at'])
    .select('t.suspended_at')
    .where('k.revoked_at', 'is', null)
    .where('k.tenant_id', '=', tenantId)
    .where('k.key_id', '=', keyId)
    .executeTakeFirst()
}

export async function selectKeys(db: Db, tenantId: string) {
  return await db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
}

export async function lockTenant(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function updateKeyRevoked(
  tx: Tx,
  tenantId: string,
  keyId: string,
  revokedAt: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('tenant_id', '=', tenantId)
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

const WITHIN_MS = 30 * SECOND_MS

/** Never earlier than what is stored: other processes write too.
 * @one server: of all tenants whose keys were used. */
export async function updateKeysUsed(
  db: Db,
  uses: readonly { tenantId: string; keyId: string; usedAt: Date }[],
): Promise<void> {
  await sql`
    UPDATE api_keys k SET last_used_at = used.at
    FROM unnest(${uses.map(({ tenantId }) => tenantId)}::text[],
                ${uses.map(({ keyId }) => keyId)}::text[],
                ${uses.map(({ usedAt }) => usedAt)}::timestamptz[],
                ${uses.map(({ usedAt }) => addMs(usedAt, -WITHIN_MS))}::timestamptz[])
           AS used (tenant_id, key_id, at, unless_since)
    WHERE k.tenant_id = used.tenant_id AND k.key_id = used.key_id
      AND (k.last_used_at IS NULL OR k.last_used_at < used.unless_since)
      AND ${inScope(scopeOf(uses), 'k.tenant_id')}`.execute(db)
}
