import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export async function insertRefund(tx: Tx, row: Insertable<Tables['refunds']>): Promise<void> {
  await tx.insertInto('refunds').values(row).execute()
}

export async function selectRefund(db: Db, tenantId: string, refundId: string) {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
}

/** Marks a refund paid; false when it was paid already. */
export async function updateRefundPaid(
  tx: Tx,
  tenantId: string,
  refundId: string,
  paid: { reference: string; at: Date },
): Promise<boolean> {
  const result = await tx
    .updateTable('refunds')
    .set({ status: 'PAID', reference: paid.reference, paid_at: paid.at })
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Counts a refused payment of a refund, once for each that was ordered. */
export async function countRefusal(
  tx: Tx,
  tenantId: string,
  refundId: string,
  before: number,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ refusals: before + 1 })
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('refusals', '=', before)
    .execute()
}

/** For how many milliseconds, by its tenant's clock, the oldest refund is owed whose payment was refused. */
export async function selectOldestRefused(db: Db, realNow: Date): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT max(extract(epoch FROM ${realNow}::timestamptz - r.created_at) * 1000
               + t.clock_offset_ms)::float8 AS ms
    FROM refunds r JOIN tenants t USING (tenant_id)
    WHERE r.status = 'PENDING' AND r.refusals > 0
  `.execute(db)
  return rows[0]?.ms ?? undefined
}
