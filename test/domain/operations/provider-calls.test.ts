import { expect, test } from 'vitest'
import {
  CALL_BOUNDS_MS,
  mergeProviders,
  type ProviderCalls,
  quantileMs,
} from '../../../src/domain/operations/provider-calls.ts'

const AT = new Date('2026-11-23T10:00:00Z')
const durations = (counts: Record<number, number>) =>
  Array.from({ length: CALL_BOUNDS_MS.length + 1 }, (_, at) => counts[at] ?? 0)
const calls = (more: Partial<ProviderCalls>): ProviderCalls => ({
  ...{ provider: 'kyc', breaker: 'closed', breakerSince: AT, answered: 0, failed: 0, heldBack: 0 },
  ...{ durations: durations({}), ...more },
})

test('a share of the calls took at most the upper end of its class', () => {
  expect(quantileMs(durations({ 0: 50, 4: 50 }), 0.5)).toBe(5)
  expect(quantileMs(durations({ 0: 49, 4: 51 }), 0.5)).toBe(100)
  expect(quantileMs(durations({ 0: 95, 11: 5 }), 0.95)).toBe(5)
  expect(quantileMs(durations({ 0: 94, 11: 6 }), 0.95)).toBe(Number.POSITIVE_INFINITY)
  expect(quantileMs(durations({}), 0.5)).toBeUndefined()
})

test('what processes see of a provider is added up, with the worst breaker and the latest failure', () => {
  const later = new Date('2026-11-23T10:01:00Z')
  const merged = mergeProviders([
    {
      processId: 'a',
      providers: [
        calls({ breaker: 'half_open', failed: 2, lastFailure: { outcome: 'network', at: AT } }),
      ],
    },
    {
      processId: 'b',
      providers: [
        calls({ answered: 3, durations: durations({ 1: 3 }) }),
        calls({ provider: 'aml', lastFailure: { outcome: 'timeout', at: later } }),
      ],
    },
    {
      processId: 'c',
      providers: [calls({ failed: 1, lastFailure: { outcome: 'timeout', at: later } })],
    },
  ])
  expect(merged.map(({ provider }) => provider)).toEqual(['aml', 'kyc'])
  expect(merged[1]).toMatchObject({
    ...{ breaker: 'half_open', answered: 3, failed: 3, p50Ms: 10, p95Ms: 10 },
    lastFailure: { outcome: 'timeout', at: later },
  })
  expect(merged[1]?.processes.map(({ processId }) => processId)).toEqual(['a', 'b', 'c'])
})

test('a provider is as bad as its open breaker, whichever process reports it first', () => {
  for (const order of [
    ['open', 'closed', 'half_open'],
    ['closed', 'half_open', 'open'],
  ] as const) {
    const processes = order.map((breaker) => ({
      processId: breaker,
      providers: [calls({ breaker })],
    }))
    expect(mergeProviders(processes)).toMatchObject([{ breaker: 'open' }])
  }
})
