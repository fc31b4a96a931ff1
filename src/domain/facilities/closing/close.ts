import { Refusal } from '../../../core/errors.ts'
import { minOf } from '../../../core/money.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { CloseReason } from '../../../db/schema/facilities.ts'
import { forgetReading } from '../../collateral/portfolio-source.ts'
import { appendEvents } from '../../events/append-event.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import { clearDeadline } from '../../work/deadlines.ts'
import { requestWork, type WorkResult } from '../../work/work.ts'
import { callAbout } from '../custody/custodian-call.ts'
import { type Facility, getFacility } from '../facilities.ts'
import { totalDebtCents } from '../ledger/debt.ts'
import { updateFacility } from '../ledger/ledger.ts'
import type { LendingContext } from '../lending-context.ts'
import { type FacilityChange, type LockedFacility, lockFacility } from '../locked-facility.ts'
import { notApproved } from '../not-approved.ts'
import type { Custodian } from '../ports.ts'
import { hasMoneyUnderWay, hasUnsettledMoney, selectMarginState } from '../queries.ts'
import { DECIDE_FACILITY, REFRESH_FLOOR, RELEASE_LIEN } from '../topics.ts'
import { writeOff } from './write-off.ts'

const RETRY_REFUSED_MS = MINUTE_MS

/**
 * Closes a facility: a pending application is cancelled at once, an approved facility without debt
 * goes to CLOSING until the custodian has released the lien. A debt of at most the waiver, and of at
 * most what the facility has paid in interest, is waived.
 * Refuses `not_found`, `facility_not_approved` in any other state, and `outstanding_balance` with
 * debt, with a draw or repayment under way, during a margin call and while a warning is open.
 */
export async function closeFacility(change: FacilityChange<LendingContext>): Promise<Facility> {
  const { tx, tenantId, policy, now, facility } = change
  const { id: facilityId } = facility
  if (facility.state === 'PENDING') {
    await clearDeadline(tx, tenantId, DECIDE_FACILITY, facilityId)
    await finishClosing(change, 'cancelled')
    return await getFacility(tx, tenantId, facilityId)
  }
  if (facility.state !== 'APPROVED') {
    throw notApproved(facility.state)
  }
  if (await hasMoneyUnderWay(tx, tenantId, facilityId)) {
    throw new Refusal('outstanding_balance', 'A draw or a repayment is still under way.')
  }
  // Never more than it has paid in interest: what was lent itself comes back whole.
  const waivable = minOf(policy.waiverCents, facility.debt.interestPaidCents)
  if (totalDebtCents(facility.debt, now) > waivable) {
    throw new Refusal('outstanding_balance', 'The outstanding total must be repaid first.')
  }
  const { openWarning } = await selectMarginState(tx, tenantId, facilityId)
  if (openWarning !== undefined) {
    throw new Refusal('outstanding_balance', `Margin warning ${openWarning} is not cured yet.`)
  }
  await beginClosing(change, 'repaid')
  return await getFacility(tx, tenantId, facilityId)
}

/**
 * Takes a locked approved facility to CLOSING: whatever it still owes is written off, interest stops,
 * and its lien is to be released, under the next number of its floors, so that no floor which is on
 * its way restores it. Returns what was written off, in cents.
 */
export async function beginClosing(
  locked: LockedFacility,
  reason: Exclude<CloseReason, 'cancelled'>,
): Promise<bigint> {
  const { tx, tenantId, realNow } = locked
  const { id, state } = locked.facility
  if (state !== 'APPROVED') throw new Error(`facility ${id} is ${state} and cannot begin to close`)
  const kind = reason === 'repaid' ? 'waiver' : 'charge_off'
  const { written, cents } = await writeOff(locked, kind)
  const floorSequence = written.facility.floorSequence + 1n
  const change = { state: 'CLOSING', close_reason: reason, floor_sequence: floorSequence } as const
  await updateFacility(written, change)
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: id }, realNow)
  return cents
}

/**
 * Has the custodian release the lien of a closing facility, once the treasury has answered for every
 * reported repayment and everything owed back is paid out, and closes it with `facility.closed`
 * (interface, facility.closed). What settles such money asks for this again; the minute is a net.
 */
export async function releaseLien(
  context: { db: Db; custodian: Custodian; instant: InstantFor },
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const facility = await getFacility(context.db, tenantId, facilityId)
  if (facility.state !== 'CLOSING') return { done: true }
  const asked = await context.instant(tenantId)
  const { realNow } = asked
  const waiting = { done: false, retryAt: addMs(realNow, MINUTE_MS) } as const
  if (await hasUnsettledMoney(context.db, tenantId, facilityId)) return waiting
  const answer = await context.custodian.releaseLien({
    ...callAbout(facility, `lien/${facility.floorSequence}`, realNow),
    sequence: facility.floorSequence,
  })
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused') {
    await inTransaction(context.db, async (tx) => {
      const locked = await lockFacility({ tx, tenantId, ...asked }, facilityId)
      await countRefusal(locked, facility.floorSequence)
    })
    return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  }
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, facilityId)
    const { state, closeReason } = locked.facility
    // Money may have come up while the custodian was asked: then we come again.
    if (state !== 'CLOSING' || (await hasUnsettledMoney(tx, tenantId, facilityId))) return
    await clearDeadline(tx, tenantId, REFRESH_FLOOR, facilityId)
    await finishClosing(locked, closeReason ?? 'repaid')
  })
  const { state } = await getFacility(context.db, tenantId, facilityId)
  return state === 'CLOSED' ? { done: true } : waiting
}

/** A refused release is asked for again under the next number; each number is refused once. */
async function countRefusal(locked: LockedFacility, refused: bigint): Promise<void> {
  const { floorSequence, state, updatedAt } = locked.facility
  if (floorSequence !== refused || state !== 'CLOSING') return
  const next = { floor_sequence: refused + 1n, custodian_sequence: refused }
  await updateFacility(locked, { ...next, updated_at: updatedAt })
}

async function finishClosing(locked: LockedFacility, reason: CloseReason): Promise<void> {
  const { tx, tenantId, now } = locked
  const { id, borrowerId, floorSequence } = locked.facility
  await forgetReading(tx, tenantId, borrowerId)
  await updateFacility(locked, {
    state: 'CLOSED',
    close_reason: reason,
    closed_at: now,
    // The release is the newest of its floors: what is answered later changes nothing.
    custodian_floor_cents: 0n,
    custodian_sequence: floorSequence,
  })
  await appendEvents(tx, tenantId, [
    {
      type: 'facility.closed',
      resource: { type: 'facility', id },
      occurredAt: now,
      data: { facility_id: id, closed_at: now.toISOString(), reason },
    },
  ])
}
