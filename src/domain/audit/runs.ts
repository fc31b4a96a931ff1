import { addMs, MINUTE_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Finding } from './audit.ts'
import { INVARIANTS } from './check.ts'
import { selectAudit, takeAuditSlot, updateAudit } from './run-queries.ts'

/** What the last run that ended has found. */
export type LastAudit = {
  finishedAt: Date
  /** Of each invariant; of very many at one check the first alone are counted. */
  violations: Record<string, number>
  /** Checks that took too long, and prove nothing. */
  unfinished: number
}

/** A decision is committed at most so long after the instant at which it was written. */
const COMMITTED_WITHIN_MS = 10 * MINUTE_MS

/** Since when decisions are still to be recomputed; undefined where none has been. */
export async function readDecisionsSince(db: Db): Promise<Date | undefined> {
  const until = (await selectAudit(db))?.decisions_until
  return until ? addMs(until, -COMMITTED_WITHIN_MS) : undefined
}

/** Begins the run of a slot, of which there is one a period; false when it is somebody else's. */
export async function claimAudit(db: Db, slot: bigint): Promise<boolean> {
  return await takeAuditSlot(db, slot)
}

/** Keeps what a run has found, for every worker to tell. */
export async function recordAudit(
  db: Db,
  findings: readonly Finding[],
  finishedAt: Date,
): Promise<void> {
  const countOf = (invariant: string) =>
    findings
      .filter((finding) => finding.invariant === invariant)
      .reduce((sum, { violations }) => sum + violations.length, 0)
  const violations = Object.fromEntries(
    Object.keys(INVARIANTS).map((invariant) => [invariant, countOf(invariant)]),
  )
  const unfinished = findings.filter(({ timedOut }) => timedOut).length
  const decisionsUntil = findings.find((finding) => finding.decisionsUntil)?.decisionsUntil
  await updateAudit(db, { finishedAt, violations, unfinished, decisionsUntil })
}

/** The last run that ended, whoever made it; undefined before the first. */
export async function readLastAudit(db: Db): Promise<LastAudit | undefined> {
  const row = await selectAudit(db)
  if (!row?.finished_at) return undefined
  return { finishedAt: row.finished_at, violations: row.violations, unfinished: row.unfinished }
}
