import { type RawBuilder, sql } from 'kysely'
import { builtOnce } from '../../../db/built-once.ts'
import type { Tx } from '../../../db/database.ts'
import { ROWS_WITH_NEXT, WITH_NEXT } from '../../../db/known-statements.ts'
import { ofUnseenLength } from '../../../db/planned-once.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'

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

/** As lockFreeLanes, sent with the next statement, for which it notes those that are active. */
export const lockFreeLanesFirst = builtOnce(
  // @one server: the note is a setting there; a distributed database has lockFreeLanes.
  (_tx, names: LaneNames) => sql<LaneRow>`
    ${sql.raw(ROWS_WITH_NEXT)}
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

export type OutcomeRow = WebhookName & {
  eventId: string
  recordedAt: Date
  lease: string
  number: number
  startedAt: Date
  status: number | null
  error: string | null
  durationMs: number
  responseExcerpt: string
  requested: boolean
  state: DeliveryState
  failures: number
  nextAttemptAt: Date | null
}

type WrittenRow = { webhook_id: string; event_id: string; lease: string }

/** Returns the rows written; the others lost their lease. The caller holds the webhooks' locks. */
export async function writeOutcomes(
  tx: Tx,
  outcomes: readonly OutcomeRow[],
  distributed: boolean,
): Promise<WrittenRow[]> {
  if (distributed) return await writeTenantOutcomes(tx, outcomes)
  const { rows } = await sql<WrittenRow>`
    WITH ${settleOutcomes(columnsOf(outcomes))}, attempt AS (${ADD_ATTEMPTS})
    SELECT webhook_id, event_id, lease FROM settled
  `.execute(tx)
  return rows
}

/** As writeOutcomes where it does not matter which are written; sent with the next statement or COMMIT. */
export async function writeOutcomesUnread(tx: Tx, outcomes: readonly OutcomeRow[]): Promise<void> {
  await writeUnread(tx, columnsOf(outcomes))
}

const writeUnread = builtOnce(
  // @one server: see writeTenantOutcomes.
  (_tx, outcomes: OutcomeColumns) => sql<never>`
    ${sql.raw(WITH_NEXT)}
    WITH ${settleOutcomes(outcomes)}
    ${ADD_ATTEMPTS}`,
)

/** Two statements: Citus sends the rows of an update that an insert reads to every node. */
async function writeTenantOutcomes(tx: Tx, outcomes: readonly OutcomeRow[]): Promise<WrittenRow[]> {
  const tenant = ownTenant(outcomes)
  const { rows } = await sql<WrittenRow>`
    UPDATE deliveries d SET ${SETTLED}
    FROM ${outcomeList(columnsOf(outcomes))}
    WHERE d.tenant_id = ${tenant('o')} AND ${IS_LEASED}
    RETURNING d.webhook_id, d.event_id, o.lease
  `.execute(tx)
  const attempts = outcomes.filter((o) =>
    rows.some(
      (row) =>
        row.webhook_id === o.webhookId && row.event_id === o.eventId && row.lease === o.lease,
    ),
  )
  if (attempts.length === 0) return rows
  await tx
    .insertInto('delivery_attempts')
    .values(
      attempts.map((o) => ({
        tenant_id: o.tenantId,
        webhook_id: o.webhookId,
        event_id: o.eventId,
        recorded_at: o.recordedAt,
        number: o.number,
        started_at: o.startedAt,
        status: o.status,
        error: o.error,
        duration_ms: o.durationMs,
        response_excerpt: o.responseExcerpt,
        requested: o.requested,
      })),
    )
    .execute()
  return rows
}

/** The limit excludes nothing; it shows the planner that there are few rows. */
const settleOutcomes = (outcomes: OutcomeColumns) => sql`outcome AS MATERIALIZED (
      SELECT o.* FROM ${outcomeList(outcomes)}
      LIMIT ${outcomes.count}
    ), settled AS (
      UPDATE deliveries d SET ${SETTLED}
      FROM outcome o
      WHERE d.tenant_id = o.tenant_id AND ${IS_LEASED}
      RETURNING o.*
    )`

const ADD_ATTEMPTS = sql`
      INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
        started_at, status, error, duration_ms, response_excerpt, requested)
      SELECT tenant_id, webhook_id, event_id, recorded_at, number, started_at, status, error,
             duration_ms, response_excerpt, requested
      FROM settled`

const SETTLED = sql`
        state = o.state, attempts = o.number, failures = o.failures, lease = NULL,
        next_attempt_at = o.next_attempt_at, due_at = o.next_attempt_at, retry_requested = false`

const IS_LEASED = sql`d.webhook_id = o.webhook_id
        AND d.event_id = o.event_id AND d.recorded_at = o.recorded_at AND d.lease = o.lease`

type OutcomeColumns = ReturnType<typeof columnsOf>

const columnsOf = (outcomes: readonly OutcomeRow[]) => ({
  count: outcomes.length,
  tenantIds: column(outcomes, (o) => o.tenantId),
  webhookIds: column(outcomes, (o) => o.webhookId),
  eventIds: column(outcomes, (o) => o.eventId),
  recordedAts: column(outcomes, (o) => o.recordedAt),
  leases: column(outcomes, (o) => o.lease),
  numbers: column(outcomes, (o) => o.number),
  startedAts: column(outcomes, (o) => o.startedAt),
  statuses: column(outcomes, (o) => o.status),
  errors: column(outcomes, (o) => o.error),
  durations: column(outcomes, (o) => o.durationMs),
  excerpts: column(outcomes, (o) => o.responseExcerpt),
  requested: column(outcomes, (o) => o.requested),
  states: column(outcomes, (o) => o.state),
  failures: column(outcomes, (o) => o.failures),
  nextAttemptAts: column(outcomes, (o) => o.nextAttemptAt),
})

const outcomeList = (o: OutcomeColumns) => sql`unnest(
        ${o.tenantIds}::text[], ${o.webhookIds}::text[], ${o.eventIds}::text[],
        ${o.recordedAts}::timestamptz[], ${o.leases}::uuid[], ${o.numbers}::int[],
        ${o.startedAts}::timestamptz[], ${o.statuses}::smallint[], ${o.errors}::text[],
        ${o.durations}::int[], ${o.excerpts}::text[], ${o.requested}::boolean[],
        ${o.states}::text[], ${o.failures}::int[], ${o.nextAttemptAts}::timestamptz[]
      ) AS o (tenant_id, webhook_id, event_id, recorded_at, lease, number, started_at, status,
              error, duration_ms, response_excerpt, requested, state, failures, next_attempt_at)`

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
