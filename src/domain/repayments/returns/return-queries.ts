import type { Db, Tx } from '../../../db/database.ts'

/** The treasury's id of the transfer that a repayment was confirmed by. */
export async function selectTransfer(
  db: Db,
  tenantId: string,
  repaymentId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('confirmed_transfers')
    .select('transfer_id')
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', repaymentId)
    .executeTakeFirst()
  return row?.transfer_id
}

/** The repayment that pays what was in suspense of another, if operators have applied it. */
export async function lockPart(tx: Tx, tenantId: string, repaymentId: string) {
  return await tx
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('split_from', '=', repaymentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** What a payout has taken off what was owed back, and lent. */
export async function selectPayoutCents(
  tx: Tx,
  tenantId: string,
  { facilityId, payoutId }: { facilityId: string; payoutId: string },
): Promise<bigint> {
  const rows = await tx
    .selectFrom('journal_lines')
    .select('amount')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('entry_id', '=', payoutId)
    .where('asset', '=', 'USD')
    .where('account', 'in', ['refunds_payable', 'loans_receivable'])
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0n)
}
