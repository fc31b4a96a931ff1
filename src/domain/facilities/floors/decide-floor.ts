import { floorCents } from '../../../core/ratio.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Facility } from '../facilities.ts'
import { projectDebtCents, totalDebtCents } from '../ledger/debt.ts'
import type { LendingPolicy } from '../policy.ts'
import type { MarginState } from '../queries.ts'

/** How often a floor follows the interest though nothing happens. */
export const REFRESH_MS = DAY_MS

/** A floor that is off by this share of it, or by more, does not wait for that. */
const TOLERANCE_DIVISOR = 200n

/** What the custodian is to hold, and whether it has to be told. In cents. */
export type FloorDecision = {
  wantedCents: bigint
  /** Without this no money may leave: for debt and reservations as they are now. */
  leastCents: bigint
  isDue: boolean
}

/**
 * Decides a facility's floor at the custodian: for the debt as it will be, reservations counted, by a
 * lower ratio while a warning is open or a call lives. It is due to be pushed when it is not the one
 * acknowledged, unless only the interest of less than a day, and of less than half a percent of the
 * floor, has come up since the newest push: so no look at a floor makes the next one push again.
 */
export function decideFloor(
  facility: Facility,
  margin: MarginState,
  policy: LendingPolicy,
  now: Date,
): FloorDecision {
  const isOpen = margin.openWarning !== undefined || margin.hasLiveCall
  const ratioPpm = isOpen ? policy.openFloorLtvPpm : policy.floorLtvPpm
  const wantedAt = (instant: Date) => {
    const span = { now: instant, at: addMs(instant, policy.floorProjectionMs) }
    return floorCents(projectDebtCents(facility.debt, span, facility.reservedCents), ratioPpm)
  }
  const wantedCents = wantedAt(now)
  const debtCents = totalDebtCents(facility.debt, now) + facility.reservedCents
  const leastCents = floorCents(debtCents, ratioPpm)
  const current = facility.custodianFloorCents
  const since = facility.floorPushedAt
  const distance = current > wantedCents ? current - wantedCents : wantedCents - current
  const isOff =
    current < leastCents ||
    since === undefined ||
    // Money has moved since, or reservations or the ratio are others, or the push was refused.
    facility.debt.accruedAt > since ||
    wantedAt(since) !== current ||
    now.getTime() - since.getTime() >= REFRESH_MS ||
    distance * TOLERANCE_DIVISOR >= current
  return { wantedCents, leastCents, isDue: isOff && distance > 0n }
}
