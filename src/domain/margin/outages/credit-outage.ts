import { addMs } from '../../../core/time.ts'
import type { ReportedCure } from '../case.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'

/** An instant, and when (real time) a worker was last seen to. */
export type Moment = { now: Date; realNow: Date; lastBeatAt: Date | undefined }

// Were every millisecond counted, a sandbox clock set ahead while no worker is there would chase a
// deadline that its own steps keep moving.
const SHORTEST_REST_MS = 1_000

/**
 * Time in which nobody could judge does not run: a warning whose deadline is moved by it, on the record.
 * That is time without prices to judge by, and time in which no worker was there, as far as that has
 * not moved it. The warning itself where there is nothing to note.
 */
export function extendDeadlineBy(
  warning: StoredWarning,
  canEvaluate: boolean,
  moment: Moment,
  policy: MarginPolicy,
): StoredWarning {
  const { now, realNow } = moment
  const since = warning.unevaluatedSince
  if (since) {
    if (!canEvaluate) return warning
    const staleMs = now.getTime() - since.getTime()
    const extended = staleMs > policy.outageMs ? extend(warning, staleMs) : warning
    return { ...extended, unevaluatedSince: undefined, outagesUntil: realNow }
  }
  const lostMs = uncountedMs(warning, moment)
  // Of an outage that looks in its midst have seen, all is lost, however short the rest of it.
  const isLost = isOutage(moment, policy) && lostMs >= SHORTEST_REST_MS
  const moved = isLost ? { ...extend(warning, lostMs), outagesUntil: realNow } : warning
  return canEvaluate ? moved : { ...moved, unevaluatedSince: now }
}

function isOutage({ realNow, lastBeatAt }: Moment, { outageMs }: MarginPolicy): boolean {
  return lastBeatAt !== undefined && realNow.getTime() - lastBeatAt.getTime() > outageMs
}

function extend(warning: StoredWarning, lostMs: number): StoredWarning {
  return {
    ...warning,
    cureDeadline: addMs(warning.cureDeadline, lostMs),
    windowDeadline: addMs(warning.windowDeadline, lostMs),
    extendedSeconds: warning.extendedSeconds + Math.ceil(lostMs / 1_000),
  }
}

/** For how long no worker has been there that has not moved the deadline yet. */
function uncountedMs({ outagesUntil }: StoredWarning, { realNow, lastBeatAt }: Moment): number {
  if (!lastBeatAt) return 0
  return realNow.getTime() - Math.max(lastBeatAt.getTime(), outagesUntil.getTime())
}

/**
 * The reports that came by the window deadline, each holding longer by the time no worker was there,
 * as far as that is not stored yet.
 */
export function reportsThatHold(
  reported: readonly ReportedCure[],
  warning: StoredWarning | undefined,
  moment: Moment,
  policy: MarginPolicy,
): ReportedCure[] {
  if (!warning) return []
  return reported
    .filter(({ reportedAt }) => reportedAt <= warning.windowDeadline)
    .map((one) => ({ ...one, holdsUntil: addMs(one.holdsUntil, unheldMs(one, moment, policy)) }))
}

/** As `moveHolds` counts it once a worker is there again. */
function unheldMs(
  { reportedAt, outagesUntil }: ReportedCure,
  moment: Moment,
  policy: MarginPolicy,
): number {
  const { realNow, lastBeatAt } = moment
  if (!lastBeatAt || !isOutage(moment, policy)) return 0
  // A report that is ahead of real time is that of a clock set ahead: it may have come before.
  const since = [lastBeatAt, outagesUntil ?? lastBeatAt, reportedAt].filter((at) => at <= realNow)
  return realNow.getTime() - Math.max(...since.map((at) => at.getTime()))
}
