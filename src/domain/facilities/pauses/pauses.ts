import { addMs, HOUR_MS, MINUTE_MS } from '../../../core/time.ts'

export type PauseKind = 'outage' | 'hold' | 'forbearance'

/** Times are the tenant's. Without `until` it goes on; a forbearance has an end that lies ahead. */
export type Pause = { kind: PauseKind; from: Date; until: Date | undefined }

/** Outages up to this long are noise. */
export const OUTAGE_MS = MINUTE_MS

/** A warning that is not critical has this long at the end of a hold or a forbearance. */
export const LEAST_AFTER_PAUSE_MS = 2 * HOUR_MS

/** An instant that was set at `from`. */
export type Due = {
  at: Date
  from: Date
  /** Left at the end of each hold and forbearance. */
  leastMs?: number
}

/** An outage that no worker has ended yet. */
export function isOutage(lastBeatAt: Date | undefined, now: Date): lastBeatAt is Date {
  return lastBeatAt !== undefined && now.getTime() - lastBeatAt.getTime() > OUTAGE_MS
}

type Span = { kind: PauseKind; from: number; until: number }

/** The place of an instant as if the running pauses ended now: in the union of all it stood still, and
 * after it has passed it does not move. */
export function resumeAt(due: Due, pauses: readonly Pause[], now: Date): Date {
  const known = pauses.map((pause) => ({
    ...pause,
    until: pause.until && pause.until < now ? pause.until : now,
  }))
  return resume(due, known)
}

/** Like `resumeAt`, by the ends that are known. Undefined while a hold lies, whose end is not; what ends it
 * evaluates, and so does what ends an outage of prices, which is left out. */
export function resumeAtLast(due: Due, pauses: readonly Pause[]): Date | undefined {
  if (pauses.some(({ kind, until }) => kind === 'hold' && !until)) return undefined
  return resume(
    due,
    pauses.flatMap(({ until, ...pause }) => (until ? [{ ...pause, until }] : [])),
  )
}

function resume({ at, from, leastMs }: Due, pauses: readonly (Pause & { until: Date })[]): Date {
  const spans = pauses.flatMap((pause): Span[] => {
    const lengthMs = pause.until.getTime() - pause.from.getTime()
    if (pause.kind === 'outage' && lengthMs <= OUTAGE_MS) return []
    const since = Math.max(pause.from.getTime(), from.getTime())
    const until = pause.until.getTime()
    return until < since ? [] : [{ kind: pause.kind, from: since, until }]
  })
  let dueMs = at.getTime()
  let before: number | undefined
  const edges = new Set(spans.flatMap((span) => [span.from, span.until]))
  for (const edge of [...edges].sort((a, b) => a - b)) {
    const since = before ?? edge
    const stands = spans.some((span) => span.from <= since && span.until >= edge)
    if (stands && dueMs >= since) dueMs += edge - since
    const ends = spans.some(({ kind, until }) => kind !== 'outage' && until === edge)
    if (ends && leastMs !== undefined) dueMs = Math.max(dueMs, edge + leastMs)
    before = edge
  }
  return addMs(at, dueMs - at.getTime())
}
