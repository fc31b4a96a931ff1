import { MINUTE_MS } from '../../core/time.ts'
import { NoAnswer } from '../http-pool.ts'
import type { Outcome } from './breaker.ts'

/** Except for `breaker_open` and `busy` the vendor may have acted: repeat the call under the same id. */
export type VendorFailureReason =
  | 'timeout'
  | 'network'
  | 'too_large'
  | 'garbage'
  | 'breaker_open'
  /** The calls before it took all slots for too long. */
  | 'busy'
  | 'status_429'
  | `status_${2 | 3 | 4 | 5}xx`

/** Logged, so its texts hold no body, header or address. */
export class VendorFailure extends Error {
  readonly reason: VendorFailureReason
  /** See domain/work/failure.ts. */
  readonly isSafeToStore = true
  /** What an outage or the calls of others held up is retried soon. Undefined for a failure that may
   * follow from the item: its class of work has the pause. */
  readonly longestPauseMs: number | undefined

  constructor(
    call: { provider: string; operation: string },
    reason: VendorFailureReason,
    extras: { status?: number; cause?: unknown } = {},
  ) {
    const status = extras.status === undefined ? '' : ` (status ${extras.status})`
    super(`${call.provider}, ${call.operation}: ${reason}${status}`, { cause: extras.cause })
    this.name = `VendorFailure ${call.provider} ${reason}`
    this.reason = reason
    const isHeldUp = HELD_UP.has(reason) || outcomeOf(this) === 'unreachable'
    this.longestPauseMs = isHeldUp ? MINUTE_MS : undefined
  }
}

const HELD_UP: ReadonlySet<VendorFailureReason> = new Set(['breaker_open', 'busy'])

const FAULTY: ReadonlySet<VendorFailureReason> = new Set([
  'too_large',
  'garbage',
  'status_429',
  'status_5xx',
])

/** Other statuses, such as 4xx, refuse one call: they do not show that the vendor is down. */
export function outcomeOf({ reason, cause }: Pick<VendorFailure, 'reason' | 'cause'>): Outcome {
  if (reason === 'timeout') return 'unreachable'
  // Without a connection nothing was sent. One that breaks later may break over what was asked.
  const isUnconnected = cause instanceof NoAnswer && cause.phase !== 'answer'
  if (reason === 'network') return isUnconnected ? 'unreachable' : 'faulty'
  return FAULTY.has(reason) ? 'faulty' : 'refused'
}
