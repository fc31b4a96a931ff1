import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

type Names = { tenantId: string; webhookId: string }

const turnOff = (off: string) => sql`
  set_config('enable_seqscan', ${off}, true), set_config('enable_bitmapscan', ${off}, true),
  set_config('enable_hashjoin', ${off}, true), set_config('enable_mergejoin', ${off}, true),
  set_config('enable_sort', ${off}, true)`

/** Until the transaction ends rows are found by key and in the order of an index, whatever the planner's statistics
 * are: joins and sorts that would read all deliveries are turned off. */
export const findInOrder = builtOnce((_tx, { off }: { off: string }) => sql`SELECT ${turnOff(off)}`)

/** Plans as `findInOrder` does, and COMMIT does not wait for the disk: a crash of the database after it
 * repeats an attempt. */
export const deliverLightly = builtOnce(
  (_tx, { off }: { off: string }) => sql`
    SELECT set_config('synchronous_commit', ${off}, true), ${turnOff(off)}`,
)

/** Notices, and a webhook that was disabled, must be there after a crash. */
export const COMMIT_DURABLY = sql`SET LOCAL synchronous_commit TO DEFAULT`

type LaneRow = {
  failures: number
  in_flight: readonly string[]
  lease: string | null
  leased_until: Date | null
}

const lockBy = (whereLocked: RawBuilder<unknown>) =>
  builtOnce(
    (_tx, { tenantId, webhookId }: Names) => sql<LaneRow>`
      SELECT failures, in_flight, lease, leased_until FROM lanes
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} FOR NO KEY UPDATE ${whereLocked}`,
  )

export const lockRow = lockBy(sql``)

/** Returns no row of a lane that another transaction has locked. */
export const lockFreeRow = lockBy(sql`SKIP LOCKED`)

type WebhookRow = {
  state: 'active' | 'disabled' | 'deleted'
  url: string
  sealed: string | null
  has_lane: boolean
}

export const readWebhook = builtOnce(
  (_tx, { tenantId, webhookId }: Names) => sql<WebhookRow>`
    SELECT w.state, w.url, s.sealed, EXISTS (
      SELECT FROM lanes l WHERE l.tenant_id = ${tenantId} AND l.webhook_id = ${webhookId}) AS has_lane
    FROM webhooks w
    LEFT JOIN signing_secrets s ON s.tenant_id = ${tenantId}
    WHERE w.tenant_id = ${tenantId} AND w.webhook_id = ${webhookId}`,
)

/** A lane for each webhook of the tenant that has none. */
export const insertMissing = builtOnce(
  (_tx, { tenantId }: { tenantId: string }) => sql<never>`
    INSERT INTO lanes (tenant_id, webhook_id, seen)
    SELECT tenant_id, webhook_id, registered_sequence FROM webhooks
    WHERE tenant_id = ${tenantId} AND state <> 'deleted'
    ON CONFLICT DO NOTHING`,
)

/** Locks those of active webhooks, and returns these. In order, so that two that lock several do not deadlock. */
export async function lockLanes(tx: Tx, tenantId: string): Promise<string[]> {
  tx.send(insertMissing({ tenantId }))
  const { rows } = await sql<{ webhook_id: string }>`
    SELECT l.webhook_id FROM lanes l
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = l.webhook_id
    WHERE l.tenant_id = ${tenantId} AND w.state = 'active'
    ORDER BY l.webhook_id FOR NO KEY UPDATE OF l`.execute(tx)
  return rows.map((row) => row.webhook_id)
}

/** Frees those of these lanes that are held with nothing in flight: they wait for an encryption key. The caller
 * has locked them all. */
export async function freeWaiting(
  tx: Tx,
  tenantId: string,
  { webhookIds, now }: { webhookIds: readonly string[]; now: Date },
): Promise<string[]> {
  // @plan reads lanes: those of one tenant.
  const { rows } = await sql<{ webhook_id: string }>`
    UPDATE lanes SET lease = NULL, leased_until = NULL, retry_at = ${now}
    WHERE tenant_id = ${tenantId} AND webhook_id = ANY (${[...webhookIds]}::text[])
      AND lease IS NOT NULL AND in_flight = '{}'
    RETURNING webhook_id`.execute(tx)
  return rows.map((row) => row.webhook_id)
}

/** The caller has locked the lane. */
export const lowerRetry = builtOnce(
  (_tx, of: Names & { at: Date }) => sql<never>`
    UPDATE lanes SET retry_at = least(retry_at, ${of.at}::timestamptz)
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}`,
)

/** The caller has locked the lane. An attempt whose lease is over is then no longer recorded. */
export const dropFromFlight = builtOnce(
  (_tx, of: Names & { sequence: bigint }) => sql<never>`
    UPDATE lanes SET in_flight = array_remove(in_flight, ${of.sequence}::bigint)
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}`,
)

/** The caller has locked the lane. */
export const setFailures = builtOnce(
  (_tx, of: Names & { failures: number }) => sql<never>`
    UPDATE lanes SET failures = ${of.failures}
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}`,
)

/** The caller has locked the lane. */
export const cancelSome = builtOnce(
  (_tx, of: Names & { most: number; last: bigint }) => sql<{ cancelled: bigint }>`
    WITH retried AS MATERIALIZED (
      SELECT event_id, recorded_at, NULL::bigint AS first FROM deliveries
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND due_at IS NOT NULL
      ORDER BY due_at LIMIT ${of.most}
    ), attempted AS MATERIALIZED (
      SELECT event_id, recorded_at, NULL::bigint AS first FROM deliveries
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND listed_as IS NULL
        AND sequence = ANY ((SELECT in_flight FROM lanes
          WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId})::bigint[])
        AND due_at IS NULL AND state = 'pending'
      ORDER BY sequence LIMIT ${of.most}
    ), first AS MATERIALIZED (
      SELECT event_id, recorded_at, sequence AS first FROM deliveries
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND listed_as IS NULL
        AND sequence > (SELECT seen FROM lanes
                        WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId})
        AND due_at IS NULL AND state = 'pending'
      ORDER BY sequence LIMIT ${of.most}
    ), chosen AS MATERIALIZED (
      SELECT * FROM retried UNION ALL SELECT * FROM attempted UNION ALL SELECT * FROM first
      LIMIT ${of.most}
    ), cancelled AS (
      -- No join, which a planner without statistics could begin with all deliveries of the webhook.
      UPDATE deliveries SET due_at = NULL, next_attempt_at = NULL, retry_requested = false,
        state = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END,
        listed_as = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
        AND event_id = ANY (ARRAY(SELECT event_id FROM chosen))
        AND recorded_at BETWEEN (SELECT min(recorded_at) FROM chosen)
          AND (SELECT max(recorded_at) FROM chosen)
    ), moved AS (
      UPDATE lanes SET
        retry_at = CASE WHEN count < ${of.most} THEN NULL ELSE retry_at END,
        seen = CASE WHEN count < ${of.most} THEN ${of.last}::bigint 
          ELSE greatest(seen, cancelled_to) END
      FROM (SELECT count(*), max(first) AS cancelled_to FROM chosen) AS counted
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
    )
    SELECT count(*) AS cancelled FROM chosen`,
)
