import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

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

export async function selectPortfolioSource(db: Db, tenantId: string) {
  const row = await db
    .selectFrom('portfolio_sources')
    .select('mode')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.mode
}

/** Writes what holds without a choice down, where there is none: a row that can be locked. */
export async function insertPortfolioSource(
  tx: Tx,
  row: Insertable<Tables['portfolio_sources']>,
): Promise<void> {
  await tx
    .insertInto('portfolio_sources')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute()
}

/** What the tenant, whose row there is, has chosen; until the end of the transaction nobody changes it. */
export async function lockSourceRow(tx: Tx, tenantId: string) {
  const { mode } = await tx
    .selectFrom('portfolio_sources')
    .select('mode')
    .where('tenant_id', '=', tenantId)
    .forShare()
    .executeTakeFirstOrThrow()
  return mode
}

export async function upsertPortfolioSource(
  tx: Tx,
  row: Insertable<Tables['portfolio_sources']>,
): Promise<void> {
  await tx
    .insertInto('portfolio_sources')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ mode: row.mode, set_at: row.set_at }),
    )
    .execute()
}

/**
 * Keeps a reading of the custodian's where the tenant's source is the custodian, which the lock holds
 * it to. Tells whether it is other than before, and when that was read; undefined where not kept.
 */
export async function upsertReading(
  tx: Tx,
  row: Insertable<Tables['custodian_positions']>,
): Promise<{ changed: boolean; readBefore: Date | null } | undefined> {
  const { rows } = await sql<{ changed: boolean; readBefore: Date | null }>`
    WITH source AS (
      SELECT tenant_id FROM portfolio_sources
      WHERE tenant_id = ${row.tenant_id} AND mode = 'custodian' FOR SHARE
    )
    INSERT INTO custodian_positions AS stored (tenant_id, borrower_id, positions, read_at)
    SELECT tenant_id, ${row.borrower_id}, ${row.positions}::jsonb, ${row.read_at}::timestamptz
    FROM source
    ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET
      positions = excluded.positions, read_at = excluded.read_at
    WHERE stored.read_at <= excluded.read_at
    RETURNING old.positions IS DISTINCT FROM new.positions AS changed,
              old.read_at AS "readBefore"`.execute(tx)
  return rows[0]
}

/** Deletes a tenant's readings; of which borrowers they were. */
export async function deleteReadings(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('custodian_positions')
    .where('tenant_id', '=', tenantId)
    .returning('borrower_id')
    .execute()
  return rows.map((row) => row.borrower_id)
}

export async function deleteReading(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await tx
    .deleteFrom('custodian_positions')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .execute()
}

/** Of each borrower the newest snapshot, beside the custodian's reading where there is one. */
export async function selectPositionSources(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
) {
  return await db
    .selectFrom('portfolios as p')
    .leftJoin('custodian_positions as c', (join) =>
      join.onRef('c.tenant_id', '=', 'p.tenant_id').onRef('c.borrower_id', '=', 'p.borrower_id'),
    )
    .select([
      'p.borrower_id',
      'p.as_of',
      'p.received_at',
      'p.positions',
      'c.positions as read',
      'c.read_at',
    ])
    .where('p.tenant_id', '=', tenantId)
    .where('p.borrower_id', 'in', [...borrowerIds])
    .execute()
}
