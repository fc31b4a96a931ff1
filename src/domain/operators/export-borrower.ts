import type { BorrowerRef } from '../../core/personal-text.ts'
import type { Tx } from '../../db/database.ts'
import { type BorrowerRows, readBorrowerRows } from '../personal/export.ts'
import { type ActingOperator, recordOperatorAction } from './actions.ts'

/** Reads all that is stored about a borrower. It records that the data was shown, not the data. Refuses
 * `not_found`, `borrower_erased` and `scope_missing`. */
export async function exportBorrower(
  tx: Tx,
  acting: ActingOperator,
  borrower: BorrowerRef,
  given: { all: boolean; reason: string | undefined },
): Promise<BorrowerRows> {
  const rows = await readBorrowerRows(tx, borrower)
  const { tenantId, borrowerId } = borrower
  await recordOperatorAction(tx, acting, {
    action: 'borrowers.export',
    ...{ subject: { kind: 'borrower', id: borrowerId }, tenantId, reason: given.reason },
    outcome: { for: given.all ? 'lender' : 'person' },
  })
  return rows
}
