import { z } from 'zod'
import type { Db, Tx } from '../../db/database.ts'
import type { Finding } from './audit.ts'
import { INVARIANTS } from './check.ts'
import {
  requestAuditRow,
  selectAudit,
  selectProgress,
  takeAuditSlot,
  takeRequestedAudit,
  updateAudit,
} from './run-queries.ts'

export type LastAudit = {
  finishedAt: Date
  /** By invariant; bounded where a check has very many. */
  violations: Record<string, number>
  unfinished: number
  /** Of each check that found something or did not finish. */
  findings: AuditFinding[]
}

const findingSchema = z.object({
  invariant: z.string(),
  check: z.string(),
  violations: z.array(z.object({ tenantId: z.string(), subject: z.string(), detail: z.string() })),
  hasMore: z.boolean(),
  timedOut: z.boolean(),
})

/** `violations` are its first ones. */
export type AuditFinding = z.output<typeof findingSchema>

/** Of each check: enough to know what is wrong. The audit command prints all. */
const MOST_STORED = 20

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
  await updateAudit(db, {
    ...{ finishedAt, violations, unfinished, progress },
    findings: findings
      .filter((finding) => finding.timedOut || finding.violations.length > 0)
      .map(toAuditFinding),
  })
}

/** Of any worker; undefined before the first. */
export async function readLastAudit(db: Db): Promise<LastAudit | undefined> {
  const row = await selectAudit(db)
  if (!row?.finished_at) return undefined
  const findings = z.array(findingSchema).catch([]).parse(row.findings)
  return {
    ...{ finishedAt: row.finished_at, violations: row.violations },
    ...{ unfinished: row.unfinished, findings },
  }
}

/** Undefined where none waits for a worker. */
export async function findRequestedAudit(db: Db): Promise<Date | undefined> {
  return (await selectAudit(db))?.requested_at ?? undefined
}

/** A worker makes it within a minute. False where one is requested already. */
export async function requestAudit(tx: Tx, now: Date): Promise<boolean> {
  return await requestAuditRow(tx, now)
}

export async function claimRequestedAudit(db: Db): Promise<boolean> {
  return await takeRequestedAudit(db)
}

function toAuditFinding({ invariant, name, violations, hasMore, timedOut }: Finding): AuditFinding {
  return {
    ...{ invariant, check: name, timedOut, violations: violations.slice(0, MOST_STORED) },
    hasMore: hasMore || violations.length > MOST_STORED,
  }
}
