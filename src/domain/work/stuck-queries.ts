import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { exactTime } from '../../db/sql/as-text.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'
import type { WorkItem } from './work.ts'

type Filter = {
  tenantId?: string | undefined
  topic?: string | undefined
  subjectId?: string | undefined
}

/** A literal bound, so that the partial index `work_stuck` serves it. */
function matching({ tenantId, topic, subjectId }: Filter, atLeast: number) {
  return sql`attempts >= ${sql.lit(atLeast)}
    AND ${inScope(tenantId)}
    AND (${topic ?? null}::text IS NULL OR topic = ${topic ?? null})
    AND (${subjectId ?? null}::text IS NULL OR subject_id = ${subjectId ?? null})`
}

const FAILING_SINCE = sql<Date>`coalesce(failing_since, due_at)`

/** Longest failing first. */
export async function selectStuck(
  db: Db,
  filter: Filter,
  atLeast: number,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
) {
  // @plan reads work: the partial index has what is stuck alone, which is sorted.
  return await db
    .selectFrom('work')
    .select([
      'tenant_id',
      'topic',
      'subject_id',
      'attempts',
      'failing_since',
      'due_at',
      'last_error',
    ])
    .select(exactTime(FAILING_SINCE).as('position'))
    .where(sql<boolean>`${matching(filter, atLeast)}`)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${FAILING_SINCE}, tenant_id, topic, subject_id)
        > (${after?.[0]}::timestamptz, ${after?.[1]}, ${after?.[2]}, ${after?.[3]})`),
    )
    .orderBy(FAILING_SINCE)
    .orderBy('tenant_id')
    .orderBy('topic')
    .orderBy('subject_id')
    .limit(limit)
    .execute()
}

export async function countStuckByTopic(db: Db, atLeast: number) {
  // @across tenants: a measure of all.
  return await db
    .selectFrom('work')
    .select(['topic', sql<bigint>`count(*)`.as('count')])
    .where(sql<boolean>`attempts >= ${sql.lit(atLeast)}`)
    .groupBy('topic')
    .execute()
}

const dueFrom = (now: Date) => sql`
  held_until = NULL, ready = ready OR clock = 'real',
  due_at = CASE WHEN clock = 'real' THEN least(due_at, ${now}::timestamptz) ELSE due_at END`

/** Not what is running. A deadline keeps its instant. Returns how many.
 * @one server: of all tenants. */
export async function makeFailedDue(
  tx: Tx,
  filter: Filter,
  { atLeast, now }: { atLeast: number; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE work SET ${dueFrom(now)}
    WHERE lease IS NULL AND ${matching(filter, atLeast)}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** What has failed at a provider since an outage began. Passes over what is locked: it runs, or is due. */
export async function makeOutageDue(
  tx: Tx,
  tenantId: TenantScope,
  { provider, since, now }: { provider: string; since: Date; now: Date },
): Promise<WorkItem[]> {
  // @one server: of all tenants.
  // @plan reads work: the partial index has what fails alone.
  const { rows } = await sql<WorkItem>`
    WITH failed AS MATERIALIZED (
      SELECT w.ctid AS place FROM work w
      WHERE w.last_error IS NOT NULL AND starts_with(w.last_error, ${`VendorFailure ${provider} `})
        AND w.failing_since >= ${since}::timestamptz AND w.lease IS NULL
        AND ${inScope(tenantId, 'w.tenant_id')}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE work SET ${dueFrom(now)}
    WHERE ${inScope(tenantId)} AND ctid = ANY (ARRAY (SELECT place FROM failed))
    RETURNING tenant_id AS "tenantId", topic, subject_id AS "subjectId"`.execute(tx)
  return rows
}
