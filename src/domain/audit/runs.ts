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
  await updateAudit(db, { finishedAt, violations, unfinished })
}

/** The last run that ended, whoever made it; undefined before the first. */
export async function readLastAudit(db: Db): Promise<LastAudit | undefined> {
  const row = await selectAudit(db)
  if (!row?.finished_at) return undefined
  return { finishedAt: row.finished_at, violations: row.violations, unfinished: row.unfinished }
}
