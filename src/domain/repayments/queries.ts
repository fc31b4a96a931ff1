import type { Insertable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

export async function insertRepayment(
  tx: Tx,
  row: Insertable<Tables['repayments']>,
): Promise<void> {
  await tx.insertInto('repayments').values(row).execute()
}

export async function selectRepayment(db: Db, tenantId: string, repaymentId: string) {
  return await db
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', repaymentId)
    .executeTakeFirst()
}

export async function lockRepaymentRow(tx: Tx, tenantId: string, repaymentId: string) {
  return await tx
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', repaymentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Throws unless the repayment is still in the status it was read in. */
export async function updateRepayment(
  tx: Tx,
  tenantId: string,
  { id, status }: { id: string; status: Tables['repayments']['status'] },
  change: Updateable<Tables['repayments']>,
): Promise<void> {
  const result = await tx
    .updateTable('repayments')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) {
    throw new Error(`repayment ${id} changed under its lock`)
  }
}

/** False where another repayment has claimed the reference, in whatever case. */
export async function claimReference(
  tx: Tx,
  row: Tables['repayment_references'],
): Promise<boolean> {
  await tx
    .insertInto('repayment_references')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'folded']).doNothing())
    .execute()
  // A second statement: it sees what another transaction committed while the first one waited.
  const owner = await tx
    .selectFrom('repayment_references')
    .select('repayment_id')
    .where('tenant_id', '=', row.tenant_id)
    .where('folded', '=', row.folded)
    .executeTakeFirstOrThrow()
  return owner.repayment_id === row.repayment_id
}

/** False where the transfer was confirmed for another repayment. */
export async function claimTransfer(tx: Tx, row: Tables['confirmed_transfers']): Promise<boolean> {
  // Waits for a transaction that is claiming it, and inserts nothing if that commits.
  const result = await tx
    .insertInto('confirmed_transfers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'transfer_id']).doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Counts one refused inquiry once. */
export async function countRefusedInquiry(
  db: Db,
  tenantId: string,
  repaymentId: string,
  inquiry: number,
): Promise<void> {
  await db
    .updateTable('repayments')
    .set({ inquiry: inquiry + 1 })
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', repaymentId)
    .where('inquiry', '=', inquiry)
    .execute()
}

export async function selectRepayments(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('repayment_id', '<', page.before)
  return await query.orderBy('repayment_id', 'desc').limit(page.limit).execute()
}
