import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { findByKeys } from '../../db/sql/by-key.ts'
import { ofUnseenLength } from '../../db/sql/planned-once.ts'
import { inScope, type TenantScope, tenantOf } from '../../db/tenant-scope.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
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

/** The part of a lane that an item is in, as partOf computes it. */
const PART = sql`(ascii(right(w.subject_id, 1)) % 8)`

export type LaneRow = { tenant_id: string; topic: string; part: number }

/** Passes over what others have locked. */
export async function markDue(
  db: Db,
  topics: readonly Topic[],
  { tenantId, realNow, limit }: { tenantId: TenantScope; realNow: Date; limit: number },
): Promise<{ marked: number; lanes: LaneRow[] }> {
  // @one server: what is due, whichever tenants have it.
  // @plan reads work: for one tenant, what is due of others on its node.
  const known = sql`w.topic = ANY (${[...topics]}::text[])`
  const { rows: lanes } = await sql<LaneRow & { items: number }>`
    WITH due AS MATERIALIZED (
      SELECT w.ctid AS place FROM work w
      WHERE NOT w.ready AND greatest(w.due_at, w.held_until) <= ${realNow}::timestamptz AND ${known}
        AND ${inScope(tenantId, 'w.tenant_id')}
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
      LIMIT ${limit}
    ), marked AS (
      UPDATE work w SET ready = true
      WHERE ${inScope(tenantId, 'w.tenant_id')}
        AND w.ctid = ANY (ARRAY (SELECT place FROM due UNION ALL SELECT place FROM ahead))
      RETURNING w.tenant_id, w.topic, ${PART} AS part
    )
    SELECT tenant_id, topic, part, count(*)::int AS items FROM marked GROUP BY 1, 2, 3`.execute(db)
  return { marked: lanes.reduce((sum, { items }) => sum + items, 0), lanes }
}

export type WaitingLane = LaneRow & { rank: number; waited_ms: number }

/** By the tenant's own clock, where the work is on it. */
const WAITED_MS = sql`(extract(epoch FROM w.waited
    + CASE w.clock WHEN 'tenant' THEN t.clock_offset_ms ELSE 0 END * interval '1 millisecond') * 1000)`

/** Of each class at most so many lanes with ready work, the first after the given ones: one probe of
 * `work_lanes` each. */
export function selectWaitingLanes(
  tx: Tx,
  classes: readonly (LaneRow & { rank: number })[],
  { most, now }: { most: number; now: Date },
): Sent<WaitingLane> {
  // @one server: walks an index; selectAllWaitingLanes is for a distributed database.
  findByKeys(tx)
  return tx.send(sql<WaitingLane>`
    WITH RECURSIVE lane AS (
      SELECT c.rank, 0 AS number, c.tenant_id, c.topic, c.part, NULL AS clock, NULL::interval AS waited
      FROM unnest(
        ${ofUnseenLength(
          classes.map(({ rank }) => rank),
          'int',
        )}, ${classes.map((one) => one.tenant_id)}::text[],
        ${classes.map(({ topic }) => topic)}::text[],
        ${classes.map(({ part }) => part)}::int[]) AS c (rank, tenant_id, topic, part)
      UNION ALL
      SELECT l.rank, l.number + 1, n.tenant_id, n.topic, n.part, n.clock, ${now}::timestamptz - n.due_at
      FROM lane l CROSS JOIN LATERAL (
        SELECT w.tenant_id, w.topic, ${PART} AS part, w.clock, w.due_at FROM work w
        WHERE w.ready AND w.priority = l.rank AND (w.tenant_id, w.topic, ${PART}) > (l.tenant_id, l.topic, l.part)
        ORDER BY w.tenant_id, w.topic, ${PART}, w.due_at LIMIT 1) n
      WHERE l.number < ${most}::int
    )
    SELECT w.rank, w.tenant_id, w.topic, w.part, ${WAITED_MS}::float8 AS waited_ms
    FROM lane w JOIN tenants t USING (tenant_id) WHERE w.number > 0
    ORDER BY w.rank, w.number`)
}

/** The same for all lanes, by reading all that is ready. */
export async function selectAllWaitingLanes(
  db: Db,
  ranks: readonly number[],
  { tenantId, now }: { tenantId: TenantScope; now: Date },
): Promise<WaitingLane[]> {
  // @across tenants: finds whose work waits; locks nothing.
  // @plan reads tenants, work: all that is ready.
  const { rows } = await sql<WaitingLane>`
    SELECT w.rank, w.tenant_id, w.topic, w.part, ${WAITED_MS}::float8 AS waited_ms
    FROM (
      SELECT w.priority::int AS rank, w.tenant_id, w.topic, ${PART} AS part, w.clock,
             ${now}::timestamptz - min(w.due_at) AS waited
      FROM work w
      WHERE w.ready AND w.priority = ANY (${[...ranks]}::int[]) AND ${inScope(tenantId, 'w.tenant_id')}
      GROUP BY 1, 2, 3, 4, 5) w
    JOIN tenants t ON t.tenant_id = w.tenant_id WHERE ${inScope(tenantId, 't.tenant_id')}`.execute(
    db,
  )
  return rows
}

const CLAIMED = sql`w.tenant_id, w.topic, w.subject_id, w.due_at, w.generation, w.attempts, w.traceparent`

type LaneClaim = {
  tenantId: string
  topic: Topic
  part: number
  rank: number
  most: number
  lease: string
  until: Date
}

const ofLane = builtOnce(
  (_tx, { tenantId, topic, part, rank, most, lease, until }: LaneClaim) => sql<ClaimRow>`
    WITH first AS MATERIALIZED (
      SELECT w.ctid AS place FROM work w
      WHERE w.ready AND w.priority = ${rank}::int AND w.tenant_id = ${tenantId} AND w.topic = ${topic}
        AND ${PART} = ${part}::int
      ORDER BY w.due_at, w.subject_id LIMIT ${most} FOR UPDATE SKIP LOCKED
    )
    UPDATE work w SET lease = ${lease}, held_until = ${until}, ready = false
    WHERE w.tenant_id = ${tenantId} AND w.ctid = ANY (ARRAY (SELECT place FROM first))
    RETURNING ${CLAIMED}`,
)

/** The first rows of a lane in index order. Reads only what is due, and sorts nothing. */
export function claimOfLane(tx: Tx, claim: LaneClaim): Sent<ClaimRow> {
  findByKeys(tx)
  leaseWithoutDisk(tx)
  return tx.send(ofLane(claim))
}

type DeadlineClaim = {
  tenantId: string
  topics: readonly Topic[]
  realNow: Date
  lease: string
  until: Date
}

const earliest = builtOnce(
  (_tx, { tenantId, topics, realNow, lease, until }: DeadlineClaim) => sql<ClaimRow>`
    WITH head AS MATERIALIZED (
      SELECT w.due_at, w.topic, w.subject_id FROM work w
      WHERE w.tenant_id = ${tenantId} AND w.clock = 'tenant' AND w.ready
        AND w.topic = ANY (${topics}::text[])
      ORDER BY w.due_at, w.topic, w.subject_id LIMIT 1
    ), earliest AS MATERIALIZED (
      -- The earliest or none: another worker that has it locked is about to run it.
      SELECT w.place FROM head CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM work w
        WHERE w.ready AND w.tenant_id = ${tenantId} AND w.topic = head.topic
          AND w.subject_id = head.subject_id FOR UPDATE SKIP LOCKED) w
      WHERE NOT EXISTS (
        SELECT FROM work r WHERE r.tenant_id = ${tenantId} AND r.clock = 'tenant'
          AND r.lease IS NOT NULL AND NOT r.ready AND r.held_until > ${realNow}::timestamptz)
      -- One before it that was not marked goes first: a marking has passed over it, or its lease has ended.
      AND NOT EXISTS (
        SELECT FROM work r WHERE r.tenant_id = ${tenantId} AND r.clock = 'tenant'
          AND (r.due_at, r.topic, r.subject_id) < (head.due_at, head.topic, head.subject_id)
          AND NOT r.ready AND r.topic = ANY (${topics}::text[])
          AND (r.held_until IS NULL OR r.held_until <= ${realNow}::timestamptz))
    )
    UPDATE work w SET lease = ${lease}, held_until = ${until}, ready = false
    WHERE w.tenant_id = ${tenantId} AND w.ctid = ANY (ARRAY (SELECT place FROM earliest))
    RETURNING ${CLAIMED}`,
)

/** The tenant's earliest deadline, or none while another one runs or an earlier one waits to be marked. */
export function claimEarliest(tx: Tx, claim: DeadlineClaim): Sent<ClaimRow> {
  findByKeys(tx)
  leaseWithoutDisk(tx)
  return tx.send(earliest(claim))
}

/** An item that is due by the real clock too is ready at once, the rest once it is marked. */
export const freeItems = builtOnce(
  (
    _tx,
    of: { tenantId: string; topic: Topic; subjectIds: readonly string[]; lease: string; now: Date },
  ) => sql<never>`
    UPDATE work SET lease = NULL, held_until = NULL, ready = due_at <= ${of.now}
    WHERE tenant_id = ${of.tenantId} AND topic = ${of.topic}
      AND subject_id = ANY (${of.subjectIds}::text[]) AND lease = ${of.lease}::uuid`,
)

/** COMMIT does not wait for the disk: after a crash of the database what was claimed runs again. */
const setLeaseOnly = builtOnce(
  (_tx, { off }: { off: string }) => sql`SELECT set_config('synchronous_commit', ${off}, true)`,
)
const leaseWithoutDisk = (tx: Tx) => tx.send(setLeaseOnly({ off: 'off' }))

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
