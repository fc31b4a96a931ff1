import type { CheckStatus } from '../../db/schema.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { selectChecks, updateCheck } from './queries.ts'

/**
 * Moves all checks of a locked borrower that are in one of the states `from`; returns how many there
 * were. What a provider answers later about one of them changes nothing.
 */
export async function moveChecks(
  { tx, tenantId, now }: TenantContext,
  borrowerId: string,
  { from, to, note }: { from: readonly CheckStatus[]; to: CheckStatus; note: string },
): Promise<number> {
  let moved = 0
  for (const check of await selectChecks(tx, tenantId, borrowerId)) {
    const change = { from, to, note, reference: undefined, now }
    if (await updateCheck(tx, tenantId, check.check_id, change)) moved += 1
  }
  return moved
}
