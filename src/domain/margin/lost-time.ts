import { addMs } from '../../core/time.ts'
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
