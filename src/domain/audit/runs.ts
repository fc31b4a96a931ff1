import type { Db } from '../../db/database.ts'
import type { Finding } from './audit.ts'
import { INVARIANTS } from './check.ts'
import { selectAudit, selectProgress, takeAuditSlot, updateAudit } from './run-queries.ts'

export type LastAudit = {
  finishedAt: Date
  /** By invariant; bounded where a check has very many. */
  violations: Record<string, number>
  unfinished: number
}

export type Progress = {
  /** By scan: everything written before was checked and holds. */
  scans: Readonly<Record<string, Date>>
  begin: Date
}

export async function readProgress(db: Db): Promise<Progress> {
  const row = await selectProgress(db)
  const scans = Object.entries(row?.progress ?? {}).map(([name, at]) => [name, new Date(at)])
  return { scans: Object.fromEntries(scans), begin: row?.marked_from ?? new Date(0) }
}

/** One run a period; false when another worker has it. */
export async function claimAudit(db: Db, slot: bigint): Promise<boolean> {
  return await takeAuditSlot(db, slot)
}

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

/** Of any worker; undefined before the first. */
export async function readLastAudit(db: Db): Promise<LastAudit | undefined> {
  const row = await selectAudit(db)
  if (!row?.finished_at) return undefined
  return { finishedAt: row.finished_at, violations: row.violations, unfinished: row.unfinished }
}
