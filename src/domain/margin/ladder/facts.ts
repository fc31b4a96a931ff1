import type { Debt } from '../../facilities/ledger/debt.ts'
import type { Tier } from '../policy.ts'

export type WindowValues = {
  highCents: bigint
  /** Of what counts towards a cure, as is `latestLowCents`. */
  lowCents: bigint
  latestCents: bigint
  /** `latestCents` where the custodian and the push agree. */
  latestLowCents?: bigint
  /** The latest, of a push that counts in part only until the custodian has answered. */
  claimedCents?: bigint
  /** The highest, by the custodian's last answer, where that is not about the push. */
  heldCents?: bigint
}

export type OpenWarning = {
  tier: Tier
  cureDeadline: Date
  /** By the windows of its tiers; later than `cureDeadline` where it was found critical. */
  windowDeadline: Date
  /** For a value clear at some prices only. Older records lack it: the policy's time after the deadline. */
  flickerUntil?: Date
}

/** The newest push, which neither cures nor hurts before the custodian has answered. */
export type Push = {
  /** Since when these positions are pushed. */
  receivedAt: Date
  /** Not evaluated before. */
  isNew: boolean
  askedSince?: Date | undefined
  /** The values are by the custodian's positions. */
  answeredAt?: Date | undefined
  /** It holds an escalation until then. Older records lack it: the policy's time after the push. */
  holdsUntil?: Date | undefined
}

export type Trigger = 'price' | 'collateral' | 'repayment' | 'correction'

export type LadderFacts = {
  now: Date
  trigger: Trigger
  debt: Debt
  /** Less, while what a message has brought sells nobody out: what is critical is decided by it. */
  easedCents?: bigint
  /** Undefined while prices are stale or no round is old enough: nothing is evaluated. */
  values: WindowValues | undefined
  hasSellableValue: boolean
  /** By the custodian's last answer, where that is not about the push; older records lack it. */
  isHeldSellable?: boolean
  /** Undefined: the positions are not pushed, or were recorded before pushes were confirmed. */
  push?: Push | undefined
  /** What the open warning was raised on, by the custodian's positions. */
  atRaise?: { debtCents: bigint; highCents: bigint; floorLtvPpm: bigint } | undefined
  warning: OpenWarning | undefined
  hasLiveCall: boolean
  /** Nothing escalates. */
  isOnHold?: boolean
  /** Of the warning before, where a price cured it. */
  lastCure: { curedAt: Date; leftMs: number } | undefined
  /** Reported before the deadline and not answered by the treasury; counted as claimed. */
  reported: readonly { cents: bigint; holdsUntil: Date }[]
}

export type LadderDecision =
  | { kind: 'none' }
  /** Nothing happens before `until` unless the treasury answers. */
  | { kind: 'hold'; until: Date }
  /** The custodian is asked about the push; until then nothing happens, unless it answers. */
  | { kind: 'ask'; until: Date }
  /** The tier only rises, the deadline only falls. */
  | { kind: 'raise' | 'worsen'; tier: Tier; cureDeadline: Date }
  /** By correction: it should never have been raised. */
  | { kind: 'cure'; by: Trigger }
  | { kind: 'escalate'; reason: 'deadline' | 'critical' }
