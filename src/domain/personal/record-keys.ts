import type { BorrowerRef, TextKey } from '../../core/personal-text.ts'
import type { Db } from '../../db/database.ts'
import { openKey } from './borrower-key.ts'
import { selectKeys } from './key-queries.ts'

/** Keys of borrowers of any tenants, in a statement a tenant. */
export async function readBorrowerKeys(
  db: Db,
  borrowers: readonly BorrowerRef[],
): Promise<{ of(borrower: BorrowerRef): TextKey }> {
  const keys = new Map<string, TextKey>()
  for (const [tenantId, found] of Map.groupBy(borrowers, (one) => one.tenantId)) {
    const ids = [...new Set(found.map(({ borrowerId }) => borrowerId))]
    const rows = await selectKeys(db, tenantId, ids)
    const byId = new Map(rows.map((row) => [row.borrower_id, row.sealed_key]))
    for (const borrowerId of ids) {
      const key = openKey(db, { tenantId, borrowerId }, byId.get(borrowerId))
      keys.set(placeOf({ tenantId, borrowerId }), key)
    }
  }
  return {
    of(borrower) {
      const key = keys.get(placeOf(borrower))
      if (!key) throw new Error(`the keys were read without that of ${borrower.borrowerId}`)
      return key
    },
  }
}

const placeOf = ({ tenantId, borrowerId }: BorrowerRef) => `${tenantId}/${borrowerId}`
