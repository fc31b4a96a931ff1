import { expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../src/core/time.ts'
import { createCallWindows } from '../../src/providers/vendors/call-windows.ts'

let now = new Date('2026-11-23T10:00:00Z')

test('a process knows its calls of five minutes, and forgets those before', () => {
  const windows = createCallWindows(() => now)
  const callOnce = (outcome: string, seconds: number) =>
    windows.onCall('custodian', 'positions', outcome, seconds)
  windows.onBreaker('custodian', 'closed')
  callOnce('answered', 0.004)
  now = addMs(now, 2 * MINUTE_MS)
  callOnce('timeout', 10)
  callOnce('breaker_open', 0)
  const failedAt = now
  const [seen] = windows.read()
  expect(seen).toMatchObject({
    ...{ provider: 'custodian', breaker: 'closed', answered: 1, failed: 1, heldBack: 1 },
    lastFailure: { outcome: 'timeout', at: failedAt },
  })
  expect(seen?.durations.map((count, at) => (count > 0 ? at : -1)).filter((at) => at >= 0)).toEqual(
    [0, 10],
  )

  now = addMs(now, 3 * MINUTE_MS)
  expect(windows.read()).toMatchObject([{ answered: 0, failed: 1 }])
  now = addMs(now, 2 * MINUTE_MS)
  callOnce('answered', 20)
  const [later] = windows.read()
  expect(later).toMatchObject({ answered: 1, failed: 0, heldBack: 0 })
  expect(later?.durations.at(-1)).toBe(1)
  expect(later?.lastFailure).toEqual({ outcome: 'timeout', at: failedAt })
})

test('a breaker is shown with the instant of its last change', () => {
  const windows = createCallWindows(() => now)
  windows.onBreaker('kyc', 'closed')
  now = addMs(now, MINUTE_MS)
  windows.onBreaker('kyc', 'open')
  const openedAt = now
  now = addMs(now, MINUTE_MS)
  expect(windows.read()).toMatchObject([
    { provider: 'kyc', breaker: 'open', breakerSince: openedAt, answered: 0 },
  ])
})
