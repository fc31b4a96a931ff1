import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute } from '../../db/transactions/execute.ts'

export type RecordRow = {
  fingerprint: Buffer
  status: number
  body: string
  secret_id: string | null
  borrower_id: string | null
  recorded_at: Date
}

export type LockedKey = {
  acquired: boolean
  record: RecordRow | undefined
  /** Of the tenant, so that reading its clock takes no statement of its own. */
  clockOffsetMs: bigint | undefined
}

type LockRow = { acquired: boolean; clock_offset_ms: bigint | null } & Partial<RecordRow>

const tryLock = builtOnce(
  (_tx, { tenantId, key, name }: Record<'tenantId' | 'key' | 'name', string>) => sql<LockRow>`
    SELECT l.acquired, t.clock_offset_ms,
           r.fingerprint, r.status, r.body, r.secret_id, r.borrower_id, r.recorded_at
    FROM (SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS acquired) l
    LEFT JOIN tenants t ON t.tenant_id = ${tenantId}
    LEFT JOIN idempotency_records r ON r.tenant_id = ${tenantId} AND r.key = ${key}::uuid`,
)

/** The record is of just before the lock; one committed between is caught by the primary key. */
export async function tryLockKey(tx: Tx, tenantId: string, key: string): Promise<LockedKey> {
  const [row] = await execute(tx, tryLock({ tenantId, key, name: `${tenantId}/${key}` }))
  if (!row) throw new Error('the advisory lock query returned no row')
  return {
    acquired: row.acquired,
    record: row.fingerprint ? (row as RecordRow) : undefined,
    clockOffsetMs: row.clock_offset_ms ?? undefined,
  }
}

export async function selectRecord(
  db: Db,
  tenantId: string,
  key: string,
): Promise<RecordRow | undefined> {
  return await db
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'status', 'body', 'secret_id', 'borrower_id', 'recorded_at'])
    .where('tenant_id', '=', tenantId)
    .where('key', '=', key)
    .executeTakeFirst()
}

type NewRecord = RecordRow & { tenant_id: string; key: string }

const insert = builtOnce(
  (_tx, record: NewRecord) => sql`
    INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, secret_id, borrower_id,
                                     recorded_at)
    VALUES (${record.tenant_id}, ${record.key}, ${record.fingerprint}, ${record.status},
            ${record.body}, ${record.secret_id}, ${record.borrower_id}, ${record.recorded_at})`,
)

export function insertRecord(tx: Tx, record: NewRecord): void {
  tx.send(insert(record))
}

export async function deleteRecordsBefore(
  db: Db,
  before: Date,
  { tenantId, limit }: { tenantId: TenantScope; limit: number },
): Promise<number> {
  // @one server: deletes by age, whichever tenants have them.
  // @plan reads idempotency_records: for one tenant, the old rows of others on its node.
  const result = await sql`
    DELETE FROM idempotency_records WHERE ${inScope(tenantId)} AND ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_records
      WHERE recorded_at < ${before} AND ${inScope(tenantId)} ORDER BY recorded_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** Scans all records to find the few; nothing waits for it.
 * @one server: pages go from tenant to tenant. */
export async function lockRecordsOfOtherKeys(
  tx: Tx,
  keyId: string,
  page: {
    tenantId: TenantScope
    after: { tenant_id: string; key: string } | undefined
    limit: number
  },
) {
  tx.limitStatements(0)
  const { after } = page
  const { rows } = await sql<{ tenant_id: string; key: string; body: string }>`
    SELECT tenant_id, key, body FROM idempotency_records
    WHERE ${inScope(page.tenantId)} AND secret_id IS NOT NULL AND split_part(body, '.', 1) <> ${keyId}
      AND (${after === undefined} OR (tenant_id, key) > (${after?.tenant_id ?? ''}, ${after?.key ?? null}::uuid))
    ORDER BY tenant_id, key LIMIT ${page.limit} FOR UPDATE`.execute(tx)
  return rows
}

export async function updateSealedBody(
  tx: Tx,
  tenantId: string,
  key: string,
  body: string,
): Promise<void> {
  await tx
    .updateTable('idempotency_records')
    .set({ body })
    .where('tenant_id', '=', tenantId)
    .where('key', '=', key)
    .execute()
}
