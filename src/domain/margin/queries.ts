import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** Locks approved facilities in the order of their ids and gives those that are still approved. */
export async function lockApproved(tx: Tx, tenantId: string, facilityIds: readonly string[]) {
  return await tx
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', 'in', [...facilityIds])
    .where('state', '=', 'APPROVED')
    .orderBy('facility_id')
    .forNoKeyUpdate()
    .execute()
}

export async function selectOpenWarnings(db: Db, tenantId: string, ids: readonly string[]) {
  return await db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', 'in', [...ids])
    .where('status', '=', 'OPEN')
    .execute()
}

export async function selectLiveCalls(db: Db, tenantId: string, ids: readonly string[]) {
  return await db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', 'in', [...ids])
    .where('status', 'in', ['PENDING', 'SELLING'])
    .execute()
}

/** Of each facility the newest warning's number, and the newest cure with the time it had left. */
export async function selectHistory(db: Db, tenantId: string, ids: readonly string[]) {
  const { rows } = await sql<{
    facility_id: string
    last_number: number
    cured_at: Date | null
    cure_deadline: Date | null
  }>`
    SELECT f.facility_id,
      (SELECT coalesce(max(w.number), 0) FROM margin_warnings w
       WHERE w.tenant_id = ${tenantId} AND w.facility_id = f.facility_id) AS last_number,
      c.cured_at, c.cure_deadline
    FROM unnest(${[...ids]}::text[]) AS f (facility_id)
    LEFT JOIN LATERAL (
      SELECT w.cured_at, w.cure_deadline FROM margin_warnings w
      WHERE w.tenant_id = ${tenantId} AND w.facility_id = f.facility_id AND w.status = 'CURED'
      ORDER BY w.number DESC LIMIT 1
    ) c ON true`.execute(db)
  return rows
}

/** Portfolios of these borrowers, with what was sold since each was taken. */
export async function selectHoldings(db: Db, tenantId: string, borrowerIds: readonly string[]) {
  const { rows } = await sql<{
    borrower_id: string
    positions: Record<string, string>
    sold: Record<string, string> | null
  }>`
    SELECT p.borrower_id, p.positions,
      (SELECT jsonb_object_agg(s.asset, s.units::text) FROM (
         SELECT sale.asset, sum(sale.filled_units) AS units
         FROM margin_sales sale
         JOIN facilities f ON f.tenant_id = sale.tenant_id AND f.facility_id = sale.facility_id
         WHERE sale.tenant_id = ${tenantId} AND f.borrower_id = p.borrower_id
           AND sale.status = 'FILLED'
           AND extract(epoch FROM sale.executed_at) * 1000000 > p.as_of
         GROUP BY sale.asset) s) AS sold
    FROM portfolios p
    WHERE p.tenant_id = ${tenantId} AND p.borrower_id = ANY (${[...borrowerIds]}::text[])
  `.execute(db)
  return rows
}

/** Repayments that were reported as cures and that treasury has not answered. */
export async function selectReportedCures(db: Db, tenantId: string, ids: readonly string[]) {
  return await db
    .selectFrom('repayments')
    .select(['facility_id', 'margin_warning_number', 'asset', 'delivered_units', 'reported_at'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', 'in', [...ids])
    .where('status', '=', 'REPORTED')
    .where('margin_warning_number', 'is not', null)
    .execute()
}

export async function insertWarnings(
  tx: Tx,
  rows: readonly Insertable<Tables['margin_warnings']>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('margin_warnings')
      .values([...rows])
      .execute()
}

/** Changes an open warning whose facility the caller has locked. */
export async function updateOpenWarning(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  number: number,
  change: Updateable<Tables['margin_warnings']>,
): Promise<void> {
  const result = await tx
    .updateTable('margin_warnings')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .where('status', '=', 'OPEN')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) {
    throw new Error(`warning ${facilityId}/${number} changed under its lock`)
  }
}

export type NewDecision = {
  facilityId: string
  warningNumber: number
  kind: Tables['margin_decisions']['kind']
  facts: unknown
}

/** Records decisions, each numbered after the last of its warning. */
export async function insertDecisions(
  tx: Tx,
  tenantId: string,
  decisions: readonly NewDecision[],
  decidedAt: Date,
): Promise<void> {
  if (decisions.length === 0) return
  await sql`
    INSERT INTO margin_decisions (tenant_id, facility_id, warning_number, number, kind, decided_at, facts)
    SELECT ${tenantId}, d.facility_id, d.warning_number,
      1 + (SELECT coalesce(max(m.number), 0) FROM margin_decisions m WHERE m.tenant_id = ${tenantId}
           AND m.facility_id = d.facility_id AND m.warning_number = d.warning_number),
      d.kind, ${decidedAt}, d.facts::jsonb
    FROM unnest(${decisions.map((d) => d.facilityId)}::text[],
                ${decisions.map((d) => d.warningNumber)}::int[],
                ${decisions.map((d) => d.kind)}::text[],
                ${decisions.map((d) => JSON.stringify(d.facts))}::text[])
      AS d (facility_id, warning_number, kind, facts)
  `.execute(tx)
}

export async function selectDecisions(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
) {
  return await db
    .selectFrom('margin_decisions')
    .select(['number', 'kind', 'decided_at', 'facts'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('warning_number', '=', number)
    .orderBy('number')
    .execute()
}

export async function selectWarning(db: Db, tenantId: string, facilityId: string, number: number) {
  return await db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function selectWarnings(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: number | undefined; limit: number },
) {
  let query = db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('number', '<', page.before)
  return await query.orderBy('number', 'desc').limit(page.limit).execute()
}

export async function insertCall(tx: Tx, row: Insertable<Tables['margin_calls']>): Promise<void> {
  await tx.insertInto('margin_calls').values(row).execute()
}

export async function selectLastCallNumber(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<number> {
  const row = await db
    .selectFrom('margin_calls')
    .select((select) => select.fn.max('number').as('last'))
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .executeTakeFirst()
  return row?.last ?? 0
}

export async function selectCall(db: Db, tenantId: string, facilityId: string, number: number) {
  return await db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function selectCalls(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: number | undefined; limit: number },
) {
  let query = db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('number', '<', page.before)
  return await query.orderBy('number', 'desc').limit(page.limit).execute()
}

/** Changes a live call whose facility the caller has locked. */
export async function updateLiveCall(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  number: number,
  change: Updateable<Tables['margin_calls']>,
): Promise<void> {
  const result = await tx
    .updateTable('margin_calls')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .where('status', 'in', ['PENDING', 'SELLING'])
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) {
    throw new Error(`call ${facilityId}/${number} changed under its lock`)
  }
}

export async function selectSales(
  db: Db,
  tenantId: string,
  facilityId: string,
  callNumber: number,
) {
  return await db
    .selectFrom('margin_sales')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('call_number', '=', callNumber)
    .orderBy('number')
    .execute()
}

export async function insertSale(tx: Tx, row: Insertable<Tables['margin_sales']>): Promise<void> {
  await tx.insertInto('margin_sales').values(row).execute()
}

/** Settles an ordered sale; false when it was settled before. */
export async function updateOrderedSale(
  tx: Tx,
  key: { tenantId: string; facilityId: string; callNumber: number; number: number },
  change: Updateable<Tables['margin_sales']>,
): Promise<boolean> {
  const result = await tx
    .updateTable('margin_sales')
    .set(change)
    .where('tenant_id', '=', key.tenantId)
    .where('facility_id', '=', key.facilityId)
    .where('call_number', '=', key.callNumber)
    .where('number', '=', key.number)
    .where('status', '=', 'ORDERED')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The facility whose open warning's deadline has passed, of this id or this borrower. */
export async function selectOverdue(
  db: Db,
  tenantId: string,
  of: { facilityId: string } | { borrowerId: string },
  now: Date,
): Promise<string | undefined> {
  const query = db
    .selectFrom('margin_warnings as w')
    .innerJoin('facilities as f', (join) =>
      join.onRef('f.tenant_id', '=', 'w.tenant_id').onRef('f.facility_id', '=', 'w.facility_id'),
    )
    .select('w.facility_id')
    .where('w.tenant_id', '=', tenantId)
    .where('w.status', '=', 'OPEN')
    .where('w.cure_deadline', '<', now)
  const row = await ('facilityId' in of
    ? query.where('w.facility_id', '=', of.facilityId)
    : query.where('f.borrower_id', '=', of.borrowerId)
  ).executeTakeFirst()
  return row?.facility_id
}

/** A tenant's approved facilities that owe something, for a look at all of them. */
export async function selectIndebted(db: Db, tenantId: string, after: string, limit: number) {
  const rows = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'APPROVED')
    .where('facility_id', '>', after)
    .where('principal_cents', '>', 0n)
    .orderBy('facility_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.facility_id)
}
