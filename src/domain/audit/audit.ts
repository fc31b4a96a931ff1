import { SECOND_MS } from '../../core/time.ts'
import { type Db, inSnapshot } from '../../db/database.ts'
import { sqlState } from '../../db/errors.ts'
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
import { CHECKS, CheckTookTooLong } from './checks.ts'

/** What one check has found. */
export type Finding = {
  invariant: Invariant
  name: string
  /** The first of them, where there are very many. */
  violations: Violation[]
  hasMore: boolean
  /** It took too long, and proves nothing. */
  timedOut: boolean
  /** Of the check of decisions: all that were written before have been recomputed and hold. */
  decisionsUntil?: Date | undefined
}

export type AuditOptions = {
  /** Whether this is the sandbox, where a simulation may set a failure counter back. */
  hasSimulation: boolean
  /** All of them, unless said otherwise. */
  invariants?: readonly Invariant[]
  /** How long a snapshot may be held: a check, or a page of one. */
  secondsEach?: number
  /** How long a check that goes on page by page may take; as long as it needs without it. */
  secondsAll?: number
  /** Recomputes only decisions written since then; all of them without it. */
  decisionsSince?: Date | undefined
  /** Ends it early: what is being read is given up, and the reason thrown. */
  signal?: AbortSignal
}

/** How many violations of a check are told: one is one too many, and memory has an end. */
const MOST_TOLD = 100

/** Vacuum can remove nothing that a snapshot still sees. */
const SECONDS_EACH = 30

const QUERY_CANCELED = '57014'

/**
 * Looks for violations of the service's invariants, of which there is none, ever; safe while the
 * service runs. Each check, or each page of one, reads a snapshot of its own in a read-only
 * transaction that locks nothing a writer waits for, ends at its time limit, and counts what is under
 * way as that.
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
  { secondsEach = SECONDS_EACH, secondsAll, signal, decisionsSince }: AuditOptions,
): Promise<Finding> {
  const { invariant, name } = check
  const endsAt = performance.now() + (secondsAll ?? Number.POSITIVE_INFINITY) * SECOND_MS
  const finding: Finding = { invariant, name, violations: [], hasMore: false, timedOut: false }
  const bounds = {
    limit: MOST_TOLD + 1,
    signal,
    decisionsSince,
    isLate: () => performance.now() > endsAt,
    onDecisions: (until: Date) => {
      finding.decisionsUntil = until
    },
  }
  const read: Read = (run) => inSnapshot(db, { seconds: secondsEach, signal }, run)
  try {
    signal?.throwIfAborted()
    const found = await check.find(read, terms, bounds)
    finding.violations = found.slice(0, MOST_TOLD)
    finding.hasMore = found.length > MOST_TOLD
  } catch (error) {
    const isLate = error instanceof CheckTookTooLong || sqlState(error) === QUERY_CANCELED
    if (signal?.aborted || !isLate) throw error
    finding.timedOut = true
  }
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
