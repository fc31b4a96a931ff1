import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { type ListRequest, listAfter, mapPage, type Page } from '../../../core/page.ts'
import { SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { HoldKind } from '../../../db/schema/facilities.ts'
import { appendEvents } from '../../events/append/append.ts'
import { ensureBorrowerKey, openRowKey } from '../../personal/borrower-key.ts'
import { setDeadline } from '../../work/deadlines.ts'
import { requestWorks } from '../../work/work.ts'
import { toDraw } from '../draws/draws.ts'
import { failDraw } from '../draws/fail-draw.ts'
import { type Facility, getFacility } from '../facilities.ts'
import { updateFacility } from '../ledger/ledger.ts'
import type { LockedFacility } from '../locked-facility.ts'
import type { LendingPolicy } from '../policy.ts'
import { recallRefunds } from '../refunds/refund-queries.ts'
import {
  DECIDE_FACILITY,
  EVALUATE_AFTER,
  PAY_REFUND,
  PUSH_FLOOR,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../topics.ts'
import { patienceEndsAt } from '../underwriting/patience.ts'
import {
  endHold,
  insertHold,
  lockUnsentDraws,
  recallDraws,
  selectHolds,
  selectLyingHolds,
  selectPendingRefunds,
} from './hold-queries.ts'

export const HOLD_KINDS = [
  'bankruptcy',
  'court_order',
  'freeze',
  'death',
  'dispute',
  'other',
] as const satisfies HoldKind[]

export type { HoldKind }

export type Hold = {
  tenantId: string
  facilityId: string
  id: string
  kind: HoldKind
  /** Undefined once the borrower's data is erased. */
  reason: string | undefined
  since: Date
  liftedAt: Date | undefined
}

export type NewHold = { kind: HoldKind; reason: string }

/** While it lies nothing is decided, sold, paid out or released. What was sent is recalled: the caller
 * recalls orders. Refuses `validation_failed` for a declined facility. */
export async function placeHold(
  locked: LockedFacility,
  { kind, reason }: NewHold,
): Promise<{ id: string; held: LockedFacility }> {
  const { tx, tenantId, facility, now, realNow } = locked
  if (facility.state === 'DECLINED') {
    throw new Refusal('validation_failed', 'A declined facility cannot be held.')
  }
  const id = newId('pau')
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId: facility.borrowerId })
  const sealed = key.seal(reason, 'note')
  await insertHold(tx, tenantId, facility.id, { id, kind, reason: sealed, now })
  const held = await beginHold(locked)
  await recallRelease(held)
  const draws = await recallDraws(tx, tenantId, facility.id, now)
  const refunds = await recallRefunds(tx, tenantId, { facilityId: facility.id }, now)
  await requestWorks(
    tx,
    tenantId,
    [
      ...draws.map((subjectId) => ({ topic: RELEASE_DRAW, subjectId })),
      ...refunds.map((subjectId) => ({ topic: PAY_REFUND, subjectId })),
      ...[PUSH_FLOOR, EVALUATE_AFTER.price].map((topic) => ({ topic, subjectId: facility.id })),
    ],
    realNow,
  )
  return { id, held: await failUnsentDraws(held) }
}

async function beginHold(locked: LockedFacility): Promise<LockedFacility> {
  const { tx, tenantId, facility, now } = locked
  if (facility.heldSince) return locked
  const timesHeld = facility.timesHeld + 1
  await updateFacility(locked, { held_since: now, times_held: timesHeld })
  appendEvents(tx, tenantId, [
    {
      type: 'facility.held',
      resource: { type: 'facility', id: facility.id },
      occurredAt: now,
      data: { facility_id: facility.id, since: now.toISOString() },
    },
  ])
  return { ...locked, facility: { ...facility, heldSince: now, timesHeld } }
}

async function recallRelease(locked: LockedFacility): Promise<void> {
  const { tx, tenantId, facility, now, realNow } = locked
  if (facility.state !== 'CLOSING') return
  if (facility.releaseSentAt && !facility.releaseRecalledAt) {
    await updateFacility(locked, { release_recalled_at: now, updated_at: facility.updatedAt })
  }
  await requestWorks(tx, tenantId, [{ topic: RELEASE_LIEN, subjectId: facility.id }], realNow)
}

async function failUnsentDraws(locked: LockedFacility): Promise<LockedFacility> {
  const { tx, tenantId, facility } = locked
  let left = locked
  for (const row of await lockUnsentDraws(tx, tenantId, facility.id)) {
    left = await failDraw(left, toDraw(row), { code: 'facility_on_hold', retryable: true })
  }
  return left
}

/** The last hold's end lets what it stopped go on. Returns false while others lie. Refuses `not_found`. */
export async function liftHold(
  locked: LockedFacility,
  holdId: string,
  policy: LendingPolicy,
): Promise<boolean> {
  const { tx, tenantId, facility, now, realNow } = locked
  const { id: facilityId, heldSince } = facility
  if (!(await endHold(tx, tenantId, { facilityId, holdId }, now))) throw unknownHold()
  const isHeld = (await listHolds(tx, facility)).some(({ liftedAt }) => !liftedAt)
  if (isHeld || !heldSince) return false
  await updateFacility(locked, { held_since: null })
  const refunds = await selectPendingRefunds(tx, tenantId, facilityId)
  await requestWorks(
    tx,
    tenantId,
    [
      ...refunds.map((subjectId) => ({ topic: PAY_REFUND, subjectId })),
      ...resumedBy(facility).map((topic) => ({ topic, subjectId: facilityId })),
    ],
    realNow,
  )
  if (facility.state === 'PENDING') {
    const dueAt = await patienceEndsAt(tx, facility, policy, now)
    await setDeadline(tx, tenantId, DECIDE_FACILITY, { subjectId: facilityId, dueAt })
  }
  return true
}

function resumedBy({ state }: Facility) {
  switch (state) {
    case 'PENDING':
      return [UNDERWRITE_FACILITY]
    case 'APPROVED':
      return [PUSH_FLOOR, EVALUATE_AFTER.price]
    case 'CLOSING':
      return [RELEASE_LIEN]
    case 'CLOSED':
    case 'DECLINED':
      return []
    default: {
      const unreachable: never = state
      return unreachable
    }
  }
}

/** Ends the last hold; `warning` is the open one, with the deadline that it has from now on. */
export async function appendReleased(
  { tx, tenantId, facility, now }: LockedFacility,
  warning: { number: number; deadline: Date } | undefined,
): Promise<void> {
  const { id, heldSince = now } = facility
  const heldSeconds = Math.floor((now.getTime() - heldSince.getTime()) / SECOND_MS)
  appendEvents(tx, tenantId, [
    {
      type: 'facility.released',
      resource: { type: 'facility', id },
      occurredAt: now,
      data: {
        facility_id: id,
        held_seconds: heldSeconds,
        ...(warning && {
          margin_warning: { number: warning.number, deadline: warning.deadline.toISOString() },
        }),
      },
    },
  ])
}

/** Oldest first, lifted ones too. */
export async function listHolds(
  db: Db,
  { tenantId, id }: Pick<Facility, 'tenantId' | 'id'>,
): Promise<Hold[]> {
  return (await selectHolds(db, tenantId, id)).map((row) => toHold(db, row))
}

/** Those that lie, of every tenant, longest first. Refuses `cursor_invalid`. */
export async function pageHolds(db: Db, list: Omit<ListRequest, 'context'>): Promise<Page<Hold>> {
  const page = await listAfter(
    { ...list, context: 'operator/holds' },
    (stretch) => selectLyingHolds(db, stretch),
    (row) => [row.position, row.pause_id],
  )
  return mapPage(page, (row) => toHold(db, row))
}

function toHold(db: Db, row: Awaited<ReturnType<typeof selectHolds>>[number]): Hold {
  return {
    tenantId: row.tenant_id,
    facilityId: row.facility_id,
    id: row.pause_id,
    kind: row.hold_kind ?? 'other',
    reason: row.reason ? openRowKey(db, row).open(row.reason, 'note') : '',
    since: row.started_at,
    liftedAt: row.ended_at ?? undefined,
  }
}

/** Refuses `not_found`. */
export async function getHolds(db: Db, tenantId: string, facilityId: string): Promise<Hold[]> {
  return await listHolds(db, await getFacility(db, tenantId, facilityId))
}

function unknownHold(): Refusal {
  return new Refusal('not_found', 'The facility has no such hold, or it was lifted.')
}
