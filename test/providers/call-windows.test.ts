import { pino } from 'pino'
import { expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../src/core/time.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { createCallWindows } from '../../src/providers/vendors/call-windows.ts'
import { createGuardedHttp } from '../../src/providers/vendors/guarded-http.ts'

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

test('calls that fail until the breaker opens are counted, and so are those that it holds back', async () => {
  const windows = createCallWindows(() => now)
  const http = createGuardedHttp('kyc', {
    deadlineMs: 1_000,
    breaker: { failures: 2, windowMs: 120_000, pauseMs: 60_000 },
    watch: windows,
    logger: pino({ level: 'silent' }),
    clock: () => now,
  })
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const call = { operation: 'verify', method: 'GET', url, headers: {}, read: () => 1 } as const
  for (let sent = 0; sent < 5; sent += 1) {
    await expect(http.send(call)).rejects.toThrow()
  }
  await http.close()
  expect(windows.read()).toMatchObject([
    {
      ...{ provider: 'kyc', breaker: 'open', answered: 0, failed: 2, heldBack: 3 },
      lastFailure: { outcome: 'network' },
    },
  ])
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
