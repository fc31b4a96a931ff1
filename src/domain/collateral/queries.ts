import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export async function selectPortfolio(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('portfolios')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
}

/** The borrower with the order and content of its newest snapshot; undefined without the borrower. */
export async function selectStored(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('borrowers as b')
    .leftJoin('portfolios as p', (join) =>
      join.onRef('p.tenant_id', '=', 'b.tenant_id').onRef('p.borrower_id', '=', 'b.borrower_id'),
    )
    .select(['p.as_of', 'p.digest'])
    .where('b.tenant_id', '=', tenantId)
    .where('b.borrower_id', '=', borrowerId)
    .executeTakeFirst()
}

/**
 * Locks the borrower and stores a snapshot that is newer than the one there is; false when it is not,
 * or the borrower is unknown. One statement, for it bears the most traffic of all.
 */
export async function insertNewer(tx: Tx, row: Insertable<Tables['portfolios']>): Promise<boolean> {
  const { rows } = await sql`
    WITH holder AS (
      SELECT tenant_id, borrower_id FROM borrowers
      WHERE tenant_id = ${row.tenant_id} AND borrower_id = ${row.borrower_id}
      FOR NO KEY UPDATE
    )
    INSERT INTO portfolios AS stored (tenant_id, borrower_id, as_of, digest, positions, received_at)
    SELECT tenant_id, borrower_id, ${row.as_of}::bigint, ${row.digest}::bytea,
           ${row.positions}::jsonb, ${row.received_at}::timestamptz
    FROM holder
    ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET
      as_of = excluded.as_of, digest = excluded.digest,
      positions = excluded.positions, received_at = excluded.received_at
    WHERE stored.as_of < excluded.as_of
    RETURNING true`.execute(tx)
  return rows.length === 1
}
