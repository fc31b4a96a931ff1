import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { DEFAULT_POLICY } from '../../../src/domain/facilities/policy.ts'
import {
  type ApplicationFacts,
  type ApplicationWait,
  explainWaiting,
} from '../../../src/domain/review-queue/why-waiting.ts'

const fresh: ApplicationFacts = {
  source: 'push',
  portfolioAgeMs: MINUTE_MS,
  readingAgeMs: undefined,
  work: { attempts: 0, dueInMs: 30_000, isRunning: false },
}
const live = { ...DEFAULT_POLICY, requireControl: true }
const explain = (facts: Partial<ApplicationFacts>, policy = DEFAULT_POLICY) =>
  explainWaiting({ ...fresh, ...facts }, policy)

test.each<[ApplicationWait, Partial<ApplicationFacts>]>([
  ['portfolio_missing', { portfolioAgeMs: undefined, work: undefined }],
  ['portfolio_stale', { portfolioAgeMs: 15 * MINUTE_MS + 1, work: undefined }],
  ['reading_missing', { source: 'custodian' }],
  ['reading_stale', { source: 'custodian', readingAgeMs: 16 * MINUTE_MS }],
  ['attempt_failed', { work: { attempts: 1, dueInMs: 1_000, isRunning: false } }],
  ['next_attempt', { work: { attempts: 0, dueInMs: 0, isRunning: false } }],
  [
    'next_attempt',
    { portfolioAgeMs: undefined, work: { attempts: 0, dueInMs: 9, isRunning: true } },
  ],
  ['next_attempt', { work: undefined }],
  ['price', {}],
  ['price', { source: 'custodian', readingAgeMs: MINUTE_MS }],
])('an application waits for %s: %j', (wait, facts) => {
  expect(explain(facts)).toBe(wait)
})

test('where control is required, the custodian confirms it before prices matter', () => {
  expect(explain({}, live)).toBe('control')
  expect(explain({ portfolioAgeMs: undefined, work: undefined }, live)).toBe('portfolio_missing')
})

test('a portfolio of exactly the age that is allowed is not stale', () => {
  expect(explain({ portfolioAgeMs: 15 * MINUTE_MS })).toBe('price')
})
