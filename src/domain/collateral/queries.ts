import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { anyOf } from '../../db/sql/planned-once.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute } from '../../db/transactions/execute.ts'

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

/** A default row, so that there is a row to lock. */
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

/** Until the end of the transaction the tenant's choice does not change. */
export async function lockSourceRow(tx: Tx, tenantId: string) {
  const { mode } = await tx
    .selectFrom('portfolio_sources')
    .select('mode')
    .where('tenant_id', '=', tenantId)
    .forShare()
    .executeTakeFirstOrThrow()
  return mode
}

const sourceLock = (tenantId: string) => sql`hashtextextended(${`portfolio_source/${tenantId}`}, 0)`

/** Queues before the row is locked: share locks overtake a waiting change, so a tenant that is
 * read without a pause could never choose another source. */
export async function queueToReadSource(tx: Tx, tenantId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${sourceLock(tenantId)})`.execute(tx)
}

export async function queueToChangeSource(tx: Tx, tenantId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sourceLock(tenantId)})`.execute(tx)
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

type Reading = { borrowerId: string; positions: Record<string, string> }

type StoredReading = { borrower_id: string; changed: boolean; read_before: Date | null }

const listOf = (readings: readonly Reading[]) => sql`unnest(
        ${readings.map(({ borrowerId }) => borrowerId)}::text[],
        ${readings.map(({ positions }) => JSON.stringify(positions))}::text[]
      ) AS given (borrower_id, positions)`

/** Only while the source is the custodian, held so by the lock. Returns a row for each stored
 * reading: whether it is other than the one before, or than the answer about the push that counted
 * until now, and when the one before was read. */
export async function upsertReadings(
  tx: Tx,
  tenantId: string,
  readings: readonly Reading[],
  readAt: Date,
): Promise<StoredReading[]> {
  tx.send(sql`
    SELECT FROM portfolio_sources WHERE tenant_id = ${tenantId} AND mode = 'custodian' FOR SHARE`)
  const [before, stored] = await Promise.all([
    execute(
      tx,
      sql<StoredReading>`
        SELECT c.borrower_id, c.read_at AS read_before,
          c.positions <> given.positions::jsonb OR coalesce(
            p.confirmed_at >= c.read_at AND p.confirmed_at < ${readAt}::timestamptz
              AND p.confirmed IS DISTINCT FROM given.positions::jsonb, false) AS changed
        FROM ${listOf(readings)}
        JOIN custodian_positions c ON c.tenant_id = ${tenantId} AND c.borrower_id = given.borrower_id
        LEFT JOIN portfolios p ON p.tenant_id = ${tenantId} AND p.borrower_id = given.borrower_id
        ORDER BY c.borrower_id FOR UPDATE OF c`,
    ),
    execute(
      tx,
      sql<{ borrower_id: string }>`
        INSERT INTO custodian_positions AS stored (tenant_id, borrower_id, positions, read_at)
        SELECT s.tenant_id, given.borrower_id, given.positions::jsonb, ${readAt}::timestamptz
        FROM portfolio_sources s CROSS JOIN ${listOf(readings)}
        WHERE s.tenant_id = ${tenantId} AND s.mode = 'custodian'
        ORDER BY given.borrower_id
        ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET
          positions = excluded.positions, read_at = excluded.read_at
        WHERE stored.read_at <= excluded.read_at
        RETURNING borrower_id`,
    ),
  ])
  const known = new Map(before.map((row) => [row.borrower_id, row]))
  return stored.map(
    ({ borrower_id }) =>
      known.get(borrower_id) ?? { borrower_id, changed: true, read_before: null },
  )
}

export async function deleteReadings(tx: Tx, tenantId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ borrower_id: string }>`
    DELETE FROM custodian_positions WHERE tenant_id = ${tenantId} AND borrower_id = ANY (ARRAY(
      SELECT borrower_id FROM custodian_positions WHERE tenant_id = ${tenantId}
      ORDER BY borrower_id LIMIT ${limit}
    )) RETURNING borrower_id`.execute(tx)
  return rows.map((row) => row.borrower_id)
}

export async function deleteReading(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await tx
    .deleteFrom('custodian_positions')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .execute()
}

/** A question to the custodian about a push, and its answer. */
export async function clearQuestion(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await tx
    .updateTable('portfolios')
    .set({
      is_new: false,
      asked_since: null,
      checking_since: null,
      least: null,
      confirmed: null,
      confirmed_at: null,
    })
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .execute()
}

type BorrowerIds = { tenantId: string; borrowerIds: readonly string[] }

export const selectPositionSources = builtOnce((db, { tenantId, borrowerIds }: BorrowerIds) =>
  db
    .selectFrom('portfolios as p')
    .leftJoin('custodian_positions as c', (join) =>
      join.onRef('c.tenant_id', '=', 'p.tenant_id').onRef('c.borrower_id', '=', 'p.borrower_id'),
    )
    .select([
      'p.borrower_id',
      'p.as_of',
      'p.received_at',
      'p.positions',
      'p.digest',
      'p.is_new',
      'p.asked_since',
      'p.checking_since',
      'p.changed_at',
      'p.least',
      'p.confirmed',
      'p.confirmed_at',
      'c.positions as read',
      'c.read_at',
    ])
    .where('p.tenant_id', '=', tenantId)
    .where('p.borrower_id', '=', anyOf(borrowerIds)),
)
