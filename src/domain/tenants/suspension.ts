import { Refusal } from '../../core/errors.ts'
import type { Tx } from '../../db/database.ts'
import { lockSuspension, updateSuspension } from './queries.ts'

/** Real time. What writes is refused on every process within five seconds. Refuses `not_found`,
 * and `validation_failed` where it is suspended already, or closed. */
export async function suspendTenant(
  tx: Tx,
  tenantId: string,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  if (await readSuspension(tx, tenantId)) {
    throw new Refusal('validation_failed', `Tenant ${tenantId} is suspended already.`)
  }
  await updateSuspension(tx, tenantId, { at: now, reason })
}

/** Returns what it ends. Refuses `not_found`, and `validation_failed` where it is not suspended, or
 * closed. */
export async function resumeTenant(
  tx: Tx,
  tenantId: string,
): Promise<{ at: Date; reason: string }> {
  const suspension = await readSuspension(tx, tenantId)
  if (!suspension) {
    throw new Refusal('validation_failed', `Tenant ${tenantId} is not suspended.`)
  }
  await updateSuspension(tx, tenantId, undefined)
  return suspension
}

async function readSuspension(tx: Tx, tenantId: string) {
  const row = await lockSuspension(tx, tenantId)
  if (!row) throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  const { suspended_at: at, suspension_reason: reason, closed_at: closedAt } = row
  if (closedAt !== null) throw new Refusal('validation_failed', `Tenant ${tenantId} is closed.`)
  return at === null ? undefined : { at, reason: reason ?? '' }
}
