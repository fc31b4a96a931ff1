import { addMs, SECOND_MS } from '../../../core/time.ts'
import type { RowOf } from '../../../db/transactions/built-once.ts'
import {
  LEAST_AFTER_PAUSE_MS,
  type Pause,
  resumeAt,
  resumeAtLast,
} from '../../facilities/pauses/pauses.ts'
import { later } from '../ladder/deadlines.ts'
import type { MarginPolicy } from '../policy.ts'
import type { Deadlines, StoredWarning, selectOpenWarnings } from '../warning-queries.ts'

/** An open warning at an instant. */
export type OpenWarningAt = StoredWarning & {
  /** A value clear at some prices only is waited for until then. */
  flickerUntil: Date
  /** When the deadline is to be evaluated though nothing happens. */
  dueAt: Date | undefined
  /** Nothing can be evaluated, and its outage is recorded. */
  isUnevaluated: boolean
}

type Row = RowOf<typeof selectOpenWarnings>

const windowOf = ({ windowDeadline: at, countedFrom: from }: StoredWarning['stored']) => ({
  ...{ at, from, leastMs: LEAST_AFTER_PAUSE_MS },
})

/** The instant if the running pauses ended now. */
export function deadlinesAt(
  row: Row,
  pauses: readonly Pause[],
  now: Date,
): Deadlines & Pick<StoredWarning, 'stored'> {
  const stored = {
    windowDeadline: row.window_deadline ?? row.cure_deadline,
    cutAt: row.window_deadline ? row.cure_deadline : undefined,
    extendedSeconds: row.extended_seconds,
    countedFrom: row.counted_from ?? row.raised_at,
  }
  const { cutAt: at } = stored
  const windowDeadline = resumeAt(windowOf(stored), pauses, now)
  // Critical has no time left at the end of a pause either.
  const cureDeadline = at ? resumeAt({ at, from: at }, pauses, now) : windowDeadline
  const movedMs = windowDeadline.getTime() - stored.windowDeadline.getTime()
  const extendedSeconds = stored.extendedSeconds + Math.ceil(movedMs / SECOND_MS)
  return { cureDeadline, windowDeadline, extendedSeconds, stored }
}

export function toOpenWarning(
  row: Row,
  pauses: readonly Pause[],
  now: Date,
  { flickerMs }: MarginPolicy,
): OpenWarningAt {
  const deadlines = deadlinesAt(row, pauses, now)
  const window = windowOf(deadlines.stored)
  const leastMs = window.leastMs + flickerMs
  const flicker = { ...window, at: addMs(window.at, flickerMs), leastMs }
  return {
    ...deadlines,
    number: row.number,
    tier: row.tier,
    raisedAt: row.raised_at,
    ltvAtRaise: row.ltv_at_raise,
    upheld: row.upheld,
    flickerUntil: resumeAt(flicker, pauses, now),
    dueAt: dueAt(resumeAtLast(window, pauses), pauses, now),
    isUnevaluated: pauses.some(({ kind, until }) => kind === 'outage' && !until),
  }
}

/** Without a worker a sandbox clock set ahead would chase a deadline that its own steps move. */
function dueAt(last: Date | undefined, pauses: readonly Pause[], now: Date): Date | undefined {
  const isRunning = pauses.some(({ until }) => until?.getTime() === now.getTime())
  return last && isRunning ? later(last, addMs(now, SECOND_MS)) : last
}

type StartedDeadlines = Deadlines &
  Pick<OpenWarningAt, 'stored' | 'flickerUntil' | 'dueAt' | 'isUnevaluated'>

/** Set at `now`, when something can be evaluated. */
export function startDeadlines(
  deadlines: Deadlines,
  now: Date,
  { flickerMs }: MarginPolicy,
): StartedDeadlines {
  const { windowDeadline, extendedSeconds } = deadlines
  const cutAt = cutOf(deadlines)
  return {
    ...deadlines,
    stored: { windowDeadline, extendedSeconds, cutAt, countedFrom: now },
    flickerUntil: addMs(windowDeadline, flickerMs),
    dueAt: windowDeadline,
    isUnevaluated: false,
  }
}

/** Those of a tier that a warning reaches at `now`; what stays keeps the pauses from before it. */
export function worsenDeadlines(
  warning: OpenWarningAt,
  reached: Omit<Deadlines, 'extendedSeconds'>,
  now: Date,
  policy: MarginPolicy,
): OpenWarningAt {
  const { extendedSeconds } = warning
  if (reached.windowDeadline < warning.windowDeadline) {
    return { ...warning, ...startDeadlines({ ...reached, extendedSeconds }, now, policy) }
  }
  const stored = { ...warning.stored, cutAt: cutOf(reached) }
  return { ...warning, cureDeadline: reached.cureDeadline, stored }
}

function cutOf({ cureDeadline, windowDeadline }: Omit<Deadlines, 'extendedSeconds'>) {
  return cureDeadline < windowDeadline ? cureDeadline : undefined
}
