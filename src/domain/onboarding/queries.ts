import { type Insertable, sql } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { CheckStatus } from '../../db/schema/onboarding.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute, executeShared } from '../../db/transactions/execute.ts'

type NewBorrowerRow = Required<
  Pick<
    Insertable<Tables['borrowers']>,
    | 'tenant_id'
    | 'borrower_id'
    | 'external_id'
    | 'type'
    | 'kyc_attested'
    | 'residency_country'
    | 'residency_state'
    | 'created_at'
    | 'updated_at'
  >
>

const insertRow = builtOnce((tx, row: NewBorrowerRow) =>
  tx
    .insertInto('borrowers')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'external_id'])
        .where('external_id', 'is not', null)
        .doNothing(),
    )
    .returning('borrower_id'),
)

/** False where another borrower has the external id; one inserted meanwhile is waited for. */
export async function insertBorrower(tx: Tx, row: NewBorrowerRow): Promise<boolean> {
  if (row.external_id !== null) return (await execute(tx, insertRow(row))).length === 1
  tx.send(insertRow(row))
  return true
}

export async function selectIdOfExternal(
  db: Db,
  tenantId: string,
  externalId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', tenantId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row?.borrower_id
}

const selectBorrowerRows = builtOnce(
  (db, { tenantId, borrowerId }: { tenantId: string; borrowerId: string }) =>
    withKey(db).where('b.tenant_id', '=', tenantId).where('b.borrower_id', '=', borrowerId),
)

/** Each borrower with its key, if it has one. */
function withKey(db: Db) {
  return db
    .selectFrom('borrowers as b')
    .leftJoin('borrower_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'b.tenant_id').onRef('k.borrower_id', '=', 'b.borrower_id'),
    )
    .selectAll('b')
    .select(['k.sealed_key', 'k.erased_at'])
}

export async function selectBorrower(db: Db, tenantId: string, borrowerId: string) {
  return (await executeShared(db, tenantId, selectBorrowerRows({ tenantId, borrowerId })))[0]
}

export type BorrowerFilter = { eligible: boolean | undefined; externalId: string | undefined }

export async function selectBorrowers(
  db: Db,
  tenantId: string,
  page: BorrowerFilter & { before: string | undefined; limit: number },
) {
  let query = withKey(db).where('b.tenant_id', '=', tenantId)
  if (page.eligible !== undefined) query = query.where('b.eligible', '=', page.eligible)
  if (page.externalId !== undefined) query = query.where('b.external_id', '=', page.externalId)
  if (page.before !== undefined) query = query.where('b.borrower_id', '<', page.before)
  return await query.orderBy('b.borrower_id', 'desc').limit(page.limit).execute()
}

export async function lockBorrower(tx: Tx, tenantId: string, borrowerId: string) {
  return await withKey(tx)
    .where('b.tenant_id', '=', tenantId)
    .where('b.borrower_id', '=', borrowerId)
    .forNoKeyUpdate('b')
    .executeTakeFirst()
}

/** False when it was eligible already. */
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
  { block, now }: { block: { at: Date; reason: SealedText } | undefined; now: Date },
): Promise<void> {
  await tx
    .updateTable('borrowers')
    .set({
      blocked_at: block?.at ?? null,
      blocked_reason: block?.reason ?? null,
      ...(block ? {} : { unblocked_at: now }),
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

export async function selectChecksInReview(db: Db, tenantId: string) {
  // @plan reads signatures: an operator's list of one tenant's has no pages either.
  return await checksInReview(db).where('c.tenant_id', '=', tenantId).execute()
}

export async function selectChecksInReviewOf(db: Db, tenantId: string, borrowerId: string) {
  return await checksInReview(db)
    .where('c.tenant_id', '=', tenantId)
    .where('c.borrower_id', '=', borrowerId)
    .execute()
}

export async function selectAllChecksInReview(db: Db) {
  // @across tenants: the operator has one list of all.
  // @plan reads signatures: the command's list of every tenant's at once has no pages.
  return await checksInReview(db).execute()
}

function checksInReview(db: Db) {
  return (
    db
      .selectFrom('compliance_checks as c')
      .innerJoin('signatures as s', (join) =>
        join
          .onRef('s.tenant_id', '=', 'c.tenant_id')
          .onRef('s.signature_id', '=', 'c.signature_id'),
      )
      .select([
        ...(['c.tenant_id', 'c.check_id', 'c.borrower_id', 'c.kind', 'c.note'] as const),
        ...(['c.created_at', 's.full_name'] as const),
      ])
      // A literal: a plan for any status could not use the index of those in review.
      .where(sql<boolean>`c.status = 'review'`)
      .orderBy('c.created_at')
      .orderBy('c.check_id')
  )
}

/** False when it is no longer in one of `from`. */
export async function updateCheck(
  tx: Tx,
  tenantId: string,
  checkId: string,
  change: {
    from: readonly CheckStatus[]
    to: CheckStatus
    note: SealedText | undefined
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
