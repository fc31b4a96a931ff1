import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { anyOf } from '../../../db/sql/planned-once.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'

/** Units sold since each. A snapshot's `as_of` may be ahead of our clock: it ends at its receipt. */
export const selectSold = builtOnce(
  (_db, { tenantId, borrowerIds }: { tenantId: string; borrowerIds: readonly string[] }) => sql<{
    borrower_id: string
    asset: string
    since_push: bigint
    since_read: bigint
    since_confirmed: bigint
  }>`
    SELECT f.borrower_id, s.asset,
      coalesce(sum(s.filled_units)
        FILTER (WHERE extract(epoch FROM s.executed_at) * 1000000 > p.as_of
                  OR s.executed_at > p.received_at), 0) AS since_push,
      coalesce(sum(s.filled_units) FILTER (WHERE s.executed_at >= c.read_at), 0) AS since_read,
      coalesce(sum(s.filled_units) FILTER (WHERE s.executed_at >= p.confirmed_at), 0)
        AS since_confirmed
    FROM facilities f
    -- OFFSET 0: reads the sales of each facility by index, whatever part of all sales they are.
    CROSS JOIN LATERAL (
      SELECT asset, filled_units, executed_at FROM margin_sales
      WHERE tenant_id = ${tenantId} AND facility_id = f.facility_id AND status = 'FILLED' OFFSET 0
    ) s
    JOIN portfolios p ON p.tenant_id = f.tenant_id AND p.borrower_id = f.borrower_id
    LEFT JOIN custodian_positions c
      ON c.tenant_id = f.tenant_id AND c.borrower_id = f.borrower_id
    WHERE f.tenant_id = ${tenantId} AND f.borrower_id = ${anyOf(borrowerIds)}
    GROUP BY f.borrower_id, s.asset`,
)

export type SalesProgress = {
  orders: number
  settled: number
  /** Domain time; the custodian's clock may be ahead of ours. */
  executedAt: Date | undefined
}

export const NO_SALES: SalesProgress = { orders: 0, settled: 0, executedAt: undefined }

export async function selectSalesProgress(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, SalesProgress>> {
  const { rows } = await sql<{
    borrower_id: string
    orders: number
    settled: number
    executed_at: Date | null
  }>`
    SELECT f.borrower_id, count(*)::int AS orders,
      count(*) FILTER (WHERE s.status <> 'ORDERED')::int AS settled,
      max(s.executed_at) AS executed_at
    FROM facilities f
    CROSS JOIN LATERAL (
      SELECT status, executed_at FROM margin_sales
      WHERE tenant_id = ${tenantId} AND facility_id = f.facility_id OFFSET 0
    ) s
    WHERE f.tenant_id = ${tenantId} AND f.borrower_id = ${anyOf(borrowerIds)}
    GROUP BY f.borrower_id`.execute(db)
  return new Map(
    rows.map(({ borrower_id: borrowerId, orders, settled, executed_at: executedAt }) => [
      borrowerId,
      { orders, settled, executedAt: executedAt ?? undefined },
    ]),
  )
}
