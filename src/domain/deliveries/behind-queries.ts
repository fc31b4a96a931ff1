import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { inScope, scopeOf, type TenantScope } from '../../db/tenant-scope.ts'
import { execute, unprepared } from '../../db/transactions/execute.ts'

/** The first delivery that waits for its first attempt on lane `l`. */
const FIRST = sql`LATERAL (
  SELECT d.recorded_at FROM deliveries d
  WHERE d.tenant_id = l.tenant_id AND d.webhook_id = l.webhook_id AND d.listed_as IS NULL
    AND d.sequence > l.seen AND d.state = 'pending'
  ORDER BY d.sequence LIMIT 1)`

export type LaneBehind = {
  tenant_id: string
  webhook_id: string
  /** Since when something is due, or its holder is late. Null: there are events that it does not want. */
  due_at: Date | null
  last_sequence: bigint
}

/** Lanes that no one holds with a retry that is due or events that they have not seen, and those whose holder is
 * late. */
export async function selectLanesBehind(
  db: Db,
  now: Date,
  tenantId?: TenantScope,
): Promise<LaneBehind[]> {
  // @across tenants: finds which lanes to run; locks nothing.
  // @plan reads lanes, tenant_counters, deliveries: a row each a webhook, and of one that is behind its first delivery.
  const { rows } = await sql<LaneBehind>`
    SELECT l.tenant_id, l.webhook_id, c.last_sequence, least(l.leased_until, first.recorded_at,
      CASE WHEN l.retry_at <= ${now} THEN l.retry_at END) AS due_at
    FROM lanes l JOIN tenant_counters c ON c.tenant_id = l.tenant_id LEFT JOIN ${FIRST} first ON true
    WHERE ${inScope(tenantId, 'l.tenant_id')} AND (l.leased_until IS NULL OR l.leased_until <= ${now})
      AND (l.lease IS NOT NULL OR l.retry_at <= ${now} OR l.seen < c.last_sequence)`.execute(db)
  return rows
}

/** Lanes that want none of the events up to `last_sequence`. One that is locked is left as it is. */
export async function moveSeen(
  db: Db,
  lanes: readonly { tenantId: string; webhookId: string; seen: bigint }[],
): Promise<void> {
  // @one server: lanes of several tenants, after a search for them.
  const tenantId = scopeOf(lanes)
  await execute(
    db,
    unprepared(sql`
    UPDATE lanes SET seen = given.seen
    FROM (
      SELECT l.tenant_id, l.webhook_id, wanted.seen
      FROM unnest(${lanes.map((lane) => lane.tenantId)}::text[],
                  ${lanes.map((lane) => lane.webhookId)}::text[],
                  ${lanes.map((lane) => lane.seen)}::bigint[]) AS wanted (tenant_id, webhook_id, seen)
      JOIN lanes l ON l.tenant_id = wanted.tenant_id AND l.webhook_id = wanted.webhook_id
      WHERE ${inScope(tenantId, 'l.tenant_id')} AND l.lease IS NULL AND l.seen < wanted.seen
      FOR NO KEY UPDATE OF l SKIP LOCKED
    ) given
    WHERE lanes.tenant_id = given.tenant_id AND lanes.webhook_id = given.webhook_id
      AND ${inScope(tenantId, 'lanes.tenant_id')}`),
  )
}

/** When the delivery fell due that waits longest; undefined without one. What is in flight does not wait. */
export async function selectOldestDue(db: Db, now: Date): Promise<Date | undefined> {
  // @across tenants: a measure of all.
  // @plan reads lanes, tenant_counters, deliveries: a row each a webhook, and of one that is behind two deliveries.
  const rows = await execute(
    db,
    unprepared(sql<{ due_at: Date | null }>`
    SELECT min(least(retried.due_at, first.recorded_at)) AS due_at
    FROM lanes l JOIN tenant_counters c ON c.tenant_id = l.tenant_id
    LEFT JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = l.tenant_id AND d.webhook_id = l.webhook_id AND d.due_at <= ${now}
        AND d.sequence <> ALL (l.in_flight)
      ORDER BY d.due_at LIMIT 1
    ) retried ON true
    LEFT JOIN ${FIRST} first ON true
    WHERE l.lease IS NOT NULL OR l.retry_at <= ${now} OR l.seen < c.last_sequence`),
  )
  return rows[0]?.due_at ?? undefined
}

/** Deliveries that wait, and their webhooks, counted to `most`. */
export async function countDue(
  db: Db,
  now: Date,
  most: number,
): Promise<{ deliveries: number; webhooks: number }> {
  // @across tenants: how much waits in all.
  // @plan reads lanes, tenant_counters, deliveries: as many as are counted, which is bounded.
  const { rows } = await sql<{ deliveries: number; webhooks: number }>`
    SELECT count(*)::int AS deliveries, count(DISTINCT webhook_id)::int AS webhooks FROM (
      SELECT l.webhook_id FROM lanes l JOIN tenant_counters c ON c.tenant_id = l.tenant_id
      CROSS JOIN LATERAL (
        (SELECT FROM deliveries d
         WHERE d.tenant_id = l.tenant_id AND d.webhook_id = l.webhook_id AND d.due_at <= ${now}
         LIMIT ${most})
        UNION ALL
        (SELECT FROM deliveries d
         WHERE d.tenant_id = l.tenant_id AND d.webhook_id = l.webhook_id AND d.listed_as IS NULL
           AND d.sequence > l.seen AND d.state = 'pending'
         LIMIT ${most})
      ) d
      WHERE l.lease IS NOT NULL OR l.retry_at <= ${now} OR l.seen < c.last_sequence
      LIMIT ${most}) AS due`.execute(db)
  return rows[0] ?? { deliveries: 0, webhooks: 0 }
}
