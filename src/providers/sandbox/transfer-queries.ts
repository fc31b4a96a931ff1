import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

export async function insertSandboxTransfer(
  db: Db,
  row: Insertable<Tables['sandbox_transfers']>,
): Promise<void> {
  await db
    .insertInto('sandbox_transfers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'transfer_id']).doNothing())
    .execute()
}

export async function selectSandboxTransfers(
  db: Db,
  tenantId: string,
  { from, to, after, limit }: { from: Date; to: Date; after: string | undefined; limit: number },
) {
  // @plan reads sandbox_transfers: a page of a day, in the order of its ids.
  return await db
    .selectFrom('sandbox_transfers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('booked_at', '>=', from)
    .where('booked_at', '<', to)
    .$if(after !== undefined, (query) => query.where('transfer_id', '>', after ?? ''))
    .orderBy('transfer_id')
    .limit(limit)
    .execute()
}

/** Balance of each asset: the sum of all transfers before the time. */
export async function selectSandboxBalances(
  db: Db,
  tenantId: string,
  before: Date,
): Promise<{ asset: string; units: bigint }[]> {
  // @plan reads sandbox_transfers: a balance is the sum of all.
  const { rows } = await sql<{ asset: string; units: bigint }>`
    SELECT asset, sum(units) AS units FROM sandbox_transfers
    WHERE tenant_id = ${tenantId} AND booked_at < ${before} GROUP BY asset`.execute(db)
  return rows
}

/** The transfer of a call about the draw or repayment, which is no return. */
export async function lockSandboxTransfer(tx: Tx, tenantId: string, subjectId: string) {
  return await tx
    .selectFrom('sandbox_transfers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<string>`split_part(call_id, '.', 1)`, '=', subjectId)
    .where('returns', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateSandboxTransfer(
  tx: Tx,
  tenantId: string,
  transferId: string,
  changed: { units: bigint; booked_at: Date },
): Promise<void> {
  await tx
    .updateTable('sandbox_transfers')
    .set(changed)
    .where('tenant_id', '=', tenantId)
    .where('transfer_id', '=', transferId)
    .execute()
}

export async function deleteSandboxTransfer(
  tx: Tx,
  tenantId: string,
  transferId: string,
): Promise<void> {
  await tx
    .deleteFrom('sandbox_transfers')
    .where('tenant_id', '=', tenantId)
    .where('transfer_id', '=', transferId)
    .execute()
}

/** Facilities with a lien, in the order of their ids. */
export async function selectPledged(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const { rows } = await sql<{
    facility_id: string
    borrower_id: string
    floor_cents: bigint | null
  }>`
    SELECT f.facility_id, f.borrower_id, l.floor_cents FROM facilities f
    LEFT JOIN sandbox_liens l ON l.tenant_id = f.tenant_id AND l.facility_id = f.facility_id
    WHERE f.tenant_id = ${tenantId} AND f.facility_id > ${after ?? ''}
      AND f.state IN ('APPROVED', 'CLOSING')
      -- A lien without a floor has been released.
      AND (l.facility_id IS NULL OR l.floor_cents IS NOT NULL)
    ORDER BY f.facility_id LIMIT ${limit}`.execute(db)
  return rows
}
