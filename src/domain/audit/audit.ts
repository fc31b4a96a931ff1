import pLimit from 'p-limit'
import { addMs, SECOND_MS } from '../../core/time.ts'
import { isDistributed } from '../../db/cluster/distribution.ts'
import type { Db } from '../../db/database.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { DISABLE_AT, RETRY_DELAYS_MS } from '../deliveries/decide-outcome.ts'
import {
  DECIDE_FACILITY,
  PAY_REFUND,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../facilities/topics.ts'
import { SELL_COLLATERAL } from '../margin/topics.ts'
import { CONFIRM_REPAYMENT } from '../repayments/report-execution.ts'
import type { Check, Invariant, Read, Scan, Terms, Violation } from './check.ts'
import { CHECKS } from './checks.ts'
import type { Budget, Pace, ScanResult } from './pages.ts'
import { runScans } from './run-scans.ts'
import type { Progress } from './runs.ts'
import { selectNow } from './subject-queries.ts'

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
  /** Groups of checks made side by side, each over a connection of its own; default: one. */
  lanes?: number
  /** For all pages of a check; default: no limit. */
  secondsAll?: number
  /** Only what was written since; default: everything. */
  since?: Progress | undefined
  /** Cancels the statement that runs, and throws the reason. */
  signal?: AbortSignal
  /** Default: as fast as it can. */
  pace?: Pace
}

/** One violation is one too many, and memory is bounded. */
const MAX_REPORTED = 100

/** Vacuum removes nothing that a snapshot still sees. */
const SECONDS_EACH = 30

/** Safe while the service runs: each page reads a snapshot of its own, locks nothing that a writer
 * waits for, and ends at its time limit. Work in progress is no violation. */
export async function audit(db: Db, options: AuditOptions): Promise<Finding[]> {
  const { secondsEach = SECONDS_EACH, signal, pace } = options
  signal?.throwIfAborted()
  const read: Read = (run) => inSnapshot(db, { seconds: secondsEach, signal }, run)
  const checks = CHECKS.filter(({ invariant }) => options.invariants?.includes(invariant) !== false)
  const planned = (await Promise.all(checks.map((check) => planScans(check, read, options)))).flat()
  // One instant for all: scans that have come as far stay together. A Date ends at the millisecond,
  // a mark may lie within it.
  const end = addMs(await read(selectNow), 1)
  const context = {
    read,
    signal,
    pace,
    terms: termsOf(options),
    limit: MAX_REPORTED + 1,
    budgets: new Map(planned.map(({ scan, budget }) => [scan, budget])),
    distributed: await isDistributed(db),
  }
  const groups = [...Map.groupBy(planned, groupOf).values()]
  const found = await runSideBySide(groups, options.lanes ?? 1, async (group) => {
    const since = group[0]?.since
    const scans = group.map(({ scan }) => scan)
    return [...(await runScans(scans, { ...context, period: since && { since, end } }))]
  })
  const results = new Map(found.flat())
  const scansOf = Map.groupBy(planned, ({ check }) => check)
  return checks.map((check) =>
    findingOf(
      check,
      (scansOf.get(check) ?? []).flatMap(({ scan }) => {
        const result = results.get(scan)
        return result ? [{ name: scan.name, ...result }] : []
      }),
    ),
  )
}

type Planned = { check: Check; scan: Scan; since: Date | undefined; budget: Budget }

async function planScans(
  check: Check,
  read: Read,
  { since, secondsAll = Number.POSITIVE_INFINITY }: AuditOptions,
): Promise<Planned[]> {
  const budget = { leftMs: secondsAll * SECOND_MS }
  const scans = await check.scans(read)
  return scans.map((scan) => {
    return { check, scan, budget, since: since && (since.scans[scan.name] ?? since.begin) }
  })
}

/** The same for scans of the same subjects that have come as far: what they read is listed once. */
function groupOf({ scan, since }: Planned): string {
  return JSON.stringify([scan.subjects.key, scan.subjects.sources, since])
}

/** When one fails, those that have begun end before it throws, and no other begins. */
async function runSideBySide<Item, Result>(
  items: readonly Item[],
  count: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const inLane = pLimit({ concurrency: count, rejectOnClear: true })
  const running = items.map((item) =>
    inLane(async () => {
      try {
        return await run(item)
      } catch (error) {
        inLane.clearQueue()
        throw error
      }
    }),
  )
  await Promise.allSettled(running)
  return await Promise.all(running)
}

function findingOf(
  { invariant, name }: Check,
  results: readonly (ScanResult & { name: string })[],
): Finding {
  const found = results.flatMap(({ violations }) => violations)
  // Two scans of a check may find the same violation.
  const violations = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
  return {
    invariant,
    name,
    violations: violations.slice(0, MAX_REPORTED),
    hasMore: violations.length > MAX_REPORTED,
    timedOut: results.some(({ timedOut }) => timedOut),
    subjects: results.reduce((sum, { subjects }) => sum + subjects, 0),
    progress: Object.fromEntries(
      results.flatMap(({ name: scan, until }) => (until ? [[scan, until]] : [])),
    ),
  }
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
