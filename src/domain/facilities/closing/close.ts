import { Refusal } from '../../../core/errors.ts'
import { minOf } from '../../../core/money.ts'
import { addMs, DAY_MS, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { CloseReason } from '../../../db/schema/facilities.ts'
import { forgetReading } from '../../collateral/portfolio-source.ts'
import { appendEvents } from '../../events/append/append.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import { clearDeadline } from '../../work/deadlines.ts'
import { requestWork, type WorkResult } from '../../work/work.ts'
import { callAbout } from '../custody/custodian-call.ts'
import { type Facility, getFacility } from '../facilities.ts'
import { onHold } from '../holds/on-hold.ts'
import { totalDebtCents } from '../ledger/debt.ts'
import { updateFacility } from '../ledger/ledger.ts'
import { isProvisional } from '../ledger/provisional.ts'
import type { LendingContext } from '../lending-context.ts'
import { type FacilityChange, type LockedFacility, lockFacility } from '../locked-facility.ts'
import { notApproved } from '../not-approved.ts'
import type { Custodian } from '../ports.ts'
import { selectMarginState } from '../queries.ts'
import { DECIDE_FACILITY, REFRESH_FLOOR, RELEASE_LIEN } from '../topics.ts'
import { hasMoneyUnderWay, hasUnsettledMoney } from '../under-way-queries.ts'
import { approveAgain } from './reopen.ts'
import { writeOff } from './write-off.ts'

const RETRY_REFUSED_MS = MINUTE_MS

/** Refuses `facility_not_approved`, `facility_on_hold`, and `outstanding_balance` while more is owed than is waived,
 * money is under way, or a margin call or warning is open. */
export async function closeFacility(change: FacilityChange<LendingContext>): Promise<Facility> {
  const { tx, tenantId, policy, now, facility } = change
  const { id: facilityId } = facility
  const isOpen = facility.state === 'PENDING' || facility.state === 'APPROVED'
  if (isOpen && facility.heldSince) throw onHold()
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
  // Never more than the interest it has paid: the principal itself is always repaid.
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

/** Returns the cents written off. The release has the next floor's number: no late floor undoes it. */
export async function beginClosing(
  locked: LockedFacility,
  reason: Exclude<CloseReason, 'cancelled'>,
): Promise<bigint> {
  const { tx, tenantId, realNow } = locked
  const { id, state } = locked.facility
  if (state !== 'APPROVED') throw new Error(`facility ${id} is ${state} and cannot begin to close`)
  const kind = reason === 'repaid' ? 'waiver' : 'charge_off'
  const { written, principalCents, interestCents } = await writeOff(locked, kind)
  const floorSequence = written.facility.floorSequence + 1n
  await updateFacility(written, {
    state: 'CLOSING',
    close_reason: reason,
    floor_sequence: floorSequence,
    ...(reason === 'charged_off' && {
      charged_off_principal_cents: principalCents,
      charged_off_interest_cents: interestCents,
    }),
  })
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: id }, realNow)
  return principalCents + interestCents
}

/** Ends once no repayment is unanswered and no refund unpaid; what settles them asks again. Under a hold
 * it waits, and what was sent before is recalled: done, it has happened. */
export async function releaseLien(
  context: { db: Db; custodian: Custodian; instant: InstantFor },
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const asked = await context.instant(tenantId)
  const { realNow } = asked
  const step = await inTransaction(context.db, async (tx) =>
    sendRelease(await lockFacility({ tx, tenantId, ...asked }, facilityId)),
  )
  if ('done' in step) return step
  const { facility } = step
  const { floorSequence: sequence } = facility
  const call = { ...callAbout(facility, `lien/${sequence}`, realNow), sequence }
  const { custodian } = context
  const answer = await (facility.releaseRecalledAt
    ? custodian.cancelRelease(call)
    : custodian.releaseLien(call))
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused') {
    await inTransaction(context.db, async (tx) => {
      const locked = await lockFacility({ tx, tenantId, ...asked }, facilityId)
      await countRefusal(locked, sequence)
      // Money came back meanwhile, and the release has not happened.
      if (isUnpaid(locked)) await approveAgain(locked)
    })
    return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  }
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, facilityId)
    const { state, closeReason } = locked.facility
    // New money arrived meanwhile: retry.
    if (state !== 'CLOSING' || (await hasUnsettledMoney(tx, tenantId, facilityId))) return
    const isUnsecured = isUnpaid(locked)
    if (!isUnsecured && mustWaitForMoney(locked.facility)) return
    await clearDeadline(tx, tenantId, REFRESH_FLOOR, facilityId)
    if (isUnsecured) await finishClosing(await chargeOff(locked), 'charged_off')
    else await finishClosing(locked, closeReason ?? 'repaid')
  })
  const { state } = await getFacility(context.db, tenantId, facilityId)
  return state === 'CLOSED' ? { done: true } : { done: false, retryAt: addMs(realNow, MINUTE_MS) }
}

/** Marks it as sent, which no hold has seen. What was sent is asked about until it is answered. */
async function sendRelease(locked: LockedFacility): Promise<{ facility: Facility } | WorkResult> {
  const { tx, tenantId, facility, now, realNow } = locked
  if (facility.state !== 'CLOSING') return { done: true }
  if (facility.releaseRecalledAt) return { facility }
  const later = (ms: number) => ({ done: false, retryAt: addMs(realNow, ms) }) as const
  // The end of the hold asks again.
  if (facility.heldSince) return later(DAY_MS)
  if (await hasUnsettledMoney(tx, tenantId, facility.id)) return later(MINUTE_MS)
  // Asked again by the deadline of the receipt.
  if (mustWaitForMoney(facility)) return later(DAY_MS)
  if (!facility.releaseSentAt) {
    await updateFacility(locked, { release_sent_at: now, updated_at: facility.updatedAt })
  }
  return { facility }
}

/** Repaid, and money has come back since. */
function isUnpaid({ facility, now }: LockedFacility): boolean {
  const { state, closeReason, debt } = facility
  return state === 'CLOSING' && closeReason === 'repaid' && totalDebtCents(debt, now) > 0n
}

async function chargeOff(locked: LockedFacility): Promise<LockedFacility> {
  const { written, principalCents, interestCents } = await writeOff(locked, 'charge_off')
  await updateFacility(written, {
    charged_off_principal_cents: principalCents,
    charged_off_interest_cents: interestCents,
  })
  return written
}

/** Repaid by money that can still be taken back. A debt that was charged off has no collateral left. */
function mustWaitForMoney(facility: Facility): boolean {
  return facility.closeReason === 'repaid' && isProvisional(facility)
}

async function countRefusal(locked: LockedFacility, refused: bigint): Promise<void> {
  const { floorSequence, state, updatedAt } = locked.facility
  if (floorSequence !== refused || state !== 'CLOSING') return
  const next = { floor_sequence: refused + 1n, custodian_sequence: refused }
  const unsent = { release_sent_at: null, release_recalled_at: null }
  await updateFacility(locked, { ...next, ...unsent, updated_at: updatedAt })
}

async function finishClosing(locked: LockedFacility, reason: CloseReason): Promise<void> {
  const { tx, tenantId, now } = locked
  const { id, borrowerId, floorSequence } = locked.facility
  await forgetReading(tx, tenantId, borrowerId)
  await updateFacility(locked, {
    state: 'CLOSED',
    close_reason: reason,
    closed_at: now,
    // The release is the newest number: a later answer about a floor changes nothing.
    custodian_floor_cents: 0n,
    custodian_sequence: floorSequence,
  })
  appendEvents(tx, tenantId, [
    {
      type: 'facility.closed',
      resource: { type: 'facility', id },
      occurredAt: now,
      data: { facility_id: id, closed_at: now.toISOString(), reason },
    },
  ])
}
