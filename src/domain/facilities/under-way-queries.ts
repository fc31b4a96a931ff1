import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A pending draw, an unsettled repayment or a live margin call. */
export async function hasMoneyUnderWay(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ under_way: boolean }>`
    SELECT EXISTS (SELECT 1 FROM draws WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status IN ('PENDING', 'REPORTED'))
        OR EXISTS (SELECT 1 FROM margin_calls WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status IN ('PENDING', 'SELLING'))
        AS under_way`.execute(db)
  return rows[0]?.under_way ?? false
}

/** A pending draw, or a repayment that the treasury has yet to confirm. */
export async function hasDebtUnderWay(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ under_way: boolean }>`
    SELECT EXISTS (SELECT 1 FROM draws WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'REPORTED')
        AS under_way`.execute(db)
  return rows[0]?.under_way ?? false
}

/** A pending refund, or a repayment that the treasury has yet to confirm. */
export async function hasUnsettledMoney(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ unsettled: boolean }>`
    SELECT EXISTS (SELECT 1 FROM refunds WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'REPORTED')
        AS unsettled`.execute(db)
  return rows[0]?.unsettled ?? false
}
