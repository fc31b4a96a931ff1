import { MINUTE_MS } from '../../core/time.ts'

/**
 * Why a call to a vendor brought no answer. Whether the vendor has acted is unknown in all of them
 * but `breaker_open`: the same call is made again under its id.
 */
export type VendorFailureReason =
  | 'timeout'
  | 'network'
  | 'too_large'
  | 'garbage'
  | 'breaker_open'
  | 'status_429'
  | `status_${2 | 3 | 4 | 5}xx`

/**
 * A call that brought no answer that can be applied. Its texts hold no body, header or address:
 * they are logged.
 */
export class VendorFailure extends Error {
  readonly reason: VendorFailureReason
  /** Stored with the work that failed by it: see domain/work/failure.ts. */
  readonly isSafeToStore = true
  /** What waits goes on soon after a vendor is back; the breaker spares the vendor until then. */
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

/** Signs of a vendor that is unwell; a refusal of one call by a 4xx is none. */
const UNWELL: ReadonlySet<VendorFailureReason> = new Set([
  'timeout',
  'network',
  'too_large',
  'garbage',
  'status_429',
  'status_5xx',
])

/** Whether a failure counts towards opening the circuit breaker. */
export function isUnwell(error: unknown): boolean {
  return error instanceof VendorFailure && UNWELL.has(error.reason)
}
