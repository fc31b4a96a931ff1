import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { TenantMove } from '../../db/schema/tenants.ts'

export type OpenMove = {
  move_id: string
  direction: 'out' | 'in'
  other_instance: string
  other_cell: string | null
  held_at: Date | null
}

export async function selectTenantMove(
  db: Db,
  tenantId: string,
): Promise<{ move: TenantMove | null } | undefined> {
  return await db
    .selectFrom('tenants')
    .select('move')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

export async function selectOpenMove(db: Db, tenantId: string): Promise<OpenMove | undefined> {
  return await db
    .selectFrom('tenant_moves')
    .select(['move_id', 'direction', 'other_instance', 'other_cell', 'held_at'])
    .where('tenant_id', '=', tenantId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function insertMove(
  tx: Tx,
  move: {
    tenantId: string
    moveId: string
    direction: 'out' | 'in'
    otherInstance: string
    otherCell: string | undefined
  },
): Promise<void> {
  await tx
    .insertInto('tenant_moves')
    .values({
      tenant_id: move.tenantId,
      move_id: move.moveId,
      direction: move.direction,
      other_instance: move.otherInstance,
      other_cell: move.otherCell ?? null,
    })
    .execute()
}

/** False where the tenant is in another state than `from`. */
export async function updateTenantMove(
  tx: Tx,
  tenantId: string,
  { from, to }: { from: TenantMove | null; to: TenantMove | null },
): Promise<boolean> {
  const result = await tx
    .updateTable('tenants')
    .set({ move: to })
    .where('tenant_id', '=', tenantId)
    .where('move', from === null ? 'is' : '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** For the rest of the transaction the tenant's rows can be written here. */
export async function passFence(tx: Tx, tenantId: string): Promise<void> {
  await sql`SELECT set_config('lending.mover', ${tenantId}, true)`.execute(tx)
}

/** The next sweep finds what is due, and settles the others. */
export async function makeWebhooksDue(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .updateTable('webhook_dues')
    .set({ due_at: sql`now()` })
    .where('tenant_id', '=', tenantId)
    .execute()
}

export async function updateHeld(db: Db, tenantId: string): Promise<void> {
  await db
    .updateTable('tenant_moves')
    .set({ held_at: sql`coalesce(held_at, now())` })
    .where('tenant_id', '=', tenantId)
    .where('ended_at', 'is', null)
    .execute()
}

export async function updateEnded(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .updateTable('tenant_moves')
    .set({ ended_at: sql`now()` })
    .where('tenant_id', '=', tenantId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Work and deliveries of the tenant that a worker is at. */
export async function hasClaims(db: Db, tenantId: string): Promise<boolean> {
  // @plan reads work, deliveries: while a tenant leaves, what of it is pending or runs.
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM work WHERE tenant_id = ${tenantId} AND lease IS NOT NULL
                     AND held_until > now())
        OR EXISTS (SELECT FROM deliveries WHERE tenant_id = ${tenantId} AND lease IS NOT NULL
                     AND due_at > now()) AS found`.execute(db)
  return rows[0]?.found ?? false
}

export async function selectMigrations(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name).join()
}

/** What decides about loans and is no tenant's: as texts to compare. */
export async function selectPolicies(db: Db): Promise<{ margin: string; residency: string }> {
  const { rows } = await sql<{ margin: string; residency: string }>`
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_array(v.number, v.terms, v.effective_from AT TIME ZONE 'UTC',
                w.number IS NOT NULL) ORDER BY v.number), '[]')::text
       FROM margin_policy_versions v LEFT JOIN margin_policy_withdrawals w USING (number)) AS margin,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(country, state, borrower_type, allowed, rate_ppm,
                max_limit_cents) ORDER BY country, state, borrower_type), '[]')::text
       FROM residency_policy) AS residency`.execute(db)
  return rows[0] ?? { margin: '', residency: '' }
}

export async function selectSealed(
  db: Db,
  tenantId: string,
): Promise<{ sealed: string; key: string | null }[]> {
  const { rows } = await sql<{ sealed: string; key: string | null }>`
    SELECT sealed, NULL AS key FROM signing_secrets WHERE tenant_id = ${tenantId}
    UNION ALL
    SELECT body, key::text FROM idempotency_records
    WHERE tenant_id = ${tenantId} AND secret_id IS NOT NULL`.execute(db)
  return rows
}

export async function selectActiveKeyIds(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('key_id')
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .orderBy('key_id')
    .execute()
  return rows.map((row) => row.key_id)
}
