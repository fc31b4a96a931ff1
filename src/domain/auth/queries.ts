import { sql } from 'kysely'
import { addMs, DAY_MS, SECOND_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, scopeOf, type TenantScope } from '../../db/tenant-scope.ts'

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

/** Returns false for a tenant that is not there, and for one that is closed: it gets no key and no person. */
export async function lockTenant(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .where('closed_at', 'is', null)
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

export type ExpiringKey = { tenantId: string; keyId: string; expiresAt: Date }

/** Keys whose next warning is due, the first to expire first. */
export async function selectExpiring(
  db: Db,
  { tenantId, now, limit }: { tenantId: TenantScope; now: Date; limit: number },
): Promise<ExpiringKey[]> {
  // @across tenants: the sweep finds the keys of all.
  const { rows } = await sql<ExpiringKey>`
    SELECT tenant_id AS "tenantId", key_id AS "keyId", expires_at AS "expiresAt" FROM api_keys
    WHERE ${isWarningDue(now)} AND ${inScope(tenantId)}
    ORDER BY expires_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Returns false where the key was warned of or revoked meanwhile. */
export async function updateExpiryWarned(
  tx: Tx,
  { tenantId, keyId }: ExpiringKey,
  now: Date,
): Promise<boolean> {
  const result = await sql`
    UPDATE api_keys SET expiry_warned_at = ${now}
    WHERE tenant_id = ${tenantId} AND key_id = ${keyId} AND ${isWarningDue(now)}`.execute(tx)
  return result.numAffectedRows === 1n
}

/** A threshold that lay in the past when the key was made is not warned of. Hours, because a day of a
 * session's time zone may have another length. */
function isWarningDue(now: Date) {
  const [first, last] = EXPIRY_WARNINGS_DAYS.map((days) => addMs(now, days * DAY_MS))
  const hours = (days: number) => sql`make_interval(hours => ${sql.lit(24 * days)})`
  const [early, late] = EXPIRY_WARNINGS_DAYS
  return sql`revoked_at IS NULL AND expires_at > ${now} AND expires_at <= ${first}
    AND coalesce(expiry_warned_at, created_at) < expires_at - CASE
      WHEN expires_at <= ${last} THEN ${hours(late)} ELSE ${hours(early)} END`
}

/** The first and the last. */
const EXPIRY_WARNINGS_DAYS = [14, 3] as const

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
