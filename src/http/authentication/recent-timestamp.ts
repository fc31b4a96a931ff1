import { Refusal } from '../../core/errors.ts'
import type { Clock } from '../../core/time.ts'

/** An `X-SVC-Timestamp`: unix seconds, 10 digits. */
export const TIMESTAMP = /^[1-9]\d{9}$/

/**
 * Refuses `timestamp_out_of_range` for unix seconds that are further from our clock than
 * `toleranceSeconds`, either way. Exactly as far is recent; the refusal tells our time.
 */
export function assertRecent(
  seconds: number,
  { clock, toleranceSeconds }: { clock: Clock; toleranceSeconds: number },
): void {
  const now = clock()
  if (Math.abs(now.getTime() - seconds * 1_000) <= toleranceSeconds * 1_000) return
  throw new Refusal(
    'timestamp_out_of_range',
    `X-SVC-Timestamp is more than ${toleranceSeconds} seconds away from our clock.`,
    { members: { server_time: now.toISOString() } },
  )
}
