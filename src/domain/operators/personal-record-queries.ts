import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Undefined for what belongs to no borrower. */
export async function selectBorrowerOfSubject(
  tx: Tx,
  tenantId: string,
  { kind, id }: { kind: string; id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ borrower_id: string }>`
    SELECT borrower_id FROM borrowers
    WHERE tenant_id = ${tenantId} AND borrower_id = ${id} AND ${kind} = 'borrower'
    UNION ALL
    SELECT borrower_id FROM facilities WHERE tenant_id = ${tenantId} AND facility_id = CASE ${kind}
      WHEN 'facility' THEN ${id}
      WHEN 'repayment' THEN (SELECT facility_id FROM repayments
        WHERE tenant_id = ${tenantId} AND repayment_id = ${id})
      WHEN 'draw' THEN (SELECT facility_id FROM draws
        WHERE tenant_id = ${tenantId} AND draw_id = ${id})
      WHEN 'refund' THEN (SELECT facility_id FROM refunds
        WHERE tenant_id = ${tenantId} AND refund_id = ${id})
      WHEN 'break' THEN (SELECT facility_id FROM reconciliation_breaks
        WHERE tenant_id = ${tenantId} AND break_id = ${id}) END`.execute(tx)
  return rows[0]?.borrower_id
}
