import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import {
  countFailures,
  type EndedAttempt,
  RETRY_DELAYS_MS,
  settleDelivery,
} from '../../../src/domain/deliveries/decide-outcome.ts'

const ENDED_AT = new Date('2026-11-20T10:00:00.000Z')
const CLAIMED_FOR = new Date('2026-11-20T09:59:00.000Z')

function failedAttempt(rest: Partial<EndedAttempt> = {}): EndedAttempt {
  return {
    succeeded: false,
    requested: false,
    endedAt: ENDED_AT,
    failures: 0,
    nextAttemptAt: CLAIMED_FOR,
    state: 'pending',
    retryAfterMs: undefined,
    ...rest,
  }
}

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const anyAttempt = fc.record({
  succeeded: fc.boolean(),
  requested: fc.boolean(),
  endedAt: fc.constant(ENDED_AT),
  failures: fc.integer({ min: 0, max: 5 }),
  nextAttemptAt: fc.constantFrom(CLAIMED_FOR, undefined),
  state: fc.constantFrom('pending', 'delivered', 'dead_lettered', 'cancelled'),
  retryAfterMs: fc.option(fc.integer({ min: -DAY_MS, max: 30 * DAY_MS }), { nil: undefined }),
}) satisfies fc.Arbitrary<EndedAttempt>

describe('a delivery after an attempt', () => {
  test('a delivery waits 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours, then is dead-lettered', () => {
    const pauses = [0, 1, 2, 3, 4].map((failures) => {
      const after = settleDelivery(failedAttempt({ failures }), 0)
      expect(after).toMatchObject({ state: 'pending', failures: failures + 1 })
      return (after.nextAttemptAt?.getTime() ?? 0) - ENDED_AT.getTime()
    })
    expect(pauses).toEqual([MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS])
    expect(settleDelivery(failedAttempt({ failures: 5 }), 0)).toEqual({
      state: 'dead_lettered',
      failures: 6,
      nextAttemptAt: undefined,
    })
  })

  test('a delivery never waits less than its pause, nor more than a tenth longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), random, (failures, chance) => {
        const after = settleDelivery(failedAttempt({ failures }), chance)
        const pause = (after.nextAttemptAt?.getTime() ?? 0) - ENDED_AT.getTime()
        const least = RETRY_DELAYS_MS[failures] ?? 0
        expect(pause).toBeGreaterThanOrEqual(least)
        expect(pause).toBeLessThanOrEqual(least * 1.1)
      }),
    )
  })

  test('a Retry-After puts a retry off, never forward, and at most to the next wait of the schedule', () => {
    const asked = fc.integer({ min: -DAY_MS, max: 30 * DAY_MS })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        random,
        asked,
        (failures, chance, retryAfterMs) => {
          const waitMs = (attempt: EndedAttempt) =>
            (settleDelivery(attempt, chance).nextAttemptAt?.getTime() ?? 0) - ENDED_AT.getTime()
          const scheduledMs = waitMs(failedAttempt({ failures }))
          const nextMs = RETRY_DELAYS_MS[failures + 1] ?? scheduledMs
          const expected = Math.max(scheduledMs, Math.min(retryAfterMs, nextMs))
          expect(waitMs(failedAttempt({ failures, retryAfterMs }))).toBe(expected)
        },
      ),
    )
  })

  test('a Retry-After of a sixth failure or of a requested retry changes nothing', () => {
    const retryAfterMs = HOUR_MS
    const last = failedAttempt({ failures: 5, retryAfterMs })
    expect(settleDelivery(last, 0)).toMatchObject({ state: 'dead_lettered' })
    const requested = failedAttempt({ requested: true, retryAfterMs })
    expect(settleDelivery(requested, 0)).toMatchObject({ nextAttemptAt: CLAIMED_FOR })
  })

  test('a delivery is delivered by any success, whatever happened to it meanwhile', () => {
    fc.assert(
      fc.property(anyAttempt, random, (attempt, chance) => {
        const after = settleDelivery({ ...attempt, succeeded: true }, chance)
        expect(after).toMatchObject({ state: 'delivered', nextAttemptAt: undefined })
      }),
    )
  })

  test('a delivery is due again exactly when it is still pending', () => {
    fc.assert(
      fc.property(anyAttempt, random, (attempt, chance) => {
        fc.pre(attempt.state !== 'pending' || attempt.nextAttemptAt !== undefined)
        const after = settleDelivery(attempt, chance)
        expect(after.nextAttemptAt !== undefined).toBe(after.state === 'pending')
      }),
    )
  })

  test('a cancelled delivery stays cancelled, with nothing planned, when an attempt in flight fails', () => {
    const after = settleDelivery(failedAttempt({ state: 'cancelled', failures: 2 }), 0.5)
    expect(after).toEqual({ state: 'cancelled', failures: 2, nextAttemptAt: undefined })
  })

  test('a delivery keeps its schedule when a requested retry fails', () => {
    const after = settleDelivery(failedAttempt({ requested: true, failures: 2 }), 0.5)
    expect(after).toEqual({ state: 'pending', failures: 2, nextAttemptAt: CLAIMED_FOR })
  })
})

describe('the failure counter', () => {
  const fail = { succeeded: false }
  const succeed = { succeeded: true }

  test('the failure counter equals the failures since the last success, at most 100', () => {
    const outcome = fc.record({ succeeded: fc.boolean() })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.array(outcome, { maxLength: 250 }),
        (failures, outcomes) => {
          const lastSuccess = outcomes.findLastIndex(({ succeeded }) => succeeded)
          const failuresSince = outcomes.length - 1 - lastSuccess
          const expected = lastSuccess === -1 ? failures + failuresSince : failuresSince
          const after = countFailures({ failures, state: 'active' }, outcomes)
          expect(after.failures).toBe(Math.min(expected, 100))
        },
      ),
    )
  })

  test('the failure counter does not depend on how ended attempts were grouped into records', () => {
    const outcome = fc.record({ succeeded: fc.boolean() })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.array(outcome, { maxLength: 150 }),
        fc.array(outcome, { maxLength: 150 }),
        (failures, first, second) => {
          const after = countFailures({ failures, state: 'active' }, first)
          const next = { failures: after.failures, state: after.disable ? 'disabled' : 'active' }
          const inTwo = countFailures(next, second)
          const inOne = countFailures({ failures, state: 'active' }, [...first, ...second])
          expect(inTwo.failures).toBe(inOne.failures)
          expect(after.disable || inTwo.disable).toBe(inOne.disable)
        },
      ),
    )
  })

  test('the failure counter disables an active webhook at 100, not at 99', () => {
    const active = { failures: 98, state: 'active' }
    expect(countFailures(active, [fail])).toEqual({ failures: 99, disable: false })
    expect(countFailures(active, [fail, fail])).toEqual({ failures: 100, disable: true })
  })

  test('the failure counter disables a webhook though a success came after the hundredth failure', () => {
    const active = { failures: 99, state: 'active' }
    expect(countFailures(active, [fail, succeed])).toEqual({ failures: 0, disable: true })
  })

  test('the failure counter disables no webhook twice', () => {
    const disabled = { failures: 100, state: 'disabled' }
    expect(countFailures(disabled, [fail])).toEqual({ failures: 100, disable: false })
  })
})
