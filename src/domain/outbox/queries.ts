import { sql } from 'kysely'
import { currentTrace, type Db, type Tx } from '../../db/database.ts'

export type NewWork = { topic: string; subjectId: string; dueAt: Date }

/** Asks for work, each piece once in the list. */
export async function upsertWorks(
  tx: Tx,
  tenantId: string,
  works: readonly NewWork[],
): Promise<void> {
  // A running job keeps its lease: it looks again at its end, because the generation rose.
  await sql`
    INSERT INTO outbox (tenant_id, traceparent, topic, subject_id, due_at)
    SELECT ${tenantId}, ${currentTrace(tx)}, * FROM unnest(
      ${works.map((work) => work.topic)}::text[], ${works.map((work) => work.subjectId)}::text[],
      ${works.map((work) => work.dueAt)}::timestamptz[])
    ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE
    SET generation = outbox.generation + 1,
        due_at = CASE WHEN outbox.lease IS NULL THEN least(outbox.due_at, excluded.due_at)
                      ELSE outbox.due_at END,
        traceparent = excluded.traceparent
  `.execute(tx)
}

/**
 * Makes what there is of these topics on these subjects due now, and gives it. What is running keeps
 * its lease and looks again at its end.
 */
export async function hastenWorks(
  tx: Tx,
  tenantId: string,
  topics: readonly string[],
  subjectIds: readonly string[],
  now: Date,
): Promise<{ topic: string; subject_id: string }[]> {
  return await tx
    .updateTable('outbox')
    .set({
      generation: sql`generation + 1`,
      due_at: sql`CASE WHEN lease IS NULL THEN least(due_at, ${now}::timestamptz) ELSE due_at END`,
    })
    .where('tenant_id', '=', tenantId)
    .where('topic', '=', sql<string>`ANY (${[...topics]}::text[])`)
    .where('subject_id', '=', sql<string>`ANY (${[...subjectIds]}::text[])`)
    .returning(['topic', 'subject_id'])
    .execute()
}

/** Leases the item until `lease.until` if it is due; nobody else gets it before. */
export async function claimWork(
  db: Db,
  item: { tenantId: string; topic: string; subjectId: string },
  lease: { token: string; now: Date; until: Date },
): Promise<{ generation: bigint; attempts: number; traceparent: string | null } | undefined> {
  return await db
    .updateTable('outbox')
    .set({ lease: lease.token, due_at: lease.until })
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where('due_at', '<=', lease.now)
    .returning(['generation', 'attempts', 'traceparent'])
    .executeTakeFirst()
}

/** Ends a claim: deletes the item, or makes it due again where it was asked for meanwhile. */
export async function finishWork(
  tx: Tx,
  item: { tenantId: string; topic: string; subjectId: string },
  lease: { token: string; generation: bigint; now: Date },
): Promise<{ again: boolean }> {
  const deleted = await tx
    .deleteFrom('outbox')
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where('lease', '=', lease.token)
    .where('generation', '=', lease.generation)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 1n) return { again: false }
  const kept = await tx
    .updateTable('outbox')
    .set({ lease: null, attempts: 0, due_at: lease.now, last_error: null })
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where('lease', '=', lease.token)
    .executeTakeFirst()
  return { again: kept.numUpdatedRows === 1n }
}

/** Gives a claim back, to be tried again at `dueAt`, or at once where it was asked for meanwhile. */
export async function postponeWork(
  db: Db,
  item: { tenantId: string; topic: string; subjectId: string },
  lease: {
    token: string
    generation: bigint
    now: Date
    dueAt: Date
    attempts: number
    error: string | undefined
  },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({
      lease: null,
      due_at: sql`CASE WHEN generation = ${lease.generation} THEN ${lease.dueAt}::timestamptz
                       ELSE ${lease.now}::timestamptz END`,
      attempts: lease.attempts,
      last_error: lease.error ?? null,
    })
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where('lease', '=', lease.token)
    .execute()
}

/** What of a topic is running, or due by `soon`. */
export async function selectWorkAtHand(db: Db, tenantId: string, topic: string, soon: Date) {
  return await db
    .selectFrom('outbox')
    .select('subject_id')
    .where('tenant_id', '=', tenantId)
    .where('topic', '=', topic)
    .where((where) => where.or([where('lease', 'is not', null), where('due_at', '<=', soon)]))
    .orderBy('subject_id')
    .execute()
}

/** Which of these topics is waiting or running for which of these subjects. */
export async function selectWorkOn(
  db: Db,
  tenantId: string,
  topics: readonly string[],
  subjectIds: readonly string[],
) {
  return await db
    .selectFrom('outbox')
    .select(['topic', 'subject_id'])
    .where('tenant_id', '=', tenantId)
    .where('topic', 'in', [...topics])
    .where('subject_id', '=', sql<string>`ANY (${[...subjectIds]}::text[])`)
    .execute()
}

/** What is due of these topics at `now`, longest overdue first. */
export async function selectDueWork(
  db: Db,
  topics: readonly string[],
  { now, limit }: { now: Date; limit: number },
) {
  return await db
    .selectFrom('outbox')
    .select(['tenant_id', 'topic', 'subject_id'])
    .where('due_at', '<=', now)
    .where('topic', '=', sql<string>`ANY (${[...topics]}::text[])`)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

/** When the work of these topics that has been due for longest became so. */
export async function selectOldestDue(db: Db, topics: readonly string[]) {
  return await db
    .selectFrom('outbox')
    .select('due_at')
    .where('topic', '=', sql<string>`ANY (${[...topics]}::text[])`)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
}
