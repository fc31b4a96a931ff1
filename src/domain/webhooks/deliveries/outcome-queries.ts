import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import { column, type WebhookName } from './lane-queries.ts'

export type OutcomeRow = WebhookName & {
  eventId: string
  recordedAt: Date
  /** The lease that the row must still have; null: none. */
  lease: string | null
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

type WrittenRow = { webhook_id: string; event_id: string; lease: string | null }

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

/** As writeOutcomes where it does not matter which are written; nothing waits for it. */
export function sendOutcomes(tx: Tx, outcomes: readonly OutcomeRow[]): void {
  tx.send(writeUnread(columnsOf(outcomes)))
}

const writeUnread = builtOnce(
  // @one server: see writeTenantOutcomes.
  (_tx, outcomes: OutcomeColumns) => sql<never>`
    WITH ${settleOutcomes(outcomes)}
    ${ADD_ATTEMPTS}`,
)

/** Two statements: Citus sends the rows of an update that an insert reads to every node. */
async function writeTenantOutcomes(tx: Tx, outcomes: readonly OutcomeRow[]): Promise<WrittenRow[]> {
  const tenant = ownTenant(outcomes)
  const { rows } = await sql<WrittenRow>`
    UPDATE deliveries d SET ${SETTLED}
    FROM ${outcomeList(columnsOf(outcomes))}
    WHERE d.tenant_id = ${tenant('o')} AND ${HAS_EXPECTED_LEASE}
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
      WHERE d.tenant_id = o.tenant_id AND ${HAS_EXPECTED_LEASE}
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

const HAS_EXPECTED_LEASE = sql`d.webhook_id = o.webhook_id
        AND d.event_id = o.event_id AND d.recorded_at = o.recorded_at
        AND d.lease IS NOT DISTINCT FROM o.lease`

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
