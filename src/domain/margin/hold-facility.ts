import { execute } from '../../db/transactions/execute.ts'
import { endInquiries } from '../facilities/custody/inquiry-queries.ts'
import { appendReleased, liftHold, type NewHold, placeHold } from '../facilities/holds/holds.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import { loadPauses } from '../facilities/pauses/load-pauses.ts'
import { DEFAULT_POLICY } from '../facilities/policy.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import { recallOrders, selectLiveCalls } from './call-queries.ts'
import { SELL_COLLATERAL } from './topics.ts'
import { selectOpenWarnings } from './warning-queries.ts'
import { deadlinesAt } from './warnings/paused.ts'

/** Stops escalations, sales, payouts and the release, and recalls what was sent. Refuses `not_found`, and
 * `validation_failed` for a declined facility. */
export async function holdFacility(
  tenant: TenantContext,
  facilityId: string,
  hold: NewHold,
): Promise<{ holdId: string; heldSince: Date | undefined }> {
  const locked = await lockFacility(tenant, facilityId)
  const { heldSince } = locked.facility
  const { id: holdId } = await placeHold(locked, hold)
  await recallOrders(locked.tx, locked.tenantId, facilityId, locked.now)
  await resumeSale(locked)
  return { holdId, heldSince }
}

/** Returns whether it was the last: what they stopped goes on. Refuses `not_found`. */
export async function releaseFacility(
  tenant: TenantContext,
  facilityId: string,
  holdId: string,
): Promise<{ isLast: boolean }> {
  const locked = await lockFacility(tenant, facilityId)
  const isLast = await liftHold(locked, holdId, DEFAULT_POLICY)
  if (!isLast) return { isLast }
  // A late answer about what there was before counts no more.
  for (const purpose of ['escalation', 'sale'] as const) {
    await endInquiries(locked.tx, {
      ...{ tenantId: locked.tenantId, facilityIds: [facilityId], purpose },
    })
  }
  await resumeSale(locked)
  await appendReleased(locked, await findWarning(locked))
  return { isLast }
}

/** The call under way decides what the hold makes of it. */
async function resumeSale({ tx, tenantId, facility, realNow }: LockedFacility): Promise<void> {
  const calls = await execute(tx, selectLiveCalls({ tenantId, ids: [facility.id] }))
  if (calls.length === 0) return
  await requestWork(tx, { tenantId, topic: SELL_COLLATERAL, subjectId: facility.id }, realNow)
}

async function findWarning({ tx, tenantId, facility, now }: LockedFacility) {
  const [row] = await execute(tx, selectOpenWarnings({ tenantId, ids: [facility.id] }))
  if (!row) return undefined
  const pausesOf = await loadPauses(tx, tenantId, [facility.id], now)
  const { cureDeadline: deadline } = deadlinesAt(row, pausesOf(facility.id), now)
  return { number: row.number, deadline }
}
