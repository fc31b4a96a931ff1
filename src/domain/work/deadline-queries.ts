import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { type DeadlineTopic, rankOf } from './topics.ts'

export type NewDeadline = { subjectId: string; dueAt: Date }

export function upsertDeadlines(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadlines: readonly NewDeadline[],
): void {
  const subjects = deadlines.map(({ subjectId }) => subjectId)
  const dueAt = deadlines.map((deadline) => deadline.dueAt)
  tx.send(upsertRows({ tenantId, topic, rank: rankOf(topic), subjects, dueAt }))
}

type DeadlineColumns = {
  tenantId: string
  topic: DeadlineTopic
  rank: number
  subjects: readonly string[]
  dueAt: readonly Date[]
}

// A deadline set during its own run is kept, because the run has not seen the change.
const upsertRows = builtOnce(
  (_tx, { tenantId, topic, rank, subjects, dueAt }: DeadlineColumns) => sql`
    INSERT INTO work (tenant_id, topic, clock, priority, subject_id, due_at)
    SELECT t.tenant_id, ${topic}, 'tenant', ${rank}::int, w.* FROM tenants t CROSS JOIN unnest(
      ${subjects}::text[], ${dueAt}::timestamptz[]) AS w
    WHERE t.tenant_id = ${tenantId}
    ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE SET
      due_at = excluded.due_at, ready = false, generation = work.generation + 1,
      held_until = CASE WHEN work.lease IS NULL THEN NULL ELSE work.held_until END
    WHERE work.due_at <> excluded.due_at OR work.lease IS NOT NULL`,
)

/** Waits for nothing but a transaction that inserts the same. */
export async function insertDeadlineIfAbsent(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  { subjectId, dueAt }: NewDeadline,
): Promise<void> {
  await sql`
    INSERT INTO work (tenant_id, topic, clock, priority, subject_id, due_at)
    VALUES (${tenantId}, ${topic}, 'tenant', ${rankOf(topic)}::int, ${subjectId}, ${dueAt})
    ON CONFLICT (tenant_id, topic, subject_id) DO NOTHING`.execute(tx)
}

type Subjects = { tenantId: string; topic: DeadlineTopic; subjectIds: readonly string[] }

export const deleteDeadlines = builtOnce(
  (_db, { tenantId, topic, subjectIds }: Subjects) => sql`
    DELETE FROM work WHERE tenant_id = ${tenantId} AND topic = ${topic}
      AND subject_id = ANY (${subjectIds}::text[])`,
)

export async function selectNextDeadline(
  db: Db,
  tenantId: string,
  topics: readonly DeadlineTopic[],
  until: Date,
) {
  return await db
    .selectFrom('work')
    .select(['topic', 'subject_id', 'due_at'])
    .where('tenant_id', '=', tenantId)
    .where('clock', '=', sql.lit('tenant' as const))
    .where('topic', 'in', topics)
    .where('due_at', '<=', until)
    .orderBy('due_at')
    .orderBy('topic')
    .orderBy('subject_id')
    .limit(1)
    .executeTakeFirst()
}
