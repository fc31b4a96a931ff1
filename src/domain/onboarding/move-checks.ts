import type { CheckStatus } from '../../db/schema/onboarding.ts'
import { ensureBorrowerKey } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { selectChecks, updateCheck } from './queries.ts'

/** Of a locked borrower; returns how many. A later answer of a provider has no effect. */
export async function moveChecks(
  { tx, tenantId, now }: TenantContext,
  borrowerId: string,
  { from, to, note }: { from: readonly CheckStatus[]; to: CheckStatus; note: string },
): Promise<number> {
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId })
  const sealed = key.seal(note, 'note')
  let moved = 0
  for (const check of await selectChecks(tx, tenantId, borrowerId)) {
    const change = { from, to, note: sealed, reference: undefined, now }
    if (await updateCheck(tx, tenantId, check.check_id, change)) moved += 1
  }
  return moved
}
