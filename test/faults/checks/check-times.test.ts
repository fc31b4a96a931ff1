import { describe, expect, test } from 'vitest'
import { newDatedId } from '../../../src/core/ids.ts'
import type { Received, Receivers } from '../actors/receivers.ts'
import type { Tenant } from '../actors/tenant.ts'
import { createDisturbances, type Target } from '../disturbances.ts'
import { checkTimes, steadyPathOf } from './check-times.ts'

describe('what was too late', () => {
  /** Faults that lasted from one instant to another. */
  const lasted = (...faults: [target: Target, from: number, to: number][]) => {
    let now = 0
    const disturbances = createDisturbances(() => now)
    for (const [target, from, to] of faults) {
      now = from
      const end = disturbances.begin(target)
      now = to
      end()
    }
    return disturbances
  }

  test('a late answer counts only while nothing that it needs is under a fault', () => {
    const disturbances = lasted(['api-1', 10, 30], ['postgres', 20, 40], ['worker-2', 0, 90])
    expect(disturbances.undisturbedMs(0, 100, ['api', 'postgres'])).toBe(70)
    expect(disturbances.undisturbedMs(25, 35, ['api', 'postgres'])).toBe(0)
    expect(disturbances.undisturbedMs(0, 100, ['api-2'])).toBe(100)
    expect(disturbances.undisturbedMs(50, 60, ['worker-1', 'redis'])).toBe(10)
  })

  const findLate = (waits: Tenant['waits'], received: Partial<Received>[], faults = lasted()) => {
    const receivers = { received } as unknown as Receivers
    const tenants = [{ name: 'tenant-1', waits } as unknown as Tenant]
    return checkTimes({ tenants, receivers, disturbances: faults, say: () => undefined })
  }
  const prompt = (count: number) => Array.from({ length: count }, () => ({ from: 0, to: 1_000 }))
  const hung = { from: 0, to: 12_000 }

  test('late answers are found where they are more than one in a hundred', () => {
    expect(findLate([...prompt(200), hung], [])).toEqual([])
    expect(findLate([...prompt(50), hung], [])).toEqual([expect.stringMatching(/^answers, all/)])
    expect(findLate([...prompt(50), hung], [], lasted(['postgres', 0, 11_000]))).toEqual([])
    const found = findLate([...prompt(200), hung], [], lasted(['redis', 5_000, 9_000]))
    expect(found).toEqual([expect.stringMatching(/^answers, without Redis/)])
  })

  test('a late first attempt at an endpoint that answers is found', () => {
    const { id: eventId, madeAt } = newDatedId('evt')
    const arrived = (ms: number, rest: Partial<Received> = {}) => ({
      path: steadyPathOf('tenant-1'),
      eventId,
      attempt: 1,
      at: madeAt.getTime() + ms,
      instant: 20_000,
      ...rest,
    })
    expect(findLate([], [arrived(900)])).toEqual([])
    expect(
      findLate([], [arrived(11_000, { attempt: 2 }), arrived(11_000, { path: '/x' })]),
    ).toEqual([])
    const late = [expect.stringMatching(/^first attempts, all/)]
    expect(findLate([], [arrived(11_000)])).toEqual(late)
    expect(findLate([], [arrived(11_000)], lasted(['worker-1', 0, 19_000]))).toEqual([])
  })
})
