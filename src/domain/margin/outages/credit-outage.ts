import { addMs } from '../../../core/time.ts'
import type { ReportedCure } from '../case.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'

export type Moment = { now: Date; realNow: Date; lastBeatAt: Date | undefined }

// With every millisecond counted, a sandbox clock set ahead without a worker would chase a deadline
// that its own steps move.
const SHORTEST_REST_MS = 1_000

/** Time without prices, or without a worker, does not count: moves the deadline, on the record. */
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
  // Once part of an outage is credited, credit the remainder too.
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

function uncountedMs({ outagesUntil }: StoredWarning, { realNow, lastBeatAt }: Moment): number {
  if (!lastBeatAt) return 0
  return realNow.getTime() - Math.max(lastBeatAt.getTime(), outagesUntil.getTime())
}

/** Reports by the window deadline, each extended by the outage time that is not stored yet. */
export function reportsThatHold(
  reported: readonly ReportedCure[],
  warning: StoredWarning | undefined,
  moment: Moment,
  policy: MarginPolicy,
): ReportedCure[] {
  if (!warning) return []
  return reported
    .filter(({ reportedAt }) => reportedAt <= warning.windowDeadline)
    .map((one) => ({
      ...one,
      holdsUntil: addMs(one.holdsUntil, holdOutageMs(one, moment, policy)),
    }))
}

/** As `moveHolds` counts it once a worker is back. */
function holdOutageMs(
  { reportedAt, outagesUntil }: ReportedCure,
  moment: Moment,
  policy: MarginPolicy,
): number {
  const { realNow, lastBeatAt } = moment
  if (!lastBeatAt || !isOutage(moment, policy)) return 0
  // A report ahead of real time comes from a clock set ahead: ignore its instant.
  const since = [lastBeatAt, outagesUntil ?? lastBeatAt, reportedAt].filter((at) => at <= realNow)
  return realNow.getTime() - Math.max(...since.map((at) => at.getTime()))
}
