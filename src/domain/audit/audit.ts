import { SECOND_MS } from '../../core/time.ts'
import { type Db, inSnapshot } from '../../db/database.ts'
import {
  DECIDE_FACILITY,
  PAY_REFUND,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../facilities/topics.ts'
import { SELL_COLLATERAL } from '../margin/topics.ts'
import { CONFIRM_REPAYMENT } from '../repayments/report-execution.ts'
import { DISABLE_AT, RETRY_DELAYS_MS } from '../webhooks/decide-outcome.ts'
import type { Check, Invariant, Read, Terms, Violation } from './check.ts'
import { CHECKS } from './checks.ts'
import { runScan } from './paging.ts'
import type { Progress } from './runs.ts'

/** What one check has found. */
export type Finding = {
  invariant: Invariant
  name: string
  /** The first of them, where there are very many. */
  violations: Violation[]
  hasMore: boolean
  /** It has not come to its end: the rest is unchecked. */
  timedOut: boolean
  /** How many subjects its pages held. */
  subjects: number
  /** Of each scan that a later run may begin elsewhere: where. */
  progress: Record<string, Date>
}

export type AuditOptions = {
  /** Whether this is the sandbox, where a simulation may set a failure counter back. */
  hasSimulation: boolean
  /** All of them, unless said otherwise. */
  invariants?: readonly Invariant[]
  /** How long a snapshot may be held: a check, or a page of one. */
  secondsEach?: number
  /** How long all pages of a check may take together; as long as they need without it. */
  secondsAll?: number
  /** Checks only what was written since the last run; everything without it. */
  since?: Progress | undefined
  /** Ends it early: what is being read is given up, and the reason thrown. */
  signal?: AbortSignal
  /** Called after each page with the time that it took, and waited for: it paces the audit. */
  rest?: (pageMs: number) => Promise<void>
}

/** How many violations of a check are told: one is one too many, and memory has an end. */
const MOST_TOLD = 100

/** Vacuum can remove nothing that a snapshot still sees. */
const SECONDS_EACH = 30

/**
 * Looks for violations of the service's invariants, of which there is none, ever; safe while the
 * service runs. Each page of a check reads a snapshot of its own in a read-only transaction that locks
 * nothing a writer waits for, ends at its time limit, and counts what is under way as that.
 */
export async function audit(db: Db, options: AuditOptions): Promise<Finding[]> {
  const terms = termsOf(options)
  const findings: Finding[] = []
  for (const check of CHECKS) {
    if (options.invariants?.includes(check.invariant) === false) continue
    findings.push(await runCheck(db, check, terms, options))
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
      limit: MOST_TOLD + 1,
      since: since && (since.scans[scan.name] ?? since.begin),
      isLate: () => performance.now() > endsAt,
    })
    finding.violations.push(...violations)
    finding.subjects += subjects
    finding.timedOut ||= timedOut
    if (until) finding.progress[scan.name] = until
  }
  // Two scans of a check may meet the same thing.
  finding.violations = [
    ...new Map(finding.violations.map((one) => [JSON.stringify(one), one])).values(),
  ]
  finding.hasMore = finding.violations.length > MOST_TOLD
  finding.violations.splice(MOST_TOLD)
  return finding
}

/** How far the clocks of two machines may be apart. */
const CLOCK_SKEW_MS = SECOND_MS

/** What the checks must know, of the modules whose rules they are. */
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
