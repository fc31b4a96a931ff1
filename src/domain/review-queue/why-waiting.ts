import type { PortfolioSource } from '../../db/schema/collateral.ts'
import type { LendingPolicy } from '../facilities/policy.ts'

/** What an application waits for: its tenant's portfolio, the custodian's reading or confirmation of
 * control, a price, or only its next try. */
export const APPLICATION_WAITS = [
  'portfolio_missing',
  'portfolio_stale',
  'reading_missing',
  'reading_stale',
  'attempt_failed',
  'control',
  'price',
  'next_attempt',
] as const

export type ApplicationWait = (typeof APPLICATION_WAITS)[number]

export type ApplicationFacts = {
  source: PortfolioSource
  /** Undefined where there is none. */
  portfolioAgeMs: number | undefined
  readingAgeMs: number | undefined
  /** Of its underwriting; undefined where none is asked for. */
  work: { attempts: number; dueInMs: number; isRunning: boolean } | undefined
}

/** In the order in which underwriting finds them. */
export function explainWaiting(
  { source, portfolioAgeMs, readingAgeMs, work }: ApplicationFacts,
  { underwritingPortfolioAgeMs, requireControl }: LendingPolicy,
): ApplicationWait {
  if (work && work.attempts > 0) return 'attempt_failed'
  if (work && (work.isRunning || work.dueInMs <= 0)) return 'next_attempt'
  if (portfolioAgeMs === undefined) return 'portfolio_missing'
  if (portfolioAgeMs > underwritingPortfolioAgeMs) return 'portfolio_stale'
  if (source === 'custodian' && readingAgeMs === undefined) return 'reading_missing'
  if (source === 'custodian' && (readingAgeMs ?? 0) > underwritingPortfolioAgeMs) {
    return 'reading_stale'
  }
  if (!work) return 'next_attempt'
  return requireControl ? 'control' : 'price'
}
