import { sql } from 'kysely'
import type { BorrowerRef } from '../../core/personal-text.ts'
import type { Db, Tx } from '../../db/database.ts'

export async function selectErasureKey(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('erasure_key').select('sealed').executeTakeFirst()
  return row?.sealed
}

/** Leaves one that is there. */
export async function insertErasureKey(tx: Tx, sealed: string): Promise<void> {
  await tx
    .insertInto('erasure_key')
    .values({ sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function lockErasureKey(tx: Tx): Promise<string | undefined> {
  const row = await tx.selectFrom('erasure_key').select('sealed').forUpdate().executeTakeFirst()
  return row?.sealed
}

export async function updateErasureKey(tx: Tx, sealed: string): Promise<void> {
  await tx.updateTable('erasure_key').set({ sealed }).execute()
}

export async function isDigestUsed(
  tx: Tx,
  use: { tenantId: string; kind: 'reference' | 'transfer'; digest: string },
): Promise<boolean> {
  if (use.kind === 'transfer') {
    // @across tenants: a transfer pays once in the stack, and any tenant's repayment may have it.
    const claim = tx.selectFrom('transfer_claims').select('transfer_id')
    return (await claim.where('transfer_id', '=', use.digest).executeTakeFirst()) !== undefined
  }
  const row = await tx
    .selectFrom('repayment_references')
    .select('repayment_id')
    .where('tenant_id', '=', use.tenantId)
    .where('folded', '=', use.digest)
    .executeTakeFirst()
  return row !== undefined
}

/** A column that holds texts of a borrower, which an erasure digests. `rows` finds its rows. */
export type DigestedColumn = { table: string; column: string; rows: RowsOf }

/** `facility`: rows have a facility_id. Else the column that has one of the transfers. */
export type RowsOf = 'facility' | 'transfer_id' | 'item_id'

export type PaymentsOf = {
  tenantId: string
  facilityIds: readonly string[]
  paymentIds: readonly string[]
  transferIds: readonly string[]
}

const conditionOf = ({ rows }: DigestedColumn, of: PaymentsOf) =>
  rows === 'facility'
    ? sql`facility_id = ANY (${of.facilityIds}::text[])`
    : sql`${sql.ref(rows)} = ANY (${of.transferIds}::text[])`

export async function selectTexts(
  tx: Tx,
  column: DigestedColumn,
  of: PaymentsOf,
): Promise<string[]> {
  // @plan reads everything: all payments of one borrower, once, when it is erased.
  const { rows } = await sql<{ text: string }>`
    SELECT DISTINCT ${sql.ref(column.column)} AS text FROM ${sql.table(column.table)}
    WHERE tenant_id = ${of.tenantId} AND ${sql.ref(column.column)} IS NOT NULL
      AND ${conditionOf(column, of)}`.execute(tx)
  return rows.map(({ text }) => text)
}

export async function replaceTexts(
  tx: Tx,
  column: DigestedColumn,
  of: PaymentsOf,
  texts: { from: readonly string[]; to: readonly string[] },
): Promise<void> {
  await sql`
    UPDATE ${sql.table(column.table)} SET ${sql.ref(column.column)} = made.digest
    FROM unnest(${texts.from}::text[], ${texts.to}::text[]) AS made (text, digest)
    WHERE tenant_id = ${of.tenantId} AND ${sql.ref(column.column)} = made.text
      AND ${conditionOf(column, of)}`.execute(tx)
}

/** Folded references and transfers that the erased borrower has used, and what takes their place. */
export async function digestUsed(
  tx: Tx,
  { tenantId, borrowerId }: BorrowerRef,
  texts: { from: readonly string[]; to: readonly string[] },
): Promise<void> {
  await sql`
    SELECT digest_used(${tenantId}, ${borrowerId}, ${texts.from}::text[], ${texts.to}::text[])`.execute(
    tx,
  )
}

export async function selectFolded(
  tx: Tx,
  tenantId: string,
  paymentIds: readonly string[],
): Promise<string[]> {
  // @plan reads repayment_references: all of one borrower's repayments, once, when it is erased.
  const rows = await tx
    .selectFrom('repayment_references')
    .select('folded')
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', 'in', paymentIds)
    .execute()
  return rows.map(({ folded }) => folded)
}

/** With the facilities locked, so that no payment of one begins meanwhile. */
export async function lockFacilitiesOf(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .orderBy('facility_id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => row.facility_id)
}

export async function selectPaymentIds(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT repayment_id AS id FROM repayments
    WHERE tenant_id = ${tenantId} AND facility_id = ANY (${facilityIds}::text[])
    UNION ALL SELECT draw_id FROM draws
    WHERE tenant_id = ${tenantId} AND facility_id = ANY (${facilityIds}::text[])
    UNION ALL SELECT refund_id FROM refunds
    WHERE tenant_id = ${tenantId} AND facility_id = ANY (${facilityIds}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The provider's transfers of these payments, as their receipts and its lists name them. The sandbox's own
 * books name the payment of a return too. */
export async function selectTransferIds(
  tx: Tx,
  tenantId: string,
  paymentIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH own AS (SELECT transfer_id AS id FROM confirmed_transfers
    WHERE tenant_id = ${tenantId} AND repayment_id = ANY (${paymentIds}::text[])
    UNION SELECT transfer_id FROM listed_transfers WHERE tenant_id = ${tenantId}
      AND call_id IS NOT NULL AND split_part(call_id, '.', 1) = ANY (${paymentIds}::text[])
    UNION SELECT transfer_id FROM sandbox_transfers WHERE tenant_id = ${tenantId}
      AND call_id IS NOT NULL
      AND split_part(call_id, '.', 1) = ANY (${paymentIds}::text[]))
    SELECT id FROM own
    UNION SELECT transfer_id FROM listed_transfers
    WHERE tenant_id = ${tenantId} AND returns = ANY (ARRAY(SELECT id FROM own))`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The tenant's own ids, accounts and the vendors' names for the checks. */
export async function clearIds(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await sql`
    UPDATE borrowers SET external_id = NULL
    WHERE tenant_id = ${tenantId} AND borrower_id = ${borrowerId}`.execute(tx)
  await sql`
    UPDATE facilities SET external_id = NULL, custody_account = NULL
    WHERE tenant_id = ${tenantId} AND borrower_id = ${borrowerId}`.execute(tx)
  await sql`
    UPDATE compliance_checks SET reference = NULL
    WHERE tenant_id = ${tenantId} AND borrower_id = ${borrowerId}`.execute(tx)
}

/** Answers to the creation of these, which a repetition of the request gets again. */
export async function selectCreationAnswers(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ key: string; body: string }[]> {
  const { rows } = await sql<{ key: string; body: string }>`
    SELECT key, body FROM idempotency_records
    WHERE tenant_id = ${tenantId} AND status = 201 AND secret_id IS NULL
      AND (CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END)
        = ANY (${ids}::text[])`.execute(tx)
  return rows
}

export async function updateAnswer(
  tx: Tx,
  tenantId: string,
  { key, body }: { key: string; body: string },
): Promise<void> {
  await tx
    .updateTable('idempotency_records')
    .set({ body })
    .where('tenant_id', '=', tenantId)
    .where('key', '=', key)
    .execute()
}

/** Day lists of a provider name the transfer in a break too. */
export async function clearBreaks(
  tx: Tx,
  tenantId: string,
  transferIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE reconciliation_breaks SET theirs = theirs - 'transfer_id'
    WHERE tenant_id = ${tenantId}
      AND theirs ->> 'transfer_id' = ANY (${transferIds}::text[])`.execute(tx)
}

/** Answers of a provider that were in doubt: what was decided of them stays. */
export async function clearDoubts(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE doubtful_calls SET answer = '{}'
    WHERE tenant_id = ${tenantId}
      AND facility_id = ANY (${facilityIds}::text[])`.execute(tx)
}
