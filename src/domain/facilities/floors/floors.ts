import { formatUsd } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { appendEvents } from '../../events/append/append.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { setDeadline } from '../../work/deadlines.ts'
import { requestWork } from '../../work/work.ts'
import { callAbout } from '../custody/custodian-call.ts'
import type { Facility } from '../facilities.ts'
import { totalDebtCents } from '../ledger/debt.ts'
import { updateFacility } from '../ledger/ledger.ts'
import { debtIfTakenBack, isProvisional } from '../ledger/provisional.ts'
import { type LockedFacility, lockFacility } from '../locked-facility.ts'
import type { LendingTerms, LendingTermsAt } from '../policy.ts'
import type { CallAnswer, Custodian } from '../ports.ts'
import { selectMarginState } from '../queries.ts'
import { PUSH_FLOOR, REFRESH_FLOOR } from '../topics.ts'
import { decideFloor, REFRESH_MS } from './decide-floor.ts'

export type FloorReason = 'draw' | 'update'

export type FloorContext = {
  db: Db
  custodian: Custodian
  termsAt: LendingTermsAt
  instant: InstantFor
}

type Push = {
  facility: Facility
  sequence: bigint
  floorCents: bigint
  isResumed: boolean
}

/** If it is due. A push under way is asked about under its own number, then decided again. */
export async function pushFloor(
  context: FloorContext,
  tenantId: string,
  facilityId: string,
  reason: FloorReason,
): Promise<CallAnswer<object>> {
  const before = await context.instant(tenantId)
  const push = await inTransaction(context.db, async (tx) => {
    const terms = await context.termsAt(tx, before.now)
    return await beginPush({ tx, tenantId, ...before, ...terms }, facilityId)
  })
  if (!push) return { status: 'done' }
  const answer = await context.custodian.setFloor({
    ...callAbout(push.facility, `floor/${push.sequence}`, before.realNow),
    sequence: push.sequence,
    floorCents: push.floorCents,
  })
  if (answer.status === 'pending') return answer
  const after = await context.instant(tenantId)
  const { isNewest } = await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...after }, facilityId)
    return await settlePush(locked, push, { accepted: answer.status === 'done', reason })
  })
  // A newer floor caused the refusal: push again.
  const isOvertaken = answer.status === 'refused' && !isNewest
  const isPerhapsOld = answer.status === 'done' && push.isResumed
  if (isOvertaken || isPerhapsOld) return await pushFloor(context, tenantId, facilityId, reason)
  return answer
}

async function beginPush(
  context: TenantContext & LendingTerms,
  facilityId: string,
): Promise<Push | undefined> {
  const { tx, tenantId } = context
  const locked = await lockFacility(context, facilityId)
  const { facility, policy, now } = locked
  // A closing facility releases its lien instead.
  if (facility.state !== 'APPROVED') return undefined
  const margin = await selectMarginState(tx, tenantId, facilityId)
  const debt = await debtIfTakenBack(tx, facility, now)
  const owing = { ...facility, debt }
  const { wantedCents, leastCents, isDue } = decideFloor(owing, margin, policy, now)
  const isUnderWay = facility.floorSequence > facility.custodianSequence
  // A lower floor that may be on its way is overtaken by a hold.
  const falls = facility.heldSince && facility.floorPushedCents < facility.custodianFloorCents
  if (isUnderWay && facility.floorPushedCents >= leastCents && !falls) {
    const { floorSequence: sequence, floorPushedCents } = facility
    return { facility, sequence, floorCents: floorPushedCents, isResumed: true }
  }
  if (!isUnderWay && !isDue) return undefined
  const sequence = facility.floorSequence + 1n
  const pushed = { floor_pushed_cents: wantedCents, floor_pushed_at: now }
  await updateFacility(locked, { ...pushed, floor_sequence: sequence })
  return { facility, sequence, floorCents: wantedCents, isResumed: false }
}

/** `isNewest`: no later floor or release was requested. An answer never undoes a later one. */
async function settlePush(
  locked: LockedFacility,
  push: Push,
  { accepted, reason }: { accepted: boolean; reason: FloorReason },
): Promise<{ isNewest: boolean }> {
  const { tx, facility, now } = locked
  const isNewest = push.sequence === facility.floorSequence
  if (push.sequence <= facility.custodianSequence) return { isNewest }
  const previous = facility.custodianFloorCents
  const next = accepted ? push.floorCents : previous
  const acknowledged = { custodian_sequence: push.sequence, custodian_floor_cents: next }
  await updateFacility(locked, acknowledged)
  if (!accepted) return { isNewest }
  if (next > 0n) {
    // From what it was decided by: a sandbox clock may have leapt over days since.
    const refresh = {
      subjectId: facility.id,
      dueAt: addMs(facility.floorPushedAt ?? now, REFRESH_MS),
    }
    await setDeadline(tx, facility.tenantId, REFRESH_FLOOR, refresh)
  }
  appendEvents(tx, facility.tenantId, [
    {
      type: 'facility.floor_updated',
      resource: { type: 'facility', id: facility.id },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        required_floor_usd: formatUsd(next),
        previous_floor_usd: formatUsd(previous),
        reason,
      },
    },
  ])
  return { isNewest }
}

/** Pushes the floor daily while something is owed or a floor is held. */
export async function refreshFloor(tenant: TenantContext, facilityId: string): Promise<void> {
  const { tx, tenantId } = tenant
  const { facility, now } = await lockFacility(tenant, facilityId)
  const isOwed = totalDebtCents(facility.debt, now) > 0n || isProvisional(facility)
  if (facility.state !== 'APPROVED' || !(isOwed || facility.custodianFloorCents > 0n)) return
  const next = { subjectId: facilityId, dueAt: addMs(now, REFRESH_MS) }
  await setDeadline(tx, tenantId, REFRESH_FLOOR, next)
  await requestFloorPush(tenant, facilityId)
}

export async function requestFloorPush(
  { tx, tenantId, realNow }: TenantContext,
  facilityId: string,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: PUSH_FLOOR, subjectId: facilityId }, realNow)
}
