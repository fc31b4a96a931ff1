import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** Locks the tenant. Undefined for one that is not there. */
export async function lockClosing(tx: Tx, tenantId: string) {
  return await tx
    .selectFrom('tenants')
    .select(['suspended_at', 'closed_at', 'exported_sequence'])
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateClosed(tx: Tx, tenantId: string, at: Date): Promise<void> {
  await tx.updateTable('tenants').set({ closed_at: at }).where('tenant_id', '=', tenantId).execute()
}

/** How many of each there are; what is none is left out. */
export async function selectOwedOrHeld(
  tx: Tx,
  tenantId: string,
): Promise<{ what: string; count: bigint }[]> {
  // @plan reads facilities, draws, repayments, refunds: all of one tenant, once, when it is closed.
  const { rows } = await sql<{ what: string; count: bigint }>`
    SELECT what, count FROM (
      SELECT 'facilities that are not closed' AS what, count(*) FROM facilities
      WHERE tenant_id = ${tenantId} AND state IN ('PENDING', 'APPROVED', 'CLOSING')
      UNION ALL
      SELECT 'facilities with debt that was charged off and is not recovered', count(*)
      FROM facilities WHERE tenant_id = ${tenantId} AND state = 'CLOSED'
        AND recovered_cents < charged_off_principal_cents + charged_off_interest_cents
      UNION ALL
      SELECT 'draws under way', count(*) FROM draws
      WHERE tenant_id = ${tenantId} AND status = 'PENDING'
      UNION ALL
      SELECT 'repayments under way', count(*) FROM repayments
      WHERE tenant_id = ${tenantId} AND status IN ('PENDING', 'REPORTED')
      UNION ALL
      SELECT 'receipts in suspense', count(*) FROM repayments
      WHERE tenant_id = ${tenantId} AND suspended_units > 0 AND suspense_end IS NULL
      UNION ALL
      SELECT 'refunds that are not paid', count(*) FROM refunds
      WHERE tenant_id = ${tenantId} AND status = 'PENDING'
    ) AS found WHERE count > 0`.execute(tx)
  return rows
}
