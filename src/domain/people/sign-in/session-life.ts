import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time.ts'

export const IDLE_MS = 12 * HOUR_MS
export const LONGEST_MS = 7 * DAY_MS
const SEEN_EVERY_MS = MINUTE_MS

/** When it ends at the latest; undefined for one that has ended by its age or was idle. */
export function endOfLife(
  {
    created_at: createdAt,
    seen_at: seenAt,
    ends_at: endsAt,
  }: { created_at: Date; seen_at: Date; ends_at: Date | null },
  now: Date,
): Date | undefined {
  const oldest = addMs(createdAt, LONGEST_MS)
  const expiresAt = endsAt && endsAt < oldest ? endsAt : oldest
  return now >= addMs(seenAt, IDLE_MS) || now >= expiresAt ? undefined : expiresAt
}

/** That it is in use is written at most once a minute. */
export function isDueToBeSeen({ seenAt }: { seenAt: Date }, now: Date): boolean {
  return now.getTime() - seenAt.getTime() >= SEEN_EVERY_MS
}
