import { Refusal } from '../../../core/errors.ts'
import { minOf } from '../../../core/money.ts'
import { addMs, type Instant, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { CloseReason } from '../../../db/schema/facilities.ts'
import { forgetReading } from '../../collateral/portfolio-source.ts'
import { appendEvents } from '../../events/append-event.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import { clearDeadline } from '../../work/deadlines.ts'
import { requestWork, type WorkResult } from '../../work/work.ts'
import { callAbout } from '../custody/custodian-call.ts'
import { type Facility, getFacility, lockFacility } from '../facilities.ts'
import { totalDebtCents } from '../ledger/debt.ts'
import { changeFacility } from '../ledger/ledger.ts'
import type { LendingContext } from '../lending-context.ts'
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
export async function closeFacility(
  lending: LendingContext,
  facilityId: string,
): Promise<Facility> {
  const { tx, tenantId, policy, now } = lending
  const facility = await lockFacility(tx, tenantId, facilityId)
  if (facility.state === 'PENDING') {
    await clearDeadline(tx, tenantId, DECIDE_FACILITY, facilityId)
    await finishClosing(tx, facility, 'cancelled', now)
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
  await beginClosing(tx, facility, 'repaid', lending)
  return await getFacility(tx, tenantId, facilityId)
}

/**
 * Takes a locked approved facility to CLOSING: whatever it still owes is written off, interest stops,
 * and its lien is to be released, under the next number of its floors, so that no floor which is on
 * its way restores it. Returns what was written off, in cents.
 */
export async function beginClosing(
  tx: Tx,
  locked: Facility,
  reason: Exclude<CloseReason, 'cancelled'>,
  { now, realNow }: Instant,
): Promise<bigint> {
  const { tenantId, id, state } = locked
  if (state !== 'APPROVED') throw new Error(`facility ${id} is ${state} and cannot begin to close`)
  const kind = reason === 'repaid' ? 'waiver' : 'charge_off'
  const { facility, cents } = await writeOff(tx, locked, kind, now)
  const floorSequence = facility.floorSequence + 1n
  const change = { state: 'CLOSING', close_reason: reason, floor_sequence: floorSequence } as const
  await changeFacility(tx, facility, change, now)
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
  const { realNow } = await context.instant(tenantId)
  const waiting = { done: false, retryAt: addMs(realNow, MINUTE_MS) } as const
  if (await hasUnsettledMoney(context.db, tenantId, facilityId)) return waiting
  const answer = await context.custodian.releaseLien({
    ...callAbout(facility, `lien/${facility.floorSequence}`, realNow),
    sequence: facility.floorSequence,
  })
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused') {
    await inTransaction(context.db, (tx) => countRefusal(tx, facility))
    return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  }
  const { now } = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility(tx, tenantId, facilityId)
    // Money may have come up while the custodian was asked: then we come again.
    if (locked.state !== 'CLOSING' || (await hasUnsettledMoney(tx, tenantId, facilityId))) return
    await clearDeadline(tx, tenantId, REFRESH_FLOOR, facilityId)
    await finishClosing(tx, locked, locked.closeReason ?? 'repaid', now)
  })
  const { state } = await getFacility(context.db, tenantId, facilityId)
  return state === 'CLOSED' ? { done: true } : waiting
}

/** A refused release is asked for again under the next number; each number is refused once. */
async function countRefusal(tx: Tx, { tenantId, id, floorSequence }: Facility): Promise<void> {
  const facility = await lockFacility(tx, tenantId, id)
  if (facility.floorSequence !== floorSequence || facility.state !== 'CLOSING') return
  const next = floorSequence + 1n
  const change = { floor_sequence: next, custodian_sequence: floorSequence }
  await changeFacility(tx, facility, change, facility.updatedAt)
}

async function finishClosing(
  tx: Tx,
  facility: Facility,
  reason: CloseReason,
  now: Date,
): Promise<void> {
  const { tenantId, id, floorSequence } = facility
  await forgetReading(tx, tenantId, facility.borrowerId)
  await changeFacility(
    tx,
    facility,
    {
      state: 'CLOSED',
      close_reason: reason,
      closed_at: now,
      // The release is the newest of its floors: what is answered later changes nothing.
      custodian_floor_cents: 0n,
      custodian_sequence: floorSequence,
    },
    now,
  )
  await appendEvents(tx, tenantId, [
    {
      type: 'facility.closed',
      resource: { type: 'facility', id },
      occurredAt: now,
      data: { facility_id: id, closed_at: now.toISOString(), reason },
    },
  ])
}
