import { sql } from 'kysely'
import { findByKeys } from '../../db/by-key.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ofUnseenLength } from '../../db/planned-once.ts'
import { inScope, scopeOf, type TenantScope, tenantOf } from '../../db/tenant-scope.ts'
import type { Sent } from '../../db/transactions/transaction.ts'
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

/** Of one tenant and class: as much may be claimed. */
export type Portion = { tenantId: string; rank: number; inOrder: boolean; share: number }

/** A tenant with ready work of a class. */
export type ReadyLane = { rank: number; tenantId: string }

/** Tenants with due work that is not ready, by their own clock where that is ahead. */
export async function selectTenantsWithDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<string[]> {
  // @across tenants: finds whom to mark; locks nothing.
  // @plan reads work, tenants: what is due and not yet ready, in the second in which it becomes due.
  const known = sql`w.topic = ANY (${[...topics]}::text[])`
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT w.tenant_id FROM work w
    WHERE NOT w.ready AND greatest(w.due_at, w.held_until) <= ${realNow}::timestamptz AND ${known}
    UNION
    SELECT w.tenant_id FROM tenants t JOIN work w ON w.tenant_id = t.tenant_id
    WHERE t.clock_offset_ms > 0 AND w.clock = 'tenant' AND NOT w.ready
      AND w.due_at <= ${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'
      AND (w.held_until IS NULL OR w.held_until <= ${realNow}::timestamptz) AND ${known}
  `.execute(db)
  return rows.map((row) => row.tenant_id)
}

const MARKING_LOCK = sql`pg_try_advisory_xact_lock(hashtextextended('mark_work_due', 0))`

/** Before markDue of one tenant, which takes no lock itself: a shard's statement takes none. */
export async function tryLockMarking(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`SELECT ${MARKING_LOCK} AS locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export async function markDue(
  db: Db,
  topics: readonly Topic[],
  { tenantId, realNow, limit }: { tenantId: TenantScope; realNow: Date; limit: number },
): Promise<number> {
  // @one server: what is due, whichever tenants have it.
  // @plan reads work: for one tenant, what is due of others on its node.
  const isAlone = tenantId === undefined ? sql`(SELECT ${MARKING_LOCK})` : sql`true`
  const known = sql`w.topic = ANY (${[...topics]}::text[])`
  const { numAffectedRows } = await sql`
    WITH due AS MATERIALIZED (
      SELECT w.ctid AS place FROM work w
      WHERE NOT w.ready AND greatest(w.due_at, w.held_until) <= ${realNow}::timestamptz AND ${known}
        AND ${inScope(tenantId, 'w.tenant_id')}
        AND ${isAlone}
      ORDER BY greatest(w.due_at, w.held_until) LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), ahead AS MATERIALIZED (
      SELECT w.place FROM tenants t CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM work w
        WHERE w.tenant_id = ${tenantOf(tenantId, 't.tenant_id')} AND w.clock = 'tenant' AND NOT w.ready
          AND w.due_at <= ${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'
          AND w.due_at > ${realNow}::timestamptz
          AND (w.held_until IS NULL OR w.held_until <= ${realNow}::timestamptz) AND ${known}
        ORDER BY w.due_at, w.topic, w.subject_id LIMIT ${limit} FOR UPDATE SKIP LOCKED) w
      WHERE t.clock_offset_ms > 0 AND ${inScope(tenantId, 't.tenant_id')}
        AND ${isAlone}
      LIMIT ${limit}
    )
    UPDATE work SET ready = true
    WHERE ${inScope(tenantId)}
      AND ctid = ANY (ARRAY (SELECT place FROM due UNION ALL SELECT place FROM ahead))
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Of each class the first tenants after one, at most so many: one probe of `work_ready` each. */
export function selectReadyLanes(
  tx: Tx,
  classes: readonly { rank: number; after: string; most: number }[],
): Sent<ReadyLane> {
  // @one server: walks an index; selectAllReadyLanes is for a distributed database.
  findByKeys(tx)
  return tx.send(sql<ReadyLane>`
    WITH RECURSIVE class AS (
      SELECT * FROM unnest(
        ${ofUnseenLength(
          classes.map(({ rank }) => rank),
          'int',
        )}, ${classes.map(({ after }) => after)}::text[],
        ${classes.map(({ most }) => most)}::int[]) AS c (rank, after, most)
    ), lane AS (
      SELECT c.rank, 1 AS number, (
        SELECT w.tenant_id FROM work w WHERE w.ready AND w.priority = c.rank
          AND w.tenant_id > c.after ORDER BY w.tenant_id LIMIT 1) AS tenant_id, c.most
      FROM class c
      UNION ALL
      SELECT l.rank, l.number + 1, (
        SELECT w.tenant_id FROM work w WHERE w.ready AND w.priority = l.rank
          AND w.tenant_id > l.tenant_id ORDER BY w.tenant_id LIMIT 1), l.most
      FROM lane l WHERE l.tenant_id IS NOT NULL AND l.number < l.most
    )
    SELECT rank, tenant_id AS "tenantId" FROM lane WHERE tenant_id IS NOT NULL
    ORDER BY rank, number`)
}

/** By class and tenant. */
export async function selectAllReadyLanes(db: Db, ranks: readonly number[]): Promise<ReadyLane[]> {
  // @across tenants: finds whose work to claim; locks nothing.
  // @plan reads tenants, work: a probe for each tenant and class.
  const { rows } = await sql<ReadyLane>`
    SELECT priority::int AS rank, tenant_id AS "tenantId" FROM work
    WHERE ready AND priority = ANY (${[...ranks]}::int[])
    GROUP BY priority, tenant_id ORDER BY 1, 2`.execute(db)
  return rows
}

/** The first rows of each portion in index order. Reads only what is due, and sorts nothing. */
export function claimReady(
  tx: Tx,
  topics: readonly Topic[],
  portions: readonly Portion[],
  { lease, realNow }: { lease: Lease; realNow: Date },
): Sent<ClaimRow> {
  // @one server: of several tenants in turn.
  const scope = scopeOf(portions)
  const readyInOrder = sql`
    FROM work w
    WHERE w.ready AND w.priority = t.rank AND w.tenant_id = ${tenantOf(scope, 't.tenant_id')}
      AND w.topic = ANY (${[...topics]}::text[])
    ORDER BY w.due_at, w.topic, w.subject_id`
  findByKeys(tx)
  return tx.send(sql<ClaimRow>`
    WITH portion AS (
      SELECT * FROM unnest(
        ${portions.map(({ rank }) => rank)}::int[], ${portions.map((one) => one.tenantId)}::text[],
        ${portions.map(({ inOrder }) => inOrder)}::boolean[],
        ${portions.map(({ share }) => share)}::int[]) AS p (rank, tenant_id, in_order, share)
    ), side_by_side AS MATERIALIZED (
      SELECT w.place FROM portion t CROSS JOIN LATERAL (
        SELECT w.ctid AS place ${readyInOrder} LIMIT t.share FOR UPDATE SKIP LOCKED) w
      WHERE NOT t.in_order
    ), in_order AS MATERIALIZED (
      SELECT w.place FROM portion t CROSS JOIN LATERAL (
        SELECT w.due_at, w.topic, w.subject_id ${readyInOrder} LIMIT 1) head CROSS JOIN LATERAL (
        -- The earliest or none: another worker that has it locked is about to run it.
        SELECT w.ctid AS place FROM work w
        WHERE w.ready AND w.tenant_id = ${tenantOf(scope, 't.tenant_id')} AND w.topic = head.topic
          AND w.subject_id = head.subject_id FOR UPDATE SKIP LOCKED) w
      -- A deadline whose lease ended goes first, unless it is due later by now or is not run here.
      WHERE t.in_order AND t.share > 0 AND NOT EXISTS (
        SELECT FROM work r WHERE r.tenant_id = ${tenantOf(scope, 't.tenant_id')} AND r.clock = 'tenant'
          AND r.lease IS NOT NULL AND NOT r.ready AND (r.held_until > ${realNow}::timestamptz
            OR (r.due_at <= head.due_at AND r.topic = ANY (${[...topics]}::text[]))))
    )
    UPDATE work w SET lease = ${lease.token}, held_until = ${lease.until}, ready = false
    WHERE ${inScope(scope, 'w.tenant_id')} AND w.ctid = ANY (ARRAY (
      SELECT place FROM side_by_side UNION ALL SELECT place FROM in_order))
    RETURNING w.tenant_id, w.topic, w.subject_id, w.due_at, w.generation, w.attempts, w.traceparent
  `)
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
