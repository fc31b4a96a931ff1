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
import type { Check, Invariant, Terms, Violation } from './check.ts'
import { CHECKS } from './checks.ts'

/** What one check has found. */
export type Finding = {
  invariant: Invariant
  name: string
  /** The first of them, where there are very many. */
  violations: Violation[]
  hasMore: boolean
  /** It took too long, and proves nothing. */
  timedOut: boolean
}

export type AuditOptions = {
  /** Whether this is the sandbox, where a simulation may set a failure counter back. */
  hasSimulation: boolean
  /** All of them, unless said otherwise. */
  invariants?: readonly Invariant[]
  /** How long a check may take. */
  secondsEach?: number
  /** Ends it early: what is being read is given up, and the reason thrown. */
  signal?: AbortSignal
}

/** How many violations of a check are told: one is one too many, and memory has an end. */
const MOST_TOLD = 100

const SECONDS_EACH = 300

const QUERY_CANCELED = '57014'

/**
 * Looks for violations of the service's invariants, of which there is none, ever; safe while the
 * service runs. Each check reads one snapshot in a read-only transaction that locks nothing a writer
 * waits for, ends at its time limit, and counts what is under way as that.
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
  { secondsEach = SECONDS_EACH, signal }: AuditOptions,
): Promise<Finding> {
  const { invariant, name } = check
  const bounds = { limit: MOST_TOLD + 1, signal }
  try {
    signal?.throwIfAborted()
    const found = await inSnapshot(db, { seconds: secondsEach, signal }, (tx) =>
      check.find(tx, terms, bounds),
    )
    const violations = found.slice(0, MOST_TOLD)
    return { invariant, name, violations, hasMore: found.length > MOST_TOLD, timedOut: false }
  } catch (error) {
    if (signal?.aborted || sqlState(error) !== QUERY_CANCELED) throw error
    return { invariant, name, violations: [], hasMore: false, timedOut: true }
  }
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
