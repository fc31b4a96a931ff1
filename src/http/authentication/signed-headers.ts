import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../core/errors.ts'
import type { Clock } from '../../core/time.ts'

/** Unix seconds, 10 digits. */
export const TIMESTAMP = /^[1-9]\d{9}$/

/**
 * Refuses `timestamp_out_of_range` for more than `toleranceSeconds` either way; shows the server's
 * time.
 */
export function assertRecent(
  seconds: number,
  { clock, toleranceSeconds }: { clock: Clock; toleranceSeconds: number },
): void {
  const now = clock()
  if (Math.abs(now.getTime() - seconds * 1_000) <= toleranceSeconds * 1_000) return
  throw new Refusal(
    'timestamp_out_of_range',
    `X-SVC-Timestamp is more than ${toleranceSeconds} seconds away from the server's clock.`,
    { members: { server_time: now.toISOString() } },
  )
}

/** Node shows one value for a repeated header. `name` is in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]
    if (given?.length === name.length && given.toLowerCase() === name) count += 1
  }
  return count
}
