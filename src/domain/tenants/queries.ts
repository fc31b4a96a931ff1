import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { executeShared } from '../../db/transactions/execute.ts'

export async function insertTenant(
  tx: Tx,
  tenant: { tenantId: string; name: string; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('tenants')
    .values({ tenant_id: tenant.tenantId, name: tenant.name, created_at: tenant.createdAt })
    .execute()
  await tx.insertInto('tenant_counters').values({ tenant_id: tenant.tenantId }).execute()
  await tx.insertInto('tenant_list').values({ tenant_id: tenant.tenantId }).execute()
}

const COLUMNS = [
  ...(['tenant_id', 'name', 'created_at', 'suspended_at', 'suspension_reason'] as const),
  'closed_at',
] as const

export async function selectTenants(db: Db) {
  // @across tenants: the operator’s list of tenants.
  return await db
    .selectFrom('tenants')
    .select(COLUMNS)
    .orderBy('created_at')
    .orderBy('tenant_id')
    .execute()
}

/** Of a distributed database, also while a node is away. */
export async function selectTenantIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('tenant_list').select('tenant_id').orderBy('tenant_id').execute()
  return rows.map((row) => row.tenant_id)
}

/** Tenants of nodes that did not answer the last heartbeat, and since when. */
export async function selectAbsentTenants(db: Db): Promise<{ tenantId: string; since: Date }[]> {
  return await db
    .selectFrom('absent_tenants')
    .select(['tenant_id as tenantId', 'since'])
    .orderBy('tenant_id')
    .execute()
}

/** Those that are absent already stay so since then. */
export async function insertAbsentTenants(
  db: Db,
  tenantIds: readonly string[],
  since: Date,
): Promise<void> {
  await sql`
    INSERT INTO absent_tenants (tenant_id, since)
    SELECT tenant_id, ${since} FROM unnest(${[...tenantIds]}::text[]) AS t (tenant_id)
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function deleteAbsentTenant(db: Db, tenantId: string): Promise<void> {
  await db.deleteFrom('absent_tenants').where('tenant_id', '=', tenantId).execute()
}

/** Newest first: ids are in the order of time. */
export async function selectTenantPage(
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
) {
  // @across tenants: the operator’s list of tenants.
  return await db
    .selectFrom('tenants')
    .select(COLUMNS)
    .$if(before !== undefined, (query) => query.where('tenant_id', '<', before ?? ''))
    .orderBy('tenant_id', 'desc')
    .limit(limit)
    .execute()
}

export async function selectTenant(db: Db, tenantId: string) {
  return await db
    .selectFrom('tenants')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

export async function tenantExists(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row !== undefined
}

export async function lockSuspension(tx: Tx, tenantId: string) {
  return await tx
    .selectFrom('tenants')
    .select(['suspended_at', 'suspension_reason', 'closed_at'])
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateSuspension(
  tx: Tx,
  tenantId: string,
  suspension: { at: Date; reason: string } | undefined,
): Promise<void> {
  await tx
    .updateTable('tenants')
    .set({
      suspended_at: suspension?.at ?? null,
      suspension_reason: suspension?.reason ?? null,
    })
    .where('tenant_id', '=', tenantId)
    .execute()
}

const selectOffsets = builtOnce((db, { tenantId }: { tenantId: string }) =>
  db.selectFrom('tenants').select('clock_offset_ms').where('tenant_id', '=', tenantId),
)

export async function selectClockOffset(db: Db, tenantId: string): Promise<bigint | undefined> {
  return (await executeShared(db, tenantId, selectOffsets({ tenantId })))[0]?.clock_offset_ms
}

/** Raises the offset to at least `offsetMs` in one statement, and returns what it then is. */
export async function raiseClockOffset(
  db: Db,
  tenantId: string,
  offsetMs: bigint,
): Promise<bigint> {
  const row = await db
    .updateTable('tenants')
    .set({ clock_offset_ms: sql`greatest(clock_offset_ms, ${offsetMs})` })
    .where('tenant_id', '=', tenantId)
    .returning('clock_offset_ms')
    .executeTakeFirstOrThrow()
  return row.clock_offset_ms
}
