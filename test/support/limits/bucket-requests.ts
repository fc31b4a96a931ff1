import type { LimitClass } from '../../../src/core/limits/limit-classes.ts'
import { createRationalBucket, microsUntilLevel, takeRationally } from './rational-bucket.ts'

/** The limits of the interface, Limits, and of our own classes, written out a second time. */
export const EXPECTED_LIMITS = [
  ['portfolio_ingest', '50', 500],
  ['portfolio_flood', '500', 5_000],
  ['reads', '20', 200],
  ['valuation', '5', 50],
  ['money', '2', 20],
  ['platform_config', '1', 10],
  ['simulate', '1', 10],
  ['sandbox_controls', '10', 100],
  ['unverified', '1', 30],
] as const satisfies readonly (readonly [LimitClass, string, number])[]

export type ExpectedRequest = {
  readonly nowMicros: number
  readonly expected: ReturnType<typeof takeRationally>
}

const START_MICROS = 1_790_000_000_123_457

/**
 * Requests at random instants, with what an exact token bucket answers to each: bursts without a
 * gap, gaps around the refill time, and instants at, just before and just after a whole token or the
 * full bucket. The same seed gives the same requests.
 */
export function drawRequests(perSecond: string, burst: number, count: number, seed: number) {
  const bucket = createRationalBucket(perSecond, burst)
  const random = createRandom(seed)
  const requests: ExpectedRequest[] = []
  let nowMicros = START_MICROS
  let burstLeft = 0
  while (requests.length < count) {
    if (burstLeft > 0) {
      burstLeft -= 1
    } else if (random() < 0.02) {
      burstLeft = Math.floor(random() * burst * 1.2)
    } else {
      nowMicros += drawGap(bucket, random)
    }
    requests.push({ nowMicros, expected: takeRationally(bucket, nowMicros) })
  }
  return requests
}

function drawGap(bucket: ReturnType<typeof createRationalBucket>, random: () => number): number {
  const nextLevel = bucket.level.numerator / bucket.level.denominator + 1n
  const untilToken = microsUntilLevel(bucket, nextLevel < bucket.burst ? nextLevel : bucket.burst)
  const kind = random()
  if (kind < 0.1) return 0
  if (kind < 0.3) return untilToken
  if (kind < 0.4) return Math.max(0, untilToken - 1)
  if (kind < 0.5) return untilToken + 1
  if (kind < 0.51) return microsUntilLevel(bucket, bucket.burst)
  if (kind < 0.52) return Math.max(0, microsUntilLevel(bucket, bucket.burst) - 1)
  if (kind < 0.53) return microsUntilLevel(bucket, bucket.burst) + Math.floor(random() * 1e7)
  return Math.floor(random() * 2.2 * untilToken)
}

/** Mulberry32: uniform in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
