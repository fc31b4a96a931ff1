import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** False when another worker has it. A stored slot far ahead comes from a wrong clock. */
export async function takeAuditSlot(db: Db, slot: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audits')
    .set({ slot })
    .where((where) => where.or([where('slot', '<', slot), where('slot', '>', slot + 1n)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where it was requested before and has not begun. */
export async function requestAuditRow(tx: Tx, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('audits')
    .set({ requested_at: at })
    .where('requested_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False where none is requested, or another worker has it. */
export async function takeRequestedAudit(db: Db): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audits')
    .set({ requested_at: null })
    .where('requested_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateAudit(
  db: Db,
  run: {
    finishedAt: Date
    violations: Record<string, number>
    unfinished: number
    progress: Record<string, Date>
    findings: unknown
  },
): Promise<void> {
  const { finishedAt, unfinished } = run
  const findings = sql<unknown>`${JSON.stringify(run.findings)}::jsonb`
  const violations = JSON.stringify(run.violations) as unknown as Record<string, number>
  const progress = sql<Record<string, string>>`progress || ${JSON.stringify(run.progress)}::jsonb`
  await db
    .updateTable('audits')
    .set({ finished_at: finishedAt, violations, unfinished, progress, findings })
    .execute()
}

export async function selectAudit(db: Db) {
  return await db
    .selectFrom('audits')
    .select(['finished_at', 'violations', 'unfinished', 'findings', 'requested_at'])
    .executeTakeFirst()
}

export async function selectProgress(db: Db) {
  return await db.selectFrom('audits').select(['progress', 'marked_from']).executeTakeFirst()
}
