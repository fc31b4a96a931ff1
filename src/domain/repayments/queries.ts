import { type Selectable, sql, type Updateable } from 'kysely'
import { builtOnce, readOnce, stepOnce } from '../../db/built-once.ts'
import type { Db, Tx } from '../../db/database.ts'
import { WITH_NEXT } from '../../db/known-statements.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { unlessChanged } from '../../db/unless-changed.ts'

export type RepaymentRow = Selectable<Tables['repayments']>

/** What the treasury received. */
export type ReceivedColumns = Pick<
  Updateable<Tables['repayments']>,
  'confirmed_asset' | 'confirmed_units'
>

type RepaymentKey = { tenantId: string; repaymentId: string }

const insertRow = builtOnce((db, row: RepaymentRow) =>
  db.insertInto('repayments').values(row).modifyEnd(sql.raw(WITH_NEXT)),
)

const NOTHING_REPORTED = {
  delivered_units: null,
  reference: null,
  confirmed_asset: null,
  confirmed_units: null,
  interest_cents: null,
  principal_cents: null,
  refund_cents: null,
  is_recovery: false,
  failure_code: null,
  inquiry: 0,
  reported_at: null,
  hold_lost_ms: 0n,
  outages_until: null,
  applied_at: null,
}

/** Sent with the next statement. Returns the row that is then there. */
export async function insertRepayment(
  tx: Tx,
  given: Omit<RepaymentRow, keyof typeof NOTHING_REPORTED>,
): Promise<RepaymentRow> {
  const row = { ...NOTHING_REPORTED, ...given }
  await insertRow(tx, row)
  return row
}

const byKey = (db: Db, { tenantId, repaymentId }: RepaymentKey) =>
  db
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', repaymentId)

const selectByKey = readOnce(byKey)
const lockByKey = stepOnce((db, key: RepaymentKey) => byKey(db, key).forNoKeyUpdate())

export async function selectRepayment(db: Db, tenantId: string, repaymentId: string) {
  return (await selectByKey(db, { tenantId, repaymentId }))[0]
}

export async function lockRepaymentRow(tx: Tx, tenantId: string, repaymentId: string) {
  return (await lockByKey(tx, { tenantId, repaymentId }))[0]
}

/** Under its lock. Sent with the next statement, which fails unless the repayment is still in the
 * status it was read in. */
export async function updateRepayment(
  tx: Tx,
  tenantId: string,
  { id, status: was }: { id: string; status: RepaymentRow['status'] },
  { status: next = was, ...change }: Updateable<Tables['repayments']>,
): Promise<void> {
  const status = unlessChanged('status', { was, next, name: `repayment ${id}` })
  await tx
    .updateTable('repayments')
    .set({ ...change, status })
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', id)
    .modifyEnd(sql.raw(WITH_NEXT))
    .execute()
}

const insertReference = builtOnce((db, row: Tables['repayment_references']) =>
  db
    .insertInto('repayment_references')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'folded']).doNothing())
    .modifyEnd(sql.raw(WITH_NEXT)),
)

const selectOwner = builtOnce((db, { tenantId, folded }: { tenantId: string; folded: string }) =>
  db
    .selectFrom('repayment_references')
    .select('repayment_id')
    .where('tenant_id', '=', tenantId)
    .where('folded', '=', folded),
)

const insertTransfer = stepOnce((db, row: Tables['confirmed_transfers']) =>
  db
    .insertInto('confirmed_transfers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'transfer_id']).doNothing())
    .returning('transfer_id'),
)

/** False where another repayment has claimed the reference, in whatever case. */
export async function claimReference(
  tx: Tx,
  row: Tables['repayment_references'],
): Promise<boolean> {
  const { tenant_id: tenantId, folded } = row
  await insertReference(tx, row)
  // A second statement: it sees what another transaction committed while the first one waited.
  const [owner] = await selectOwner(tx, { tenantId, folded })
  return owner?.repayment_id === row.repayment_id
}

/** False where the transfer was confirmed for another repayment. */
export async function claimTransfer(tx: Tx, row: Tables['confirmed_transfers']): Promise<boolean> {
  // Waits for a transaction that is claiming it, and inserts nothing if that commits.
  return (await insertTransfer(tx, row)).length === 1
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
