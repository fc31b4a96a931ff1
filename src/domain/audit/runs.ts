import type { Db } from '../../db/database.ts'
import type { Finding } from './audit.ts'
import { INVARIANTS } from './check.ts'
import { selectAudit, selectProgress, takeAuditSlot, updateAudit } from './run-queries.ts'

/** What the last run that ended has found. */
export type LastAudit = {
  finishedAt: Date
  /** Of each invariant; of very many at one check the first alone are counted. */
  violations: Record<string, number>
  /** Checks that have not come to their end. */
  unfinished: number
}

/** How far audits have come. */
export type Progress = {
  /** By scan: everything that was written before has been checked and holds. */
  scans: Readonly<Record<string, Date>>
  /** Where a scan without progress begins: at the first row. */
  begin: Date
}

/** Where the next run of each scan begins. */
export async function readProgress(db: Db): Promise<Progress> {
  const row = await selectProgress(db)
  const scans = Object.entries(row?.progress ?? {}).map(([name, at]) => [name, new Date(at)])
  return { scans: Object.fromEntries(scans), begin: row?.marked_from ?? new Date(0) }
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
  const progress = Object.assign({}, ...findings.map((finding) => finding.progress))
  await updateAudit(db, { finishedAt, violations, unfinished, progress })
}

/** The last run that ended, whoever made it; undefined before the first. */
export async function readLastAudit(db: Db): Promise<LastAudit | undefined> {
  const row = await selectAudit(db)
  if (!row?.finished_at) return undefined
  return { finishedAt: row.finished_at, violations: row.violations, unfinished: row.unfinished }
}
