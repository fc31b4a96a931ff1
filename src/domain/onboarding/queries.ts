import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { BorrowerType, CheckStatus, Tables } from '../../db/schema.ts'

export async function selectDocuments(db: Db, tenantId: string) {
  return await db
    .selectFrom('documents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('contract_type')
    .orderBy('contract_version')
    .execute()
}

/** The tenant's documents, locked through its row: two publications cannot overtake each other. */
export async function lockDocuments(tx: Tx, tenantId: string) {
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return await selectDocuments(tx, tenantId)
}

export async function insertDocument(tx: Tx, row: Insertable<Tables['documents']>): Promise<void> {
  await tx.insertInto('documents').values(row).execute()
}

export async function updateDocumentSuperseded(
  tx: Tx,
  tenantId: string,
  contractType: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ superseded_at: at })
    .where('tenant_id', '=', tenantId)
    .where('contract_type', '=', contractType)
    .where('superseded_at', 'is', null)
    .execute()
}

export async function updateDocumentRetired(
  tx: Tx,
  tenantId: string,
  contractType: string,
  contractVersion: string,
  at: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('documents')
    .set({ retired_at: at })
    .where('tenant_id', '=', tenantId)
    .where('contract_type', '=', contractType)
    .where('contract_version', '=', contractVersion)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The most specific row: the state's, else the country's. */
export async function selectPolicyRow(
  db: Db,
  country: string,
  state: string,
  borrowerType: BorrowerType,
) {
  return await db
    .selectFrom('residency_policy')
    .selectAll()
    .where('country', '=', country)
    .where('state', 'in', [state, ''])
    .where('borrower_type', '=', borrowerType)
    .orderBy('state', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function selectPolicyRows(db: Db) {
  return await db
    .selectFrom('residency_policy')
    .selectAll()
    .orderBy('country')
    .orderBy('state')
    .orderBy('borrower_type')
    .execute()
}

export async function upsertPolicyRow(
  tx: Tx,
  row: Insertable<Tables['residency_policy']>,
): Promise<void> {
  await tx
    .insertInto('residency_policy')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['country', 'state', 'borrower_type']).doUpdateSet({
        allowed: row.allowed,
        rate_ppm: row.rate_ppm ?? null,
        max_limit_cents: row.max_limit_cents ?? null,
        updated_at: row.updated_at,
      }),
    )
    .execute()
}

export async function insertBorrower(tx: Tx, row: Insertable<Tables['borrowers']>): Promise<void> {
  await tx.insertInto('borrowers').values(row).execute()
}

export async function selectBorrower(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('borrowers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
}

export async function lockBorrower(tx: Tx, tenantId: string, borrowerId: string) {
  return await tx
    .selectFrom('borrowers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Makes an ineligible borrower eligible; false when it was eligible already. */
export async function updateEligible(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  now: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('borrowers')
    .set({ eligible: true, updated_at: now })
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .where('eligible', '=', false)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function updateBlocked(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  block: { at: Date; reason: string } | undefined,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('borrowers')
    .set({
      blocked_at: block?.at ?? null,
      blocked_reason: block?.reason ?? null,
      updated_at: now,
    })
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .execute()
}

export async function insertSignature(
  tx: Tx,
  row: Insertable<Tables['signatures']>,
): Promise<void> {
  await tx.insertInto('signatures').values(row).execute()
}

export async function selectSignatures(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('signatures')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .orderBy('number')
    .execute()
}

export async function selectLastSignatureNumber(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<number> {
  const row = await tx
    .selectFrom('signatures')
    .select((select) => select.fn.max('number').as('last'))
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
  return row?.last ?? 0
}

export async function insertCheck(
  tx: Tx,
  row: Insertable<Tables['compliance_checks']>,
): Promise<void> {
  await tx.insertInto('compliance_checks').values(row).execute()
}

export async function selectChecks(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('compliance_checks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .orderBy('created_at')
    .orderBy('check_id')
    .execute()
}

/** Checks that wait for the operator, oldest first. */
export async function selectChecksInReview(db: Db, tenantId: string) {
  return await db
    .selectFrom('compliance_checks as c')
    .innerJoin('signatures as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.signature_id', '=', 'c.signature_id'),
    )
    .select(['c.check_id', 'c.borrower_id', 'c.kind', 'c.note', 'c.created_at', 's.full_name'])
    .where('c.tenant_id', '=', tenantId)
    .where('c.status', '=', 'review')
    .orderBy('c.created_at')
    .orderBy('c.check_id')
    .execute()
}

/** Moves a check on from one of `from`; false when it has moved already. */
export async function updateCheck(
  tx: Tx,
  tenantId: string,
  checkId: string,
  change: {
    from: readonly CheckStatus[]
    to: CheckStatus
    note: string | undefined
    reference: string | undefined
    now: Date
  },
): Promise<boolean> {
  const isDecided = change.to === 'passed' || change.to === 'failed'
  const result = await tx
    .updateTable('compliance_checks')
    .set({
      status: change.to,
      decided_at: isDecided ? change.now : null,
      ...(change.note === undefined ? {} : { note: change.note }),
      ...(change.reference === undefined ? {} : { reference: change.reference }),
    })
    .where('tenant_id', '=', tenantId)
    .where('check_id', '=', checkId)
    .where('status', 'in', change.from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
