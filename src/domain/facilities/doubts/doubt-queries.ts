import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { exactTime } from '../../../db/sql/as-text.ts'

/** The newest answer replaces an older one, whose time it keeps while that is open. */
export async function upsertDoubt(
  tx: Tx,
  row: Insertable<Tables['doubtful_calls']>,
): Promise<void> {
  const { reason, answer } = row
  await tx
    .insertInto('doubtful_calls')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'subject_id']).doUpdateSet({
        reason,
        answer,
        settled_at: null,
        since: sql`CASE WHEN doubtful_calls.settled_at IS NULL THEN doubtful_calls.since
                        ELSE excluded.since END`,
      }),
    )
    .execute()
}

/** False where none is open. */
export async function settleDoubt(
  tx: Tx,
  tenantId: string,
  subjectId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('doubtful_calls')
    .set({ settled_at: now })
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', subjectId)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** In milliseconds, by the tenants' clocks. */
export async function selectOldestDoubt(db: Db, realNow: Date): Promise<number | undefined> {
  // @across tenants: a measure of all.
  const { rows } = await sql<{ ms: number | null }>`
    SELECT max(extract(epoch FROM ${realNow}::timestamptz - d.since) * 1000
               + t.clock_offset_ms)::float8 AS ms
    FROM doubtful_calls d JOIN tenants t USING (tenant_id)
    WHERE d.settled_at IS NULL`.execute(db)
  return rows[0]?.ms ?? undefined
}

/** Selects the payments of all tenants that have no final answer. By the tenant's own clock, `since` is when a
 * payout was sent or recalled, or when a receipt becomes final by its date. */
const UNANSWERED = sql`
      SELECT tenant_id, facility_id, draw_id AS id, 'release-draw' AS topic, asset,
        amount_units AS units, coalesce(recalled_at, payout_sent_at) AS since FROM draws
      WHERE status = 'PENDING' AND payout_sent_at IS NOT NULL
      UNION ALL
      SELECT tenant_id, facility_id, refund_id, 'pay-refund', asset,
        coalesce(ordered_units, amount_units),
        coalesce(recalled_at, greatest(created_at, payable_at)) FROM refunds
      WHERE status = 'PENDING' AND ordered = refusals
      UNION ALL
      SELECT w.tenant_id, r.facility_id, r.repayment_id, w.topic, coalesce(r.confirmed_asset, r.asset),
        coalesce(r.confirmed_units, r.amount_units), r.final_at FROM work w
      JOIN repayments r ON r.tenant_id = w.tenant_id AND r.repayment_id = w.subject_id
      WHERE w.topic = 'check-payment' AND r.finality_at IS NULL AND r.return_code IS NULL`

export type UnansweredRow = {
  tenant_id: string
  facility_id: string
  id: string
  topic: 'release-draw' | 'pay-refund' | 'check-payment'
  asset: string
  units: bigint
  since: Date
  due_at: Date | null
  attempts: number | null
  last_error: string | null
  /** `since`, exactly. */
  position: string
}

/** Those that have waited for `waitedMs` or more, longest first, with the work that asks again. */
export async function selectUnanswered(
  db: Db,
  { realNow, waitedMs }: { realNow: Date; waitedMs: number },
  { after, limit }: { after?: readonly string[] | undefined; limit: number },
): Promise<UnansweredRow[]> {
  // @across tenants: the operator has one list of all.
  // @plan reads draws, refunds: those that are pending, which partial indexes have.
  const rest = after ? sql`AND (o.since, o.id) > (${after[0]}::timestamptz, ${after[1]})` : sql``
  const { rows } = await sql<UnansweredRow>`
    SELECT o.tenant_id, o.facility_id, o.id, o.topic, o.asset, o.units, o.since,
      w.due_at, w.attempts, w.last_error, ${exactTime('o.since')} AS position
    FROM (${UNANSWERED}) o JOIN tenants t ON t.tenant_id = o.tenant_id
    LEFT JOIN work w ON w.tenant_id = o.tenant_id AND w.topic = o.topic AND w.subject_id = o.id
    WHERE o.since <= ${realNow}::timestamptz
      + (t.clock_offset_ms - ${waitedMs}::bigint) * interval '1 millisecond' ${rest}
    ORDER BY o.since, o.id LIMIT ${limit}`.execute(db)
  return rows
}

/** In milliseconds, by the tenants' clocks. */
export async function selectOldestUnanswered(db: Db, realNow: Date): Promise<number | undefined> {
  // @across tenants: a measure of all.
  // @plan reads draws, refunds: those that are pending, which partial indexes have.
  const { rows } = await sql<{ ms: number | null }>`
    SELECT max(extract(epoch FROM ${realNow}::timestamptz - o.since) * 1000
               + t.clock_offset_ms)::float8 AS ms
    FROM (${UNANSWERED}) o JOIN tenants t USING (tenant_id)`.execute(db)
  return rows[0]?.ms ?? undefined
}

/** Open ones of all tenants, longest first. */
export async function selectDoubts(
  db: Db,
  { after, limit }: { after?: readonly string[] | undefined; limit?: number },
) {
  // @across tenants: the operator has one list of all.
  return await db
    .selectFrom('doubtful_calls')
    .selectAll()
    .select(exactTime('since').as('position'))
    .where('settled_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(since, subject_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`),
    )
    .orderBy('since')
    .orderBy('subject_id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}
