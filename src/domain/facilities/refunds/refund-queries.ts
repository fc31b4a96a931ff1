import { type Insertable, sql, type Updateable } from 'kysely'
import type { SealedText } from '../../../core/sealing.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { exactTime } from '../../../db/sql/as-text.ts'

export async function insertRefund(tx: Tx, row: Insertable<Tables['refunds']>): Promise<void> {
  await tx.insertInto('refunds').values(row).execute()
}

/** False where it is not payable yet, or no longer. The caller holds the facility's lock. */
export async function updateRefundOrdered(
  tx: Tx,
  tenantId: string,
  { refundId, units, cents }: { refundId: string; units: bigint; cents: bigint },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE refunds x SET ordered = refusals, ordered_units = ${units}, ordered_cents = ${cents}
    WHERE tenant_id = ${tenantId} AND refund_id = ${refundId} AND status = 'PENDING'
      AND NOT awaits_redirect AND (payable_at IS NULL OR payable_at <= ${now})
      -- Final by its date is not enough: the treasury is asked then whether it has come back.
      AND NOT EXISTS (SELECT FROM repayments r WHERE r.tenant_id = ${tenantId}
        AND r.facility_id = x.facility_id AND r.final_at <= x.payable_at AND r.finality_at IS NULL
        AND r.return_code IS NULL)
    RETURNING refund_id`.execute(tx)
  return rows.length > 0
}

/** Not paid, and of a debt: newest first. */
export async function selectOpenRefunds(tx: Tx, tenantId: string, facilityId: string) {
  return await tx
    .selectFrom('refunds as x')
    .selectAll('x')
    .where('x.tenant_id', '=', tenantId)
    .where('x.facility_id', '=', facilityId)
    .where('x.status', '=', 'PENDING')
    .where('x.cents', '>', 0n)
    .where(isOfDebt(tenantId, facilityId))
    .orderBy('x.created_at', 'desc')
    .orderBy('x.refund_id', 'desc')
    .forNoKeyUpdate()
    .execute()
}

/** Neither of what was in suspense nor of money in another asset. */
const isOfDebt = (tenantId: string, facilityId: string) => sql<boolean>`
  x.source_id NOT LIKE '%/suspense%' AND NOT EXISTS (
    SELECT FROM journal_entries k WHERE k.tenant_id = ${tenantId} AND k.facility_id = ${facilityId}
      AND k.entry_id = 'suspense/' || split_part(x.source_id, '/', 1))`

export async function updatePendingRefund(
  tx: Tx,
  tenantId: string,
  refundId: string,
  change: Updateable<Tables['refunds']>,
): Promise<void> {
  const result = await tx
    .updateTable('refunds')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) throw new Error(`refund ${refundId} changed under its lock`)
}

export type RefundRow = NonNullable<Awaited<ReturnType<typeof lockRefund>>>

/** What the refund is for, and whether the transfer that it is from was taken back. */
export async function selectRefundOrigin(
  tx: Tx,
  tenantId: string,
  { facility_id: facilityId, source_id: sourceId }: Pick<RefundRow, 'facility_id' | 'source_id'>,
): Promise<{ kind: 'debt' | 'suspense' | 'in_kind'; isTakenBack: boolean }> {
  const [repaymentId = ''] = sourceId.split('/')
  const { rows } = await sql<{ is_in_kind: boolean; is_taken_back: boolean }>`
    SELECT EXISTS (SELECT FROM journal_entries k WHERE k.tenant_id = ${tenantId}
             AND k.facility_id = ${facilityId} AND k.entry_id = ${`suspense/${repaymentId}`})
             AS is_in_kind,
           EXISTS (SELECT FROM repayments r WHERE r.tenant_id = ${tenantId}
             AND r.repayment_id = ${repaymentId} AND r.return_code IS NOT NULL) AS is_taken_back`.execute(
    tx,
  )
  const [row] = rows
  const isTakenBack = row?.is_taken_back ?? false
  if (sourceId.includes('/suspense')) return { kind: 'suspense', isTakenBack }
  if (row?.is_in_kind) return { kind: 'in_kind', isTakenBack }
  return { kind: 'debt', isTakenBack: false }
}

export async function selectRefundRow(
  db: Db,
  tenantId: string,
  refundId: string,
): Promise<RefundRow | undefined> {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
}

export async function updateReturnedRefund(
  tx: Tx,
  tenantId: string,
  refundId: string,
  { code, at }: { code: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ status: 'RETURNED', return_code: code, returned_at: at })
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PAID')
    .execute()
}

/** Of what was in suspense, or in another asset: the newest, whatever has become of it. */
export async function lockRefundOf(tx: Tx, tenantId: string, sourceIds: readonly string[]) {
  return await tx
    .selectFrom('refunds')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('source_id', 'in', sourceIds)
    .orderBy('created_at', 'desc')
    .orderBy('refund_id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
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
  destination: SealedText,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ destination, awaits_redirect: false })
    .where('tenant_id', '=', tenantId)
    .where('refund_id', '=', refundId)
    .where('status', '=', 'PENDING')
    .execute()
}

/** Those of which a payment may have been ordered and was not answered; to one destination, or all. */
export async function recallRefunds(
  tx: Tx,
  tenantId: string,
  { facilityId, destination }: { facilityId: string; destination?: SealedText },
  now: Date,
): Promise<string[]> {
  const rows = await tx
    .updateTable('refunds')
    .set({ recalled_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .where(sql<boolean>`ordered = refusals`)
    .where('recalled_at', 'is', null)
    .$call((query) =>
      destination === undefined ? query : query.where('destination', '=', destination),
    )
    .returning('refund_id')
    .execute()
  return rows.map((row) => row.refund_id)
}

/** Refunds to a destination from which money came back, of which no payment is under way. */
export async function suspendRefundsTo(
  tx: Tx,
  tenantId: string,
  { facilityId, destination }: { facilityId: string; destination: SealedText },
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set((expression) => ({
      awaits_redirect: true,
      refusals: sql<number>`${expression.ref('refusals')} + 1`,
    }))
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .where('destination', '=', destination)
    .where('awaits_redirect', '=', false)
    .where(sql<boolean>`ordered IS DISTINCT FROM refusals`)
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
    .selectFrom('refunds as r')
    .innerJoin('facilities as f', (join) =>
      join.onRef('f.tenant_id', '=', 'r.tenant_id').onRef('f.facility_id', '=', 'r.facility_id'),
    )
    .leftJoin('borrower_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'f.tenant_id').onRef('k.borrower_id', '=', 'f.borrower_id'),
    )
    .selectAll('r')
    .select(['f.borrower_id', 'k.sealed_key', 'k.erased_at'])
    .select(exactTime('r.created_at').as('position'))
    // Written out: a plan for any status could not use the index of refused refunds.
    .where(sql<boolean>`r.status = 'PENDING' AND r.refusals > 0`)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(r.created_at, r.refund_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('r.created_at')
    .orderBy('r.refund_id')
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
