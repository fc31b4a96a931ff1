import { maxOf } from '../../../core/money.ts'
import { floorCents } from '../../../core/ratio.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Facility } from '../facilities.ts'
import { projectDebtCents, totalDebtCents } from '../ledger/debt.ts'
import type { LendingPolicy } from '../policy.ts'
import type { MarginState } from '../queries.ts'

export const REFRESH_MS = DAY_MS

/** A floor wrong by 1/200 or more is pushed at once. */
const TOLERANCE_DIVISOR = 200n

export type FloorDecision = {
  wantedCents: bigint
  /** Without this floor no money may leave. */
  leastCents: bigint
  isDue: boolean
}

/** The floor for the projected debt, reservations counted; under a hold it does not fall. It is due unless the acknowledged one
 * differs by less than a day's interest and half a percent: a push must not cause the next one. */
export function decideFloor(
  facility: Facility,
  margin: MarginState,
  policy: LendingPolicy,
  now: Date,
): FloorDecision {
  const isOpen = margin.openWarning !== undefined || margin.hasLiveCall
  const ratioPpm = isOpen ? policy.cureLtvPpm : policy.floorLtvPpm
  const wantedAt = (instant: Date) => {
    const span = { now: instant, at: addMs(instant, policy.floorProjectionMs) }
    return floorCents(projectDebtCents(facility.debt, span, facility.reservedCents), ratioPpm)
  }
  const current = facility.custodianFloorCents
  const wantedCents = facility.heldSince ? maxOf(wantedAt(now), current) : wantedAt(now)
  const debtCents = totalDebtCents(facility.debt, now) + facility.reservedCents
  const leastCents = floorCents(debtCents, ratioPpm)
  const since = facility.floorPushedAt
  const distance = current > wantedCents ? current - wantedCents : wantedCents - current
  const isOff =
    current < leastCents ||
    since === undefined ||
    // Money moved, reservations or the ratio changed, or the push was refused.
    facility.debt.accruedAt > since ||
    wantedAt(since) !== current ||
    now.getTime() - since.getTime() >= REFRESH_MS ||
    distance * TOLERANCE_DIVISOR >= current
  return { wantedCents, leastCents, isDue: isOff && distance > 0n }
}
