import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { exactTime } from '../../../db/sql/as-text.ts'

export async function insertRefund(tx: Tx, row: Insertable<Tables['refunds']>): Promise<void> {
  await tx.insertInto('refunds').values(row).execute()
}

/** Marks the next payment as ordered; undefined where none is payable. The caller holds the facility's
 * lock and has seen no hold. */
export async function updateRefundOrdered(tx: Tx, tenantId: string, refundId: string, now: Date) {
  return await tx
    .updateTable('refunds')
    .set((expression) => ({ ordered: expression.ref('refusals') }))
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PENDING')
    .where((where) => where.or([where('payable_at', 'is', null), where('payable_at', '<=', now)]))
    .returningAll()
    .executeTakeFirst()
}

export async function selectRefund(db: Db, tenantId: string, refundId: string) {
  return await db
    .selectFrom('refunds')
    .select(['facility_id', 'status'])
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
}

/** Those that had to wait. */
export async function selectPayableRefunds(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('refunds')
    .select('refund_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .where('payable_at', '<=', now)
    .execute()
  return rows.map((row) => row.refund_id)
}

export async function lockRefund(tx: Tx, tenantId: string, refundId: string) {
  return await tx
    .selectFrom('refunds')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateRefundDestination(
  tx: Tx,
  tenantId: string,
  refundId: string,
  destination: string,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ destination })
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PENDING')
    .execute()
}

export async function insertRedirect(
  tx: Tx,
  redirect: Omit<Insertable<Tables['refund_redirects']>, 'number'>,
): Promise<void> {
  const { tenant_id: tenantId, refund_id: refundId, refusals, reason } = redirect
  await sql`
    INSERT INTO refund_redirects (tenant_id, refund_id, number, from_destination, to_destination,
                                  refusals, reason, redirected_at)
    SELECT ${tenantId}, ${refundId}, coalesce(max(number), 0) + 1, ${redirect.from_destination},
           ${redirect.to_destination}, ${refusals}::int, ${reason},
           ${redirect.redirected_at}::timestamptz
    FROM refund_redirects WHERE tenant_id = ${tenantId} AND refund_id = ${refundId}`.execute(tx)
}

export async function selectRefused(
  db: Db,
  { after, limit }: { after?: readonly string[] | undefined; limit?: number },
) {
  // @across tenants: the operator has one list of all.
  return await db
    .selectFrom('refunds')
    .selectAll()
    .select(exactTime('created_at').as('position'))
    // Written out: a plan for any status could not use the index of refused refunds.
    .where(sql<boolean>`status = 'PENDING' AND refusals > 0`)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, refund_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('created_at')
    .orderBy('refund_id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** Not beyond `most`. */
export async function countRefused(db: Db, most: number): Promise<number> {
  // @across tenants: a measure of all.
  // @plan reads refunds: as many as are counted, which is bounded.
  const { rows } = await sql<{ refused: number }>`
    SELECT count(*)::int AS refused FROM (
      SELECT refund_id FROM refunds WHERE status = 'PENDING' AND refusals > 0 LIMIT ${most}) AS found`.execute(
    db,
  )
  return rows[0]?.refused ?? 0
}

/** False when it was paid already. */
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

/** The payment of this number never happens, recalled or not: the next has another. A late answer about
 * an earlier one changes nothing. */
export async function countRefusal(
  tx: Tx,
  tenantId: string,
  refundId: string,
  { refusals, recalls }: { refusals: number; recalls: number },
): Promise<void> {
  await sql`
    UPDATE refunds
    SET refusals = refusals + (recalled_at IS NULL)::int,
        recalls = recalls + (recalled_at IS NOT NULL)::int,
        ordered = CASE WHEN recalled_at IS NULL THEN ordered END, recalled_at = NULL
    WHERE tenant_id = ${tenantId} AND refund_id = ${refundId} AND status = 'PENDING'
      AND refusals = ${refusals} AND recalls = ${recalls}`.execute(tx)
}

/** In milliseconds, by each tenant's clock. */
export async function selectOldestRefused(db: Db, realNow: Date): Promise<number | undefined> {
  // @across tenants: a measure of all.
  const { rows } = await sql<{ ms: number | null }>`
    SELECT max(extract(epoch FROM ${realNow}::timestamptz - r.created_at) * 1000
               + t.clock_offset_ms)::float8 AS ms
    FROM refunds r JOIN tenants t USING (tenant_id)
    WHERE r.status = 'PENDING' AND r.refusals > 0
  `.execute(db)
  return rows[0]?.ms ?? undefined
}
