import { expect, test } from 'vitest'
import { parseBucketLimit, peekBucket, takeToken } from '../../../src/core/limits/gcra.ts'
import { LIMIT_CLASSES } from '../../../src/core/limits/limit-classes.ts'
import { drawRequests, EXPECTED_LIMITS } from '../../support/limits/bucket-requests.ts'

const limit = { burst: 3, intervalMicros: 500_000 }
const now = 1_790_000_000_000_000

test.each(EXPECTED_LIMITS)(
  'the bucket answers as an exact token bucket does, %s: %s/s, burst %i',
  (limitClass, perSecond, burst) => {
    const requests = drawRequests(perSecond, burst, 20_000, burst)
    let fullAt: number | undefined
    const answers = requests.map(({ nowMicros }) => {
      const { fullAtMicros, ...answer } = takeToken(
        fullAt,
        nowMicros,
        LIMIT_CLASSES[limitClass].limit,
      )
      fullAt = fullAtMicros
      return answer
    })
    expect(answers).toEqual(requests.map(({ expected }) => expected))
    const denied = answers.filter((answer) => !answer.allowed)
    expect(denied.length).toBeGreaterThan(1_000)
    expect(answers.length - denied.length).toBeGreaterThan(1_000)
  },
)

test('a bucket that was never used is full', () => {
  expect(peekBucket(undefined, now, limit)).toEqual({
    allowed: true,
    limit: 3,
    remaining: 3,
    resetSeconds: 0,
    retryAfterSeconds: undefined,
    nextTokenMicros: 0,
  })
})

test('a denial leaves the bucket’s state as it was', () => {
  const fullAtMicros = now + 1_500_000
  expect(takeToken(fullAtMicros, now, limit)).toEqual({
    allowed: false,
    limit: 3,
    remaining: 0,
    resetSeconds: 2,
    retryAfterSeconds: 1,
    nextTokenMicros: 500_000,
    fullAtMicros,
  })
})

test('a peek returns what the next take would return', () => {
  let fullAt: number | undefined
  for (let step = 0; step < 50; step += 1) {
    const nowMicros = now + step * 100_000
    const peeked = peekBucket(fullAt, nowMicros, limit)
    const taken = takeToken(fullAt, nowMicros, limit)
    expect(peeked.allowed).toBe(taken.allowed)
    expect(peeked.retryAfterSeconds).toBe(taken.retryAfterSeconds)
    expect(peeked.remaining).toBe(taken.remaining + (taken.allowed ? 1 : 0))
    fullAt = taken.fullAtMicros
  }
})

test('a bucket written before the clock was set back by a year locks no caller out', () => {
  const writtenAhead = now + 365 * 86_400_000_000
  const first = takeToken(writtenAhead, now, limit)
  expect(first).toMatchObject({ allowed: true, remaining: 0, fullAtMicros: now + 1_500_000 })
  expect(takeToken(first.fullAtMicros, now, limit).allowed).toBe(false)
  expect(takeToken(first.fullAtMicros, now + 500_000, limit).allowed).toBe(true)
})

test('a bucket’s rate is exact over many takes', () => {
  expect(parseBucketLimit('50', 500)).toEqual({ burst: 500, intervalMicros: 20_000 })
  expect(parseBucketLimit('0.5', 1)).toEqual({ burst: 1, intervalMicros: 2_000_000 })
  expect(parseBucketLimit('12.5', 25)).toEqual({ burst: 25, intervalMicros: 80_000 })
})

test.each([
  ['3', 10, 'The rate 3/s must take a whole number of microseconds per token.'],
  ['0', 10, 'The rate "0" must be a decimal number of tokens per second above 0.'],
  ['1e3', 10, 'The rate "1e3" must be a decimal number of tokens per second above 0.'],
  ['-1', 10, 'The rate "-1" must be a decimal number of tokens per second above 0.'],
  ['1', 0, 'The burst 0 must be a whole number of at least 1.'],
  ['1', 1.5, 'The burst 1.5 must be a whole number of at least 1.'],
  ['1', 86_401, 'A burst of 86401 at 1/s must not take more than a day to refill.'],
])('a limit of %s/s with burst %d is refused with a sentence', (perSecond, burst, sentence) => {
  expect(parseBucketLimit(perSecond, burst)).toBe(sentence)
})
