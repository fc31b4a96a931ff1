import { Refusal } from '../../core/errors.ts'
import { foldReference } from '../../core/external-reference.ts'
import type { BorrowerRef } from '../../core/personal-text.ts'
import type { Tx } from '../../db/database.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { ensureBorrowerKey } from './borrower-key.ts'
import {
  clearBreaks,
  clearDoubts,
  clearIds,
  type DigestedColumn,
  digestUsed,
  lockFacilitiesOf,
  type PaymentsOf,
  replaceTexts,
  selectCreationAnswers,
  selectFolded,
  selectPaymentIds,
  selectTexts,
  selectTransferIds,
  updateAnswer,
} from './digest-queries.ts'
import { type DigestKind, ERASED_PREFIX, ensureDigest } from './digests.ts'
import { destroyKey } from './key-queries.ts'
import { describeObstacles, findObstacles } from './retention.ts'
import { lockBorrowerRow, selectRetentionFacts } from './retention-queries.ts'

/** Keeps an erasure where a restored backup cannot lose it. Called before the commit. */
export type KeepErasure = (erased: BorrowerRef & { at: Date }) => Promise<void>

/** In this order. */
export const DIGESTED: readonly (DigestedColumn & { kind: DigestKind })[] = [
  { table: 'repayments', column: 'reference', rows: 'facility', kind: 'reference' },
  { table: 'draws', column: 'reference', rows: 'facility', kind: 'payout' },
  { table: 'refunds', column: 'reference', rows: 'facility', kind: 'payout' },
  // While the transfer's own id still finds its row.
  { table: 'sandbox_transfers', column: 'returns', rows: 'transfer_id', kind: 'transfer' },
  { table: 'sandbox_transfers', column: 'transfer_id', rows: 'transfer_id', kind: 'transfer' },
  { table: 'reconciliation_breaks', column: 'item_id', rows: 'item_id', kind: 'transfer' },
]

/** Destroys the borrower's key, and overwrites what is not sealed by it. False where it was erased before.
 * Refuses `not_found`, and `retention_not_over` with all that stands against it. */
export async function eraseBorrower(
  { tx, tenantId, now, realNow }: TenantContext,
  borrowerId: string,
): Promise<boolean> {
  const borrower = { tenantId, borrowerId }
  if (!(await lockBorrowerRow(tx, borrower))) {
    throw new Refusal('not_found', 'There is no such borrower.')
  }
  if ((await ensureBorrowerKey(tx, borrower)).isErased) return false
  const facilityIds = await lockFacilitiesOf(tx, tenantId, borrowerId)
  const obstacles = findObstacles(await selectRetentionFacts(tx, tenantId, borrowerId), now)
  if (obstacles.length > 0) throw new Refusal('retention_not_over', describeObstacles(obstacles))
  await destroyKey(tx, borrower, realNow)
  await clearIds(tx, tenantId, borrowerId)
  await clearDoubts(tx, tenantId, facilityIds)
  await clearAnswers(tx, tenantId, [borrowerId, ...facilityIds])
  const paymentIds = await selectPaymentIds(tx, tenantId, facilityIds)
  const transferIds = await selectTransferIds(tx, tenantId, paymentIds)
  await clearBreaks(tx, tenantId, transferIds)
  await digestPayments(tx, borrowerId, { tenantId, facilityIds, paymentIds, transferIds })
  return true
}

/** Stored answers say what the tenant sent: of an erased borrower, without it. */
async function clearAnswers(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  for (const { key, body } of await selectCreationAnswers(tx, tenantId, ids)) {
    const { external_id: _id, custody_account: _account, ...rest } = JSON.parse(body)
    await updateAnswer(tx, tenantId, { key, body: JSON.stringify(rest) })
  }
}

async function digestPayments(tx: Tx, borrowerId: string, of: PaymentsOf): Promise<void> {
  if (of.paymentIds.length === 0) return
  const digest = await ensureDigest(tx)
  const { tenantId, paymentIds, transferIds } = of
  const used = [
    ...(await selectFolded(tx, tenantId, paymentIds)).map((text) => ['reference', text] as const),
    ...transferIds.map((text) => ['transfer', text] as const),
  ].filter(([, text]) => !text.startsWith(ERASED_PREFIX))
  await digestUsed(
    tx,
    { tenantId, borrowerId },
    {
      from: used.map(([, text]) => text),
      to: used.map(([kind, text]) => digest(kind, text)),
    },
  )
  for (const column of DIGESTED) {
    const found = await selectTexts(tx, column, of)
    const from = found.filter((text) => !text.startsWith(ERASED_PREFIX))
    if (from.length === 0) continue
    const { kind } = column
    const to = from.map((text) => digest(kind, kind === 'reference' ? foldReference(text) : text))
    await replaceTexts(tx, column, of, { from, to })
  }
}
