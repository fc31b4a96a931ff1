import type { InboxState, WaitingEvent } from './store.ts'

/**
 * The event to apply next. An event is ready when nothing of its resource can come before it: its
 * version follows the last one applied, or every event up to it was received. Of a resource only the
 * first waiting event is looked at, so one that fails holds up its resource alone.
 */
export function findReady(
  waiting: readonly WaitingEvent[],
  { completeSequence = 0 }: InboxState,
  now: Date,
): WaitingEvent | undefined {
  const heldUp = new Set<string>()
  return waiting.find((event) => {
    if (heldUp.has(event.resource)) return false
    heldUp.add(event.resource)
    const follows = event.version <= event.appliedVersion + 1
    const isDue = event.retryAt === undefined || event.retryAt <= now
    return isDue && (follows || event.sequence <= completeSequence)
  })
}

/** The highest number up to which nothing is missing or waiting. It never falls. */
export function findAppliedSequence(
  waiting: readonly WaitingEvent[],
  { completeSequence = 0, appliedSequence }: InboxState,
): number {
  const first = waiting.find(({ sequence }) => sequence <= completeSequence)
  return Math.max(appliedSequence, first ? first.sequence - 1 : completeSequence)
}

/** Seconds until an event that has failed so often is tried again: 1, 2, 4, … at most 60. */
export function retryAfterSeconds(attempts: number): number {
  return Math.min(2 ** (attempts - 1), 60)
}

export type ReadTerms = { gapSeconds: number; readSeconds: number }

/**
 * Why the replay is to be read now: `gap` when a number has been missing for `gapSeconds`, `time` when
 * `readSeconds` have passed, or when it is not known yet where the log of the webhook begins.
 */
export function findReasonToRead(
  { readAt, completeSequence }: InboxState,
  missingSince: Date | undefined,
  { gapSeconds, readSeconds }: ReadTerms,
  now: Date,
): 'gap' | 'time' | undefined {
  if (readAt === undefined) return 'time'
  const isOver = (since: Date, seconds: number) => now.getTime() - since.getTime() >= seconds * 1000
  if (missingSince !== undefined && isOver(readAt, gapSeconds)) {
    if (completeSequence === undefined) return 'time'
    if (isOver(missingSince, gapSeconds)) return 'gap'
  }
  return isOver(readAt, readSeconds) ? 'time' : undefined
}
