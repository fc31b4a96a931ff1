import { MINUTE_MS } from '../../core/time.ts'

/** Except for `breaker_open` the vendor may have acted: repeat the call under the same id. */
export type VendorFailureReason =
  | 'timeout'
  | 'network'
  | 'too_large'
  | 'garbage'
  | 'breaker_open'
  | 'status_429'
  | `status_${2 | 3 | 4 | 5}xx`

/** Logged, so its texts hold no body, header or address. */
export class VendorFailure extends Error {
  readonly reason: VendorFailureReason
  /** See domain/work/failure.ts. */
  readonly isSafeToStore = true
  /** Retry soon after a vendor recovers; the breaker protects it until then. */
  readonly longestPauseMs = MINUTE_MS

  constructor(
    call: { provider: string; operation: string },
    reason: VendorFailureReason,
    extras: { status?: number; cause?: unknown } = {},
  ) {
    const status = extras.status === undefined ? '' : ` (status ${extras.status})`
    super(`${call.provider}, ${call.operation}: ${reason}${status}`, { cause: extras.cause })
    this.name = `VendorFailure ${call.provider} ${reason}`
    this.reason = reason
  }
}

/** A 4xx refuses one call; it does not show that the vendor is down. */
const UNWELL: ReadonlySet<VendorFailureReason> = new Set([
  'timeout',
  'network',
  'too_large',
  'garbage',
  'status_429',
  'status_5xx',
])

export function isUnwell(error: unknown): boolean {
  return error instanceof VendorFailure && UNWELL.has(error.reason)
}
