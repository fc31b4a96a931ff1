import { sql } from 'kysely'
import { currentTrace, type Db, type Tx } from '../../db/database.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { rankOf, type Topic, type WorkTopic } from './topics.ts'

/** `isReady` when due at once, so that a claim needs no further write. */
export type NewWork = { topic: WorkTopic; subjectId: string; dueAt: Date; isReady: boolean }

export function upsertWork(tx: Tx, tenantId: string, given: readonly NewWork[]): void {
  // Whoever writes several rows does so in this order, so that two never wait for each other.
  const works = given.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1))
  const rows = upsertRows({
    tenantId,
    trace: currentTrace(tx),
    topics: works.map(({ topic }) => topic),
    ranks: works.map(({ topic }) => rankOf(topic)),
    subjects: works.map(({ subjectId }) => subjectId),
    dueAt: works.map(({ dueAt }) => dueAt),
    isReady: works.map(({ isReady }) => isReady),
  })
  tx.send(rows)
}

type WorkColumns = {
  tenantId: string
  trace: string | null
  topics: readonly string[]
  ranks: readonly number[]
  subjects: readonly string[]
  dueAt: readonly Date[]
  isReady: readonly boolean[]
}

// A running item keeps its lease; the new generation makes it due again when the run ends. Citus routes rows
// that are made from the tenant's.
const upsertRows = builtOnce(
  (_tx, { tenantId, trace, ...works }: WorkColumns) => sql`
    INSERT INTO work (tenant_id, traceparent, clock, topic, priority, subject_id, due_at, ready)
    SELECT t.tenant_id, ${trace}, 'real', w.* FROM tenants t CROSS JOIN unnest(
      ${works.topics}::text[], ${works.ranks}::int[], ${works.subjects}::text[],
      ${works.dueAt}::timestamptz[], ${works.isReady}::boolean[]) AS w
    WHERE t.tenant_id = ${tenantId}
    ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE SET
      generation = work.generation + 1,
      due_at = least(work.due_at, excluded.due_at),
      ready = work.ready OR (work.lease IS NULL AND excluded.ready),
      traceparent = excluded.traceparent`,
)

export async function makeWorkDue(
  tx: Tx,
  tenantId: string,
  { topics, subjectIds }: { topics: readonly WorkTopic[]; subjectIds: readonly string[] },
  now: Date,
): Promise<{ topic: WorkTopic; subjectId: string }[]> {
  const { rows } = await sql<{ topic: WorkTopic; subjectId: string }>`
    UPDATE work SET generation = generation + 1, due_at = least(due_at, ${now}::timestamptz),
                    ready = ready OR lease IS NULL
    WHERE tenant_id = ${tenantId} AND topic = ANY (${[...topics]}::text[])
      AND subject_id = ANY (${[...subjectIds]}::text[])
    RETURNING topic, subject_id AS "subjectId"`.execute(tx)
  return rows
}

export async function selectRunningOrDue(db: Db, tenantId: string, topic: Topic, soon: Date) {
  return await db
    .selectFrom('work')
    .select('subject_id')
    .where('tenant_id', '=', tenantId)
    .where('topic', '=', topic)
    .where((where) =>
      where.or([
        where('lease', 'is not', null),
        where('ready', '=', true),
        where('due_at', '<=', soon),
      ]),
    )
    .orderBy('subject_id')
    .execute()
}

export async function selectWorkOn(
  db: Db,
  tenantId: string,
  topics: readonly Topic[],
  subjectIds: readonly string[],
) {
  return await db
    .selectFrom('work')
    .select(['topic', 'subject_id'])
    .where('tenant_id', '=', tenantId)
    .where('topic', 'in', [...topics])
    .where('subject_id', '=', sql<string>`ANY (${[...subjectIds]}::text[])`)
    .execute()
}

/** Milliseconds; null when nothing is due. */
export async function selectLongestDue(
  db: Db,
  topics: readonly Topic[],
  ranks: readonly number[],
  now: Date,
): Promise<number | null> {
  // @across tenants: the longest wait of any.
  // @plan reads work: all that is due.
  const { rows } = await sql<{ ms: number | null }>`
    SELECT (extract(epoch FROM max(
      ${now}::timestamptz - CASE WHEN w.ready THEN w.due_at ELSE greatest(w.due_at, w.held_until) END
      + CASE w.clock WHEN 'tenant' THEN t.clock_offset_ms ELSE 0 END * interval '1 millisecond')) * 1000
    )::float8 AS ms
    FROM work w JOIN tenants t ON t.tenant_id = w.tenant_id
    WHERE w.priority = ANY (${[...ranks]}::int[]) AND w.topic = ANY (${[...topics]}::text[])
      AND (w.ready OR greatest(w.due_at, w.held_until) <= ${now}::timestamptz
        OR w.clock = 'tenant' AND t.clock_offset_ms > 0 AND w.held_until IS NULL)`.execute(db)
  return rows[0]?.ms ?? null
}
