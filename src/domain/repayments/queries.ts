import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { exactTime } from '../../db/sql/as-text.ts'
import { anyOf } from '../../db/sql/planned-once.ts'

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

/** False where the transfer pays another repayment, of whatever tenant. */
export async function claimTransfer(tx: Tx, row: Tables['transfer_claims']): Promise<boolean> {
  // Waits for a transaction that is claiming it, and inserts nothing if that commits.
  const result = await tx
    .insertInto('transfer_claims')
    .values(row)
    .onConflict((conflict) => conflict.column('transfer_id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function insertConfirmed(tx: Tx, row: Tables['confirmed_transfers']): Promise<void> {
  await tx.insertInto('confirmed_transfers').values(row).execute()
}

/** Of a receipt, and of the part that operators have made of it. */
export async function updateFinality(
  tx: Tx,
  tenantId: string,
  repaymentId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('repayments')
    .set({ finality_at: now })
    .where('tenant_id', '=', tenantId)
    .where((where) =>
      where.or([where('repayment_id', '=', repaymentId), where('split_from', '=', repaymentId)]),
    )
    .execute()
}

/** When the last of what may still come back is final. */
export async function selectNextFinality(
  tx: Tx,
  tenantId: string,
  facilityId: string,
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('repayments')
    .select((expression) => expression.fn.max('final_at').as('until'))
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'APPLIED')
    .where('finality_at', 'is', null)
    .executeTakeFirst()
  return row?.until ?? undefined
}

/** Those that wait for an operator, of all tenants, longest waiting first. */
export async function selectUndecided(
  db: Db,
  { after, limit }: { after?: readonly string[] | undefined; limit?: number },
) {
  // @across tenants: the operator has one list of all.
  return await db
    .selectFrom('repayments')
    .selectAll()
    .select(exactTime('undecided_since').as('position'))
    .where('undecided_since', 'is not', null)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(undecided_since, repayment_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('undecided_since')
    .orderBy('repayment_id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

export async function selectClaims(
  db: Db,
  transferIds: readonly string[],
): Promise<Tables['transfer_claims'][]> {
  // @across tenants: a transfer pays once in the stack, and any tenant's repayment may have it.
  return await db
    .selectFrom('transfer_claims')
    .selectAll()
    .where('transfer_id', '=', anyOf(transferIds))
    .execute()
}

/** Not beyond `most`. */
export async function countUndecided(db: Db, most: number): Promise<number> {
  // @across tenants: a measure of all.
  // @plan reads repayments: the partial index has those that wait for an operator alone.
  const { rows } = await sql<{ undecided: number }>`
    SELECT count(*)::int AS undecided FROM (
      SELECT repayment_id FROM repayments WHERE undecided_since IS NOT NULL
      LIMIT ${most}) AS found`.execute(db)
  return rows[0]?.undecided ?? 0
}

/** In milliseconds, by each tenant's clock. */
export async function selectOldestUndecided(db: Db, realNow: Date): Promise<number | undefined> {
  // @across tenants: a measure of all.
  // @plan reads repayments: the partial index has those that wait for an operator alone.
  const { rows } = await sql<{ ms: number | null }>`
    SELECT max(extract(epoch FROM ${realNow}::timestamptz - r.undecided_since) * 1000
               + t.clock_offset_ms)::float8 AS ms
    FROM repayments r JOIN tenants t USING (tenant_id)
    WHERE r.undecided_since IS NOT NULL`.execute(db)
  return rows[0]?.ms ?? undefined
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
