import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

type Key = { tenantId: string; topic: string; subjectId: string }

export type NewDeadline = { subjectId: string; dueAt: Date }

/** Sets deadlines of one topic, each subject once in the list; writes those that change. */
export async function upsertDeadlines(
  tx: Tx,
  tenantId: string,
  topic: string,
  deadlines: readonly NewDeadline[],
): Promise<void> {
  await sql`
    INSERT INTO deadlines (tenant_id, topic, subject_id, due_at)
    SELECT ${tenantId}, ${topic}, * FROM unnest(
      ${deadlines.map((deadline) => deadline.subjectId)}::text[],
      ${deadlines.map((deadline) => deadline.dueAt)}::timestamptz[])
    ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE SET due_at = excluded.due_at
    WHERE deadlines.due_at <> excluded.due_at
  `.execute(tx)
}

/** Deletes the deadlines of these subjects. */
export async function deleteDeadlines(
  tx: Tx,
  tenantId: string,
  topic: string,
  subjectIds: readonly string[],
): Promise<void> {
  await sql`
    DELETE FROM deadlines WHERE tenant_id = ${tenantId} AND topic = ${topic}
      AND subject_id = ANY (${[...subjectIds]}::text[])
  `.execute(tx)
}

/** Sets a deadline unless it stands already; returns when it then is. */
export async function keepDeadline(db: Db, key: Key, dueAt: Date): Promise<Date> {
  const row = await db
    .insertInto('deadlines')
    .values({
      tenant_id: key.tenantId,
      topic: key.topic,
      subject_id: key.subjectId,
      due_at: dueAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'topic', 'subject_id'])
        .doUpdateSet((set) => ({ due_at: set.ref('deadlines.due_at') })),
    )
    .returning('due_at')
    .executeTakeFirstOrThrow()
  return row.due_at
}

/** Deletes a deadline, or only the one that stands at `dueAt` where that is given. */
export async function deleteDeadline(db: Db, key: Key, dueAt?: Date): Promise<void> {
  await db
    .deleteFrom('deadlines')
    .where('tenant_id', '=', key.tenantId)
    .where('topic', '=', key.topic)
    .where('subject_id', '=', key.subjectId)
    .$if(dueAt !== undefined, (query) => query.where('due_at', '=', dueAt as Date))
    .execute()
}

/** A tenant's earliest deadline until and with `until`, among these topics. */
export async function selectNextDeadline(
  db: Db,
  tenantId: string,
  topics: readonly string[],
  until: Date,
) {
  return await db
    .selectFrom('deadlines')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('topic', 'in', topics)
    .where('due_at', '<=', until)
    .orderBy('due_at')
    .orderBy('topic')
    .orderBy('subject_id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Deadlines that have come by their tenants' own clocks, after `after` in the order of tenant,
 * instant, topic and subject.
 */
export async function selectDueDeadlines(
  db: Db,
  topics: readonly string[],
  {
    realNow,
    limit,
    after,
  }: { realNow: Date; limit: number; after: (Key & { dueAt: Date }) | undefined },
) {
  const order = sql`(d.tenant_id, d.due_at, d.topic, d.subject_id)`
  return await db
    .selectFrom('tenants as t')
    .innerJoin('deadlines as d', 'd.tenant_id', 't.tenant_id')
    .selectAll('d')
    .where(
      'd.due_at',
      '<=',
      sql<Date>`${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'`,
    )
    .where('d.topic', 'in', topics)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`${order} > (${after?.tenantId}, ${after?.dueAt}::timestamptz, ${after?.topic}, ${after?.subjectId})`,
      ),
    )
    .orderBy('d.tenant_id')
    .orderBy('d.due_at')
    .orderBy('d.topic')
    .orderBy('d.subject_id')
    .limit(limit)
    .execute()
}

/**
 * By how many milliseconds the deadline of these topics that is overdue longest is so, each by its
 * tenant's own clock; null where there is none. One probe of the index a tenant.
 */
export async function selectLongestOverdue(
  db: Db,
  topics: readonly string[],
  realNow: Date,
): Promise<number | null> {
  const { rows } = await sql<{ overdue_ms: number | null }>`
    SELECT (extract(epoch FROM max(${realNow}::timestamptz
      + t.clock_offset_ms * interval '1 millisecond' - next.due_at)) * 1000)::float8 AS overdue_ms
    FROM tenants t CROSS JOIN LATERAL (
      SELECT due_at FROM deadlines d
      WHERE d.tenant_id = t.tenant_id AND d.topic = ANY (${[...topics]}::text[])
      ORDER BY due_at LIMIT 1
    ) next
  `.execute(db)
  return rows[0]?.overdue_ms ?? null
}
