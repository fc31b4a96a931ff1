import { SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { inSnapshot } from '../../db/snapshot.ts'
import {
  DECIDE_FACILITY,
  PAY_REFUND,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../facilities/topics.ts'
import { SELL_COLLATERAL } from '../margin/topics.ts'
import { CONFIRM_REPAYMENT } from '../repayments/report-execution.ts'
import { DISABLE_AT, RETRY_DELAYS_MS } from '../webhooks/deliveries/decide-outcome.ts'
import type { Check, Invariant, Read, Terms, Violation } from './check.ts'
import { CHECKS } from './checks.ts'
import { runScan } from './paging.ts'
import type { Progress } from './runs.ts'

export type Finding = {
  invariant: Invariant
  name: string
  violations: Violation[]
  hasMore: boolean
  /** The rest of the check is unchecked. */
  timedOut: boolean
  subjects: number
  /** Of each scan that a later run may start elsewhere. */
  progress: Record<string, Date>
}

export type AuditOptions = {
  /** In the sandbox, where a simulation may reset a failure counter. */
  hasSimulation: boolean
  /** Default: all. */
  invariants?: readonly Invariant[]
  /** A snapshot's longest life. */
  secondsEach?: number
  /** Checks made side by side, each over a connection of its own; default: one. */
  lanes?: number
  /** For all pages of a check; default: no limit. */
  secondsAll?: number
  /** Only what was written since; default: everything. */
  since?: Progress | undefined
  /** Cancels the statement that runs, and throws the reason. */
  signal?: AbortSignal
  /** Awaited after each page, to pace the audit. */
  rest?: (pageMs: number) => Promise<void>
}

/** One violation is one too many, and memory is bounded. */
const MAX_REPORTED = 100

/** Vacuum removes nothing that a snapshot still sees. */
const SECONDS_EACH = 30

/** Safe while the service runs: each page reads a snapshot of its own, locks nothing that a writer
 * waits for, and ends at its time limit. Work in progress is no violation. */
export async function audit(db: Db, options: AuditOptions): Promise<Finding[]> {
  const terms = termsOf(options)
  const checks = CHECKS.filter(({ invariant }) => options.invariants?.includes(invariant) !== false)
  const findings: Finding[] = []
  const waiting = [...checks.entries()]
  const runLane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, check] = next
      findings[at] = await runCheck(db, check, terms, options)
    }
  }
  const lanes = Array.from({ length: options.lanes ?? 1 }, async () => {
    try {
      await runLane()
    } catch (error) {
      // The other lanes end with the check they are at.
      waiting.length = 0
      throw error
    }
  })
  for (const lane of await Promise.allSettled(lanes)) {
    if (lane.status === 'rejected') throw lane.reason
  }
  return findings
}

async function runCheck(
  db: Db,
  check: Check,
  terms: Terms,
  { secondsEach = SECONDS_EACH, secondsAll, signal, since, rest }: AuditOptions,
): Promise<Finding> {
  const endsAt = performance.now() + (secondsAll ?? Number.POSITIVE_INFINITY) * SECOND_MS
  const read: Read = (run) => inSnapshot(db, { seconds: secondsEach, signal }, run)
  const { invariant, name } = check
  const nothing = { hasMore: false, timedOut: false, subjects: 0, progress: {} }
  const finding: Finding = { invariant, name, violations: [], ...nothing }
  signal?.throwIfAborted()
  for (const scan of await check.scans(read)) {
    const { violations, subjects, until, timedOut } = await runScan(scan, {
      read,
      terms,
      signal,
      rest,
      limit: MAX_REPORTED + 1,
      since: since && (since.scans[scan.name] ?? since.begin),
      isLate: () => performance.now() > endsAt,
      distributed: await isDistributed(db),
    })
    finding.violations.push(...violations)
    finding.subjects += subjects
    finding.timedOut ||= timedOut
    if (until) finding.progress[scan.name] = until
  }
  // Two scans of a check may find the same violation.
  finding.violations = [
    ...new Map(finding.violations.map((one) => [JSON.stringify(one), one])).values(),
  ]
  finding.hasMore = finding.violations.length > MAX_REPORTED
  finding.violations.splice(MAX_REPORTED)
  return finding
}

/** Between two machines. */
const CLOCK_SKEW_MS = SECOND_MS

export function termsOf({ hasSimulation }: AuditOptions): Terms {
  return {
    retryDelaysMs: RETRY_DELAYS_MS,
    disableAt: DISABLE_AT,
    hasSimulation,
    clockSkewMs: CLOCK_SKEW_MS,
    topics: {
      draw: RELEASE_DRAW,
      repayment: CONFIRM_REPAYMENT,
      refund: PAY_REFUND,
      facility: UNDERWRITE_FACILITY,
      closing: RELEASE_LIEN,
      call: SELL_COLLATERAL,
    },
    applicationDeadline: DECIDE_FACILITY,
  }
}
