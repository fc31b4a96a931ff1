import { addMs } from '../../core/time.ts'
import type { ReportedCure } from './facts.ts'
import type { MarginPolicy } from './policy.ts'
import type { StoredWarning } from './queries.ts'

/** An instant, and when (real time) a worker was last seen to. */
export type Moment = { now: Date; realNow: Date; beatenAt: Date | undefined }

/**
 * Time in which nobody could judge does not run: a warning whose deadline is moved by it, on the record.
 * That is time without prices to judge by, and time in which no worker was there, as far as that has
 * not moved it. The warning itself where there is nothing to note.
 */
export function withoutLostTime(
  warning: StoredWarning,
  canJudge: boolean,
  moment: Moment,
  policy: MarginPolicy,
): StoredWarning {
  const { now, realNow } = moment
  const since = warning.unjudgedSince
  if (since) {
    if (!canJudge) return warning
    const extended = extend(warning, now.getTime() - since.getTime(), policy)
    return { ...extended, unjudgedSince: undefined, outagesUntil: realNow }
  }
  const lostMs = uncountedMs(warning, moment)
  const isLost = lostMs > policy.outageMs
  const moved = isLost ? { ...extend(warning, lostMs, policy), outagesUntil: realNow } : warning
  return canJudge ? moved : { ...moved, unjudgedSince: now }
}

function extend(warning: StoredWarning, lostMs: number, { outageMs }: MarginPolicy): StoredWarning {
  if (lostMs <= outageMs) return warning
  return {
    ...warning,
    cureDeadline: addMs(warning.cureDeadline, lostMs),
    windowDeadline: addMs(warning.windowDeadline, lostMs),
    extendedSeconds: warning.extendedSeconds + Math.ceil(lostMs / 1_000),
  }
}

/** For how long no worker has been there that has not moved the deadline yet. */
function uncountedMs({ outagesUntil }: StoredWarning, { realNow, beatenAt }: Moment): number {
  if (!beatenAt) return 0
  return realNow.getTime() - Math.max(beatenAt.getTime(), outagesUntil.getTime())
}

/**
 * Of what was reported for a warning that which came in time; time in which no worker was there to ask
 * the treasury does not run for it either, as far as that is not counted in it yet.
 */
export function holding(
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
  { realNow, beatenAt }: Moment,
  { outageMs }: MarginPolicy,
): number {
  if (!beatenAt || realNow.getTime() - beatenAt.getTime() <= outageMs) return 0
  // A report that is ahead of real time is that of a clock set ahead: it may have come before.
  const since = [beatenAt, outagesUntil ?? beatenAt, reportedAt].filter((at) => at <= realNow)
  return realNow.getTime() - Math.max(...since.map((at) => at.getTime()))
}
