import { expect, test } from 'vitest'
import { ONE_PPM } from '../../../../src/core/ratio.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { decideFloor } from '../../../../src/domain/facilities/floors/decide-floor.ts'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'

const PUSHED_AT = new Date('2026-11-20T12:00:00Z')
const HEALTHY = { openWarning: undefined, hasLiveCall: false }

/** 10,000.00 at a rate, accrued when its newest floor was pushed. */
function facilityAt(ratePpm: bigint, custodianFloorCents: bigint): Facility {
  const debt = {
    principalCents: 10_000_00n,
    ratePpm,
    interestNumerator: 0n,
    accruedAt: PUSHED_AT,
    interestBookedCents: 0n,
    interestPaidCents: 0n,
  }
  const pushed = { custodianFloorCents, floorPushedAt: PUSHED_AT }
  // A floor follows from nothing else.
  return { debt, reservedCents: 0n, ...pushed } as Facility
}

const decideAfter = (ms: number, facility: Facility, policy = DEFAULT_POLICY) =>
  decideFloor(facility, HEALTHY, policy, addMs(PUSHED_AT, ms))

test('a floor is due within the day from half a percent off on, to the cent', () => {
  // 5.00 of interest an hour: 12,000.00 in 400 hours, and 60.00 more twelve hours later.
  const policy = { ...DEFAULT_POLICY, floorLtvPpm: ONE_PPM, floorProjectionMs: 400 * HOUR_MS }
  const facility = facilityAt(4_380_000n, 12_000_00n)
  const before = decideAfter(12 * HOUR_MS - MINUTE_MS, facility, policy)
  expect(before).toMatchObject({ wantedCents: 12_059_92n, isDue: false })
  const at = decideAfter(12 * HOUR_MS, facility, policy)
  expect(at).toMatchObject({ wantedCents: 12_060_00n, isDue: true })
})

test('a floor below what the debt needs at this moment is due however little is missing', () => {
  // Not projected, it falls behind with the first cent of interest, within the day.
  const policy = { ...DEFAULT_POLICY, floorProjectionMs: 0 }
  const facility = facilityAt(100_000n, 14_285_72n)
  expect(decideAfter(0, facility, policy).isDue).toBe(false)
  const behind = decideAfter(HOUR_MS, facility, policy)
  // 0.12 of interest, rounded up: 10,000.12 over 0.70.
  expect(behind).toMatchObject({ leastCents: 14_285_89n, wantedCents: 14_285_89n, isDue: true })
})
