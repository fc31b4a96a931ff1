import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Topic } from './topics.ts'

export type ClaimRow = {
  tenant_id: string
  topic: string
  subject_id: string
  due_at: Date
  generation: bigint
  attempts: number
  traceparent: string | null
}

type Lease = { token: string; until: Date }

export type ClassDemand = {
  rank: number
  inOrder: boolean
  after: string
  most: number
  batch: number
  share: number
  holds: readonly { tenantId: string; share: number }[]
}

/** One row a claim, and one without a claim for a class in which nothing was claimed. */
export type ClassRow = { rank: number; next: string } & (ClaimRow | { topic: null })

export async function markDue(
  db: Db,
  topics: readonly Topic[],
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<number> {
  const known = sql`w.topic = ANY (${[...topics]}::text[])`
  const { numAffectedRows } = await sql`
    WITH due AS MATERIALIZED (
      SELECT w.ctid AS place FROM work w
      WHERE NOT w.ready AND greatest(w.due_at, w.held_until) <= ${realNow}::timestamptz AND ${known}
        AND (SELECT pg_try_advisory_xact_lock(hashtextextended('mark_work_due', 0)))
      ORDER BY greatest(w.due_at, w.held_until) LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), ahead AS MATERIALIZED (
      SELECT w.place FROM tenants t CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM work w
        WHERE w.tenant_id = t.tenant_id AND w.clock = 'tenant' AND NOT w.ready
          AND w.due_at <= ${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'
          AND w.due_at > ${realNow}::timestamptz
          AND (w.held_until IS NULL OR w.held_until <= ${realNow}::timestamptz) AND ${known}
        ORDER BY w.due_at, w.topic, w.subject_id LIMIT ${limit} FOR UPDATE SKIP LOCKED) w
      WHERE t.clock_offset_ms > 0
        AND (SELECT pg_try_advisory_xact_lock(hashtextextended('mark_work_due', 0)))
      LIMIT ${limit}
    )
    UPDATE work SET ready = true
    WHERE ctid = ANY (ARRAY (SELECT place FROM due UNION ALL SELECT place FROM ahead))
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** `lane` walks the tenants of each class with ready work, one probe of `work_ready` each; then
 * each lane gives its first rows in index order. Reads only what is due, and sorts nothing. */
export async function claimReady(
  db: Db,
  topics: readonly Topic[],
  classes: readonly ClassDemand[],
  { lease, realNow }: { lease: Lease; realNow: Date },
): Promise<ClassRow[]> {
  const holds = classes.flatMap(({ rank, holds: held }) => held.map((hold) => ({ rank, ...hold })))
  const readyInOrder = sql`
    FROM work w
    WHERE w.ready AND w.priority = t.rank AND w.tenant_id = t.tenant_id
      AND w.topic = ANY (${[...topics]}::text[])
    ORDER BY w.due_at, w.topic, w.subject_id`
  const { rows } = await sql<ClassRow>`
    WITH RECURSIVE class AS (
      SELECT * FROM unnest(
        ${classes.map(({ rank }) => rank)}::int[], ${classes.map(({ inOrder }) => inOrder)}::boolean[],
        ${classes.map(({ after }) => after)}::text[], ${classes.map(({ most }) => most)}::int[],
        ${classes.map(({ batch }) => batch)}::int[], ${classes.map(({ share }) => share)}::int[]
      ) AS c (rank, in_order, after, most, batch, share)
    ), hold AS (
      SELECT * FROM unnest(
        ${holds.map(({ rank }) => rank)}::int[], ${holds.map(({ tenantId }) => tenantId)}::text[],
        ${holds.map(({ share }) => share)}::int[]) AS h (rank, tenant_id, share)
    ), lane AS (
      SELECT c.rank, 1 AS number, (
        SELECT w.tenant_id FROM work w WHERE w.ready AND w.priority = c.rank
          AND w.tenant_id > c.after ORDER BY w.tenant_id LIMIT 1) AS tenant_id, c.most / c.batch AS most
      FROM class c
      UNION ALL
      SELECT l.rank, l.number + 1, (
        SELECT w.tenant_id FROM work w WHERE w.ready AND w.priority = l.rank
          AND w.tenant_id > l.tenant_id ORDER BY w.tenant_id LIMIT 1), l.most
      FROM lane l WHERE l.tenant_id IS NOT NULL AND l.number < l.most
    ), portion AS (
      SELECT l.rank, l.tenant_id, c.in_order,
             least(greatest(l.most / (count(*) OVER (PARTITION BY l.rank))::int, 1) * c.batch,
                   coalesce(h.share, c.share)) AS share
      FROM lane l JOIN class c USING (rank) LEFT JOIN hold h USING (rank, tenant_id)
      WHERE l.tenant_id IS NOT NULL
    ), side_by_side AS MATERIALIZED (
      SELECT w.place FROM portion t CROSS JOIN LATERAL (
        SELECT w.ctid AS place ${readyInOrder} LIMIT t.share FOR UPDATE SKIP LOCKED) w
      WHERE NOT t.in_order
    ), in_order AS MATERIALIZED (
      SELECT w.place FROM portion t CROSS JOIN LATERAL (
        SELECT w.due_at, w.topic, w.subject_id ${readyInOrder} LIMIT 1) head CROSS JOIN LATERAL (
        -- The earliest or none: another worker that has it locked is about to run it.
        SELECT w.ctid AS place FROM work w
        WHERE w.ready AND w.tenant_id = t.tenant_id AND w.topic = head.topic
          AND w.subject_id = head.subject_id FOR UPDATE SKIP LOCKED) w
      -- A deadline whose lease ended goes first, unless it is due later by now or is not run here.
      WHERE t.in_order AND t.share > 0 AND NOT EXISTS (
        SELECT FROM work r WHERE r.tenant_id = t.tenant_id AND r.clock = 'tenant'
          AND r.lease IS NOT NULL AND NOT r.ready AND (r.held_until > ${realNow}::timestamptz
            OR (r.due_at <= head.due_at AND r.topic = ANY (${[...topics]}::text[]))))
    ), claimed AS (
      UPDATE work w SET lease = ${lease.token}, held_until = ${lease.until}, ready = false
      WHERE w.ctid = ANY (ARRAY (
        SELECT place FROM side_by_side UNION ALL SELECT place FROM in_order))
      RETURNING w.tenant_id, w.topic, w.subject_id, w.due_at, w.generation, w.attempts,
                w.traceparent, w.priority::int AS rank
    ), reached AS (
      SELECT rank, CASE WHEN count(tenant_id) = max(most) THEN max(tenant_id) ELSE '' END AS next
      FROM lane GROUP BY rank
    )
    SELECT * FROM reached LEFT JOIN claimed USING (rank)`.execute(db)
  return rows
}

const RETURNED = [
  'tenant_id',
  'topic',
  'subject_id',
  'due_at',
  'generation',
  'attempts',
  'traceparent',
] as const

export async function leaseItem(
  db: Db,
  item: { tenantId: string; topic: string; subjectId: string },
  lease: Lease,
  now: Date,
): Promise<ClaimRow | undefined> {
  return await db
    .updateTable('work')
    .set({ lease: lease.token, held_until: lease.until, ready: false })
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where((where) =>
      where.or([where('ready', '=', true), sql<boolean>`greatest(due_at, held_until) <= ${now}`]),
    )
    .returning(RETURNED)
    .executeTakeFirst()
}

export async function leaseDeadline(
  db: Db,
  item: { tenantId: string; topic: string; subjectId: string; dueAt: Date },
  lease: Lease,
): Promise<ClaimRow | undefined> {
  return await db
    .updateTable('work')
    .set({ lease: lease.token, held_until: lease.until, ready: false })
    .where('tenant_id', '=', item.tenantId)
    .where('topic', '=', item.topic)
    .where('subject_id', '=', item.subjectId)
    .where('due_at', '=', item.dueAt)
    .returning(RETURNED)
    .executeTakeFirst()
}
