import { listFacts } from '../../core/assets.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { DEFAULT_POLICY } from '../facilities/policy.ts'

export type Tier = 1 | 2 | 3

/** The ladder and the terms of sale; ratios in parts per million, money in cents. */
export type MarginPolicy = {
  /** Names these terms in every decision record. */
  version: string
  /** A facility whose value is below ⌈debt / this⌉ is in breach. */
  floorLtvPpm: bigint
  /** While a warning is open, or a call lives, the floor is the higher ⌈debt / this⌉. */
  cureLtvPpm: bigint
  /** From the lowest: above which ratio a tier holds, and how long it leaves to cure. */
  tiers: readonly { tier: Tier; aboveLtvPpm: bigint; windowMs: number }[]
  /** Above this a warning escalates at once. */
  criticalLtvPpm: bigint
  /** How long a price must hold before it can raise, cure or sell. */
  confirmMs: number
  /** Rounds older than this do not count. */
  longestWindowMs: number
  /** A warning raised this soon after a cure gets no more time than the cured one had left… */
  relapseMs: number
  /** …and at least this. */
  relapseLeastMs: number
  /** No warning below this debt; no cure asks for less. */
  leastCents: bigint
  /** What is asked still cures when it arrives this long after the deadline. */
  cureSlackMs: number
  /** A call sells down to this ratio, at this fee as planned. */
  targetLtvPpm: bigint
  saleFeePpm: bigint
  /** From this ratio on, or when less than this would remain, the debt is sold off whole. */
  deepLtvPpm: bigint
  dustCents: bigint
  /** How long a reported repayment holds the escalation, by asset, until treasury answers. */
  holdMs: Readonly<Record<string, number>>
  /** A price older than this decides nothing. */
  staleMs: number
  /** Time without judgement that is longer than this moves the deadline. */
  outageMs: number
}

export const DEFAULT_MARGIN_POLICY: MarginPolicy = {
  version: '2026-11',
  floorLtvPpm: DEFAULT_POLICY.floorLtvPpm,
  cureLtvPpm: DEFAULT_POLICY.openFloorLtvPpm,
  tiers: [
    { tier: 1, aboveLtvPpm: DEFAULT_POLICY.floorLtvPpm, windowMs: 48 * HOUR_MS },
    { tier: 2, aboveLtvPpm: 750_000n, windowMs: 12 * HOUR_MS },
    { tier: 3, aboveLtvPpm: 800_000n, windowMs: 2 * HOUR_MS },
  ],
  criticalLtvPpm: 830_000n,
  confirmMs: 60 * SECOND_MS,
  longestWindowMs: 10 * MINUTE_MS,
  relapseMs: 24 * HOUR_MS,
  relapseLeastMs: 2 * HOUR_MS,
  leastCents: 10_00n,
  cureSlackMs: 24 * HOUR_MS,
  targetLtvPpm: 550_000n,
  saleFeePpm: 20_000n,
  deepLtvPpm: 950_000n,
  dustCents: 1_000_00n,
  holdMs: Object.fromEntries(listFacts(({ money }) => money?.holdMs)),
  staleMs: 300 * SECOND_MS,
  outageMs: 60 * SECOND_MS,
}
