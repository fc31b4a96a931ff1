import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { ofUnseenLength } from '../../../db/planned-once.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'

export type WebhookName = { tenantId: string; webhookId: string }

export type LaneRow = {
  tenant_id: string
  webhook_id: string
  state: 'active' | 'disabled' | 'deleted'
  consecutive_failed_attempts: number
  url: string
}

/** Also locks the webhook's deliveries. NO KEY allows inserts of deliveries that refer to it.
 * Commits without waiting for the disk: a crash of the database costs at most one more attempt. */
export async function lockLane(tx: Tx, webhook: WebhookName): Promise<LaneRow | undefined> {
  const [row] = await selectLanes(tx, [webhook], sql``)
  return row
}

/** Leaves out those that another transaction has locked. */
export async function lockFreeLanes(
  tx: Tx,
  webhooks: readonly WebhookName[],
): Promise<readonly LaneRow[]> {
  return await selectLanes(tx, webhooks, sql`SKIP LOCKED`)
}

async function selectLanes(
  tx: Tx,
  webhooks: readonly WebhookName[],
  whereLocked: RawBuilder<unknown>,
): Promise<readonly LaneRow[]> {
  const names = {
    tenantIds: column(webhooks, (w) => w.tenantId),
    webhookIds: column(webhooks, (w) => w.webhookId),
  }
  const tenant = ownTenant(webhooks)('wanted')
  const { rows } = await sql<LaneRow>`
    WITH ${SETTINGS} ${lockLanes(names, tenant, whereLocked)}`.execute(tx)
  return rows
}

export type LaneNames = { tenantIds: readonly string[]; webhookIds: readonly string[] }

/** As lockFreeLanes. Notes those that are active for the statements that follow. */
export const lockFreeLanesFirst = builtOnce(
  // @one server: the note is a setting there; a distributed database has lockFreeLanes.
  (_tx, names: LaneNames) => sql<LaneRow>`
    WITH ${SETTINGS}, lane AS MATERIALIZED (
      ${lockLanes(names, sql.ref('wanted.tenant_id'), sql`SKIP LOCKED`)}
    ), noted AS MATERIALIZED (
      SELECT set_config('svc.active_lanes', coalesce(string_agg(webhook_id, ' '), ''), true)
      FROM lane WHERE state = 'active'
    )
    SELECT lane.* FROM noted CROSS JOIN lane`,
)

/** In the transaction of lockFreeLanesFirst. */
export const ACTIVE_LANES = sql`string_to_array(current_setting('svc.active_lanes', true), ' ')`

/** They force lookups by key and the due index's order, whatever the planner's statistics, and plans that
 * are kept. */
const SETTINGS = sql`settings AS MATERIALIZED (
      SELECT set_config('synchronous_commit', 'off', true),
             set_config('enable_seqscan', 'off', true),
             set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true),
             set_config('enable_mergejoin', 'off', true),
             set_config('enable_sort', 'off', true),
             set_config('plan_cache_mode', 'force_generic_plan', true)
    )`

/** Planned before the settings hold. */
const lockLanes = (
  { tenantIds, webhookIds }: LaneNames,
  tenant: RawBuilder<unknown>,
  whereLocked: RawBuilder<unknown>,
) => sql`
    SELECT w.* FROM settings
    CROSS JOIN unnest(${ofUnseenLength(tenantIds, 'text')}, ${ofUnseenLength(webhookIds, 'text')})
      AS wanted (tenant_id, webhook_id)
    CROSS JOIN LATERAL (
      SELECT tenant_id, webhook_id, state, consecutive_failed_attempts, url FROM webhooks
      WHERE tenant_id = ${tenant} AND webhook_id = wanted.webhook_id
      FOR NO KEY UPDATE ${whereLocked}
    ) w`

export const column = <T, C>(rows: readonly T[], pick: (row: T) => C): C[] => rows.map(pick)

/** A disabled webhook must stay disabled after a crash. */
export async function commitDurably(tx: Tx): Promise<void> {
  await sql`SET LOCAL synchronous_commit TO DEFAULT`.execute(tx)
}

export const CANCEL_BATCH = 1_000

/** The caller holds the webhook's lock. Leases stay: attempts in progress end. Joins and sorts that
 * would read all deliveries are turned off. */
export async function cancelPending(tx: Tx, tenantId: string, webhookId: string): Promise<number> {
  await sql`SELECT set_config('enable_seqscan', 'off', true),
                   set_config('enable_bitmapscan', 'off', true),
                   set_config('enable_hashjoin', 'off', true),
                   set_config('enable_mergejoin', 'off', true),
                   set_config('enable_sort', 'off', true)`.execute(tx)
  const { rows } = await sql<{ cancelled: bigint }>`
    WITH due AS MATERIALIZED (
      SELECT webhook_id, event_id, recorded_at FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND due_at IS NOT NULL
      ORDER BY due_at LIMIT ${CANCEL_BATCH}
    ), cancelled AS (
      UPDATE deliveries d SET due_at = NULL, next_attempt_at = NULL, retry_requested = false,
        state = CASE WHEN d.state = 'pending' THEN 'cancelled' ELSE d.state END
      FROM due
      WHERE d.tenant_id = ${tenantId} AND d.webhook_id = due.webhook_id
        AND d.event_id = due.event_id AND d.recorded_at = due.recorded_at
      RETURNING d.event_id
    )
    SELECT count(*) AS cancelled FROM cancelled
  `.execute(tx)
  return Number(rows[0]?.cancelled)
}
