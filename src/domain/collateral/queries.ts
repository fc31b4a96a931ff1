import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** Locks the borrower whose portfolio is to change; false when there is none. */
export async function lockHolder(tx: Tx, tenantId: string, borrowerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function selectPortfolio(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('portfolios')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
}

export async function upsertPortfolio(
  tx: Tx,
  row: Insertable<Tables['portfolios']>,
): Promise<void> {
  await tx
    .insertInto('portfolios')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'borrower_id']).doUpdateSet({
        as_of: row.as_of,
        digest: row.digest,
        positions: row.positions,
        received_at: row.received_at,
      }),
    )
    .execute()
}
