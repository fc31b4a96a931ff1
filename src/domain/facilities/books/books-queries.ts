import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { inScope, type TenantScope } from '../../../db/tenant-scope.ts'

export type BalanceRow = { account: string; asset: string; debit: bigint; credit: bigint }

/** Sums all lines, or those up to `at`, of one tenant or of all. `by` is the date that `at` limits. */
export async function selectBalances(
  db: Db,
  { tenantId, at, by }: { tenantId: TenantScope; at: Date | undefined; by: 'posting' | 'value' },
): Promise<BalanceRow[]> {
  // @plan reads everything: a balance is the sum of all lines before it.
  const date = sql.ref(by === 'posting' ? 'booked_at' : 'value_at')
  const { rows } = await sql<BalanceRow>`
    SELECT account, asset, coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS debit,
           coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS credit
    FROM journal_lines
    WHERE ${inScope(tenantId)}
      AND (${at ?? null}::timestamptz IS NULL OR ${date} <= ${at ?? null})
    GROUP BY account, asset ORDER BY account, asset`.execute(db)
  return rows
}

export type EntryKey = { tenant_id: string; facility_id: string; entry_id: string }

export type EntryRow = EntryKey & {
  kind: string
  accounts: string[]
  assets: string[]
  amounts: string[]
  value_at: Date
  booked_at: Date
}

/** A page of entries posted from `from` on and before `to`, by tenant, facility and id. */
export async function selectEntries(
  db: Db,
  period: { tenantId: TenantScope; from: Date | undefined; to: Date | undefined },
  { after, limit }: { after: EntryKey | undefined; limit: number },
): Promise<EntryRow[]> {
  const { tenantId, from, to } = period
  // @plan reads everything: an export is the whole journal, a page at a time in the order of its key.
  const { rows } = await sql<EntryRow>`
    SELECT j.tenant_id, j.facility_id, j.entry_id, j.kind, l.accounts, j.assets,
           j.amounts::text[] AS amounts, coalesce(j.value_at, j.booked_at) AS value_at, j.booked_at
    FROM journal j CROSS JOIN LATERAL (
      SELECT array_agg(chart_account(p.account, p.asset) ORDER BY p.place) AS accounts
      FROM unnest(j.accounts, j.assets) WITH ORDINALITY AS p (account, asset, place)) l
    WHERE (j.tenant_id, j.facility_id, j.entry_id)
        > (${after?.tenant_id ?? ''}, ${after?.facility_id ?? ''}, ${after?.entry_id ?? ''})
      AND ${inScope(tenantId, 'j.tenant_id')}
      AND (${from ?? null}::timestamptz IS NULL OR j.booked_at >= ${from ?? null})
      AND (${to ?? null}::timestamptz IS NULL OR j.booked_at < ${to ?? null})
    ORDER BY j.tenant_id, j.facility_id, j.entry_id LIMIT ${limit}`.execute(db)
  return rows
}

/** The last month that is closed, of one tenant or of each; newest tenant first. */
export async function selectClosedUntil(
  db: Db,
  tenantId: TenantScope,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ tenant_id: string; month: string | null }[]> {
  // @across tenants: operators see the months of all.
  const rest = before === undefined ? sql`` : sql`AND t.tenant_id < ${before}`
  const { rows } = await sql<{ tenant_id: string; month: string | null }>`
    SELECT t.tenant_id, to_char(max(c.month), 'YYYY-MM') AS month
    FROM tenants t LEFT JOIN closed_months c ON c.tenant_id = t.tenant_id
    WHERE ${inScope(tenantId, 't.tenant_id')} ${rest}
    GROUP BY t.tenant_id ORDER BY t.tenant_id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** Waits for the entries under way; none begins before the transaction ends. */
export async function lockMonths(tx: Tx, tenantId: string): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`close_month/${tenantId}`}, 0))`.execute(tx)
}

/** False where it was closed before. */
export async function insertClosedMonth(
  tx: Tx,
  tenantId: string,
  month: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO closed_months (tenant_id, month, closed_at)
    VALUES (${tenantId}, ${month}::date, ${now}) ON CONFLICT DO NOTHING`.execute(tx)
  return numAffectedRows === 1n
}
