import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { WITH_NEXT } from '../../db/known-statements.ts'
import { ofUnseenLength } from '../../db/planned-once.ts'
import type { UnnumberedEventRow } from '../../db/schema/events.ts'
import { ownTenant } from '../../db/tenant-scope.ts'
import { insertEventsInSteps } from './number-step-queries.ts'

export type Counter = {
  lastSequence: bigint
  lastHash: Buffer
  /** No later event is recorded before it, whatever the clocks of the processes. */
  lastRecordedAt: Date | undefined
}

type CounterRow = { last_sequence: bigint; last_hash: Buffer; last_recorded_at: Date | null }

function toCounter(row: CounterRow): Counter {
  return {
    lastSequence: row.last_sequence,
    lastHash: row.last_hash,
    lastRecordedAt: row.last_recorded_at ?? undefined,
  }
}

/** Of what is numbered or read under the lock of a counter: each row is found by its key, whatever the
 * statistics. A bitmap scan would read all events that were numbered since `unnumbered_events` was
 * vacuumed; an index scan marks those, and skips them from then on. Part of a statement that names its
 * tenant, so that a distributed database sets them on its node. */
const SETTINGS = sql`settings AS MATERIALIZED (
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
    )`

/** Locked until commit: no gap, and numbers commit in order. */
export async function lockCounter(tx: Tx, tenantId: string): Promise<Counter> {
  const { rows } = await sql<CounterRow>`
    WITH ${SETTINGS}
    SELECT c.* FROM settings CROSS JOIN LATERAL (
      SELECT last_sequence, last_hash, last_recorded_at FROM tenant_counters
      WHERE tenant_id = ${tenantId}
      FOR NO KEY UPDATE
    ) c`.execute(tx)
  if (!rows[0]) throw new Error(`tenant ${tenantId} has no event counter`)
  return toCounter(rows[0])
}

/** Leaves out those that another transaction has locked. */
export async function lockFreeCounters(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<Map<string, Counter>> {
  // @one server: many tenants at once; a distributed database has lockCounter.
  const { rows } = await sql<CounterRow & { tenant_id: string }>`
    WITH ${SETTINGS}
    SELECT c.* FROM settings
    CROSS JOIN unnest(${ofUnseenLength(tenantIds, 'text')}) AS wanted (tenant_id)
    CROSS JOIN LATERAL (
      SELECT tenant_id, last_sequence, last_hash, last_recorded_at FROM tenant_counters
      WHERE tenant_id = wanted.tenant_id
      FOR NO KEY UPDATE SKIP LOCKED
    ) c`.execute(tx)
  return new Map(rows.map((row) => [row.tenant_id, toCounter(row)]))
}

export type TakenEvent = {
  tenantId: string
  entryId: string
  type: string
  resourceType: string
  resourceId: string
  resourceVersion: bigint
  facilityId: string | null
  borrowerId: string | null
  occurredAt: Date
  data: string
  records: string[] | null
  traceparent: string | null
}

export type ListeningWebhook = { tenantId: string; webhookId: string; eventTypes: string[] }

type TakenRow = Omit<UnnumberedEventRow, 'made_at'> & {
  micros: bigint
  webhook_id: string | null
  event_types: string[]
}

/** Events in the order in which they were written, and the active webhooks. The caller holds the
 * counters' locks, under which webhooks are registered, disabled and deleted too, so "active at that
 * event" is exact. */
export async function takeUnnumbered(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<{ events: TakenEvent[]; webhooks: ListeningWebhook[] }> {
  const [tenantId, other] = tenantIds
  const ours = other === undefined ? sql`= ${tenantId}` : sql`= ANY (${tenantIds}::text[])`
  const { rows } = await sql<TakenRow>`
    WITH taken AS (DELETE FROM unnumbered_events WHERE tenant_id ${ours} RETURNING *)
    SELECT tenant_id, (extract(epoch FROM made_at) * 1000000)::bigint AS micros, place, entry_id, type,
      resource_type, resource_id, resource_version, facility_id, borrower_id, occurred_at, data, records,
      traceparent, NULL AS webhook_id, NULL::text[] AS event_types
    FROM taken
    UNION ALL
    SELECT tenant_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      webhook_id, event_types
    FROM webhooks WHERE tenant_id ${ours} AND state = 'active'`.execute(tx)
  const events = rows.filter((row) => row.webhook_id === null)
  events.sort((a, b) => Number(a.micros - b.micros) || a.place - b.place)
  return {
    events: events.map(toTaken),
    webhooks: rows.flatMap(({ tenant_id, webhook_id, event_types }) =>
      webhook_id === null
        ? []
        : [{ tenantId: tenant_id, webhookId: webhook_id, eventTypes: event_types }],
    ),
  }
}

function toTaken(row: TakenRow): TakenEvent {
  return {
    tenantId: row.tenant_id,
    entryId: row.entry_id,
    type: row.type,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    resourceVersion: row.resource_version,
    facilityId: row.facility_id,
    borrowerId: row.borrower_id,
    occurredAt: row.occurred_at,
    data: row.data,
    records: row.records,
    traceparent: row.traceparent,
  }
}

/** Older than any that a process is about to number. */
export async function selectTenantsLeft(db: Db): Promise<string[]> {
  // @across tenants: finds whose events wait; locks nothing.
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM unnumbered_events
    WHERE made_at < clock_timestamp() - interval '1 second'`.execute(db)
  return rows.map((row) => row.tenant_id)
}

export type NumberedEvent = TakenEvent & {
  eventId: string
  sequence: bigint
  recordedAt: Date
  body: string
  previousHash: Buffer
  hash: Buffer
}

export type NewDelivery = { webhookId: string; event: NumberedEvent }

export type Due = { tenantId: string; webhookId: string; dueAt: Date }

/** Under the counters' locks, each tenant's events in order; sent with the next statement or COMMIT.
 * Deliveries are due at once. */
export async function insertEvents(
  tx: Tx,
  events: readonly NumberedEvent[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (await isDistributed(tx)) {
    await insertEventsInSteps(tx, { events, deliveries, dues: earliestOf(deliveries) })
    return
  }
  const tenant = ownTenant(events)
  const event = <T>(pick: (event: NumberedEvent) => T) => events.map(pick)
  const delivery = <T>(pick: (delivery: NewDelivery) => T) => deliveries.map(pick)
  const dues = earliestOf(deliveries)
  const due = <T>(pick: (due: Due) => T) => dues.map(pick)
  const counters = [...new Map(events.map((last) => [last.tenantId, last])).values()]
  const counter = <T>(pick: (last: NumberedEvent) => T) => counters.map(pick)
  await sql`
    ${sql.raw(WITH_NEXT)}
    WITH event AS (
      INSERT INTO events AS written (tenant_id, traceparent, event_id, sequence, type, resource_type, resource_id,
                          resource_version, occurred_at, recorded_at, body, previous_hash, hash,
                          records, facility_id, borrower_id)
      SELECT ${tenant('given')}, given.traceparent, given.event_id, given.sequence, given.type,
             given.resource_type, given.resource_id, given.resource_version, given.occurred_at,
             given.recorded_at, given.body, given.previous_hash, given.hash,
             string_to_array(given.records, E'\\n'), given.facility_id, given.borrower_id
      FROM unnest(
        ${event((e) => e.tenantId)}::text[], ${event((e) => e.eventId)}::text[],
        ${event((e) => e.sequence)}::bigint[], ${event((e) => e.type)}::text[],
        ${event((e) => e.resourceType)}::text[], ${event((e) => e.resourceId)}::text[],
        ${event((e) => e.resourceVersion)}::bigint[], ${event((e) => e.occurredAt)}::timestamptz[],
        ${event((e) => e.recordedAt)}::timestamptz[], ${event((e) => e.body)}::text[],
        ${event((e) => e.previousHash)}::bytea[], ${event((e) => e.hash)}::bytea[],
        ${event((e) => e.records?.join('\n') ?? null)}::text[], ${event((e) => e.facilityId)}::text[],
        ${event((e) => e.borrowerId)}::text[], ${event((e) => e.traceparent)}::text[]
      ) AS given (tenant_id, event_id, sequence, type, resource_type, resource_id, resource_version,
                  occurred_at, recorded_at, body, previous_hash, hash, records, facility_id,
                  borrower_id, traceparent)
    ), delivery AS (
      INSERT INTO deliveries AS made (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, next_attempt_at, due_at)
      SELECT ${tenant('given')}, given.webhook_id, given.event_id, given.recorded_at, given.sequence,
             given.type, 'pending', given.recorded_at, given.recorded_at
      FROM unnest(
        ${delivery((d) => d.event.tenantId)}::text[], ${delivery((d) => d.webhookId)}::text[],
        ${delivery((d) => d.event.eventId)}::text[], ${delivery((d) => d.event.recordedAt)}::timestamptz[],
        ${delivery((d) => d.event.sequence)}::bigint[], ${delivery((d) => d.event.type)}::text[]
      ) AS given (tenant_id, webhook_id, event_id, recorded_at, sequence, type)
    ), due AS (
      -- A webhook that is due already is left as it is: see settleDue.
      UPDATE webhook_dues w SET due_at = given.due_at
      FROM unnest(
        ${due((d) => d.tenantId)}::text[], ${due((d) => d.webhookId)}::text[],
        ${due((d) => d.dueAt)}::timestamptz[]
      ) AS given (tenant_id, webhook_id, due_at)
      WHERE w.tenant_id = ${tenant('given')} AND w.webhook_id = given.webhook_id
        AND (w.due_at IS NULL OR w.due_at > given.due_at)
    )
    UPDATE tenant_counters c SET last_sequence = given.sequence, last_hash = given.hash,
      last_recorded_at = given.recorded_at
    FROM unnest(
      ${counter((e) => e.tenantId)}::text[], ${counter((e) => e.sequence)}::bigint[],
      ${counter((e) => e.hash)}::bytea[], ${counter((e) => e.recordedAt)}::timestamptz[]
    ) AS given (tenant_id, sequence, hash, recorded_at)
    WHERE c.tenant_id = ${tenant('given')}
  `.execute(tx)
}

function earliestOf(deliveries: readonly NewDelivery[]): Due[] {
  const dues = new Map<string, Due>()
  for (const { webhookId, event } of deliveries) {
    // In order, so the first is the earliest.
    if (dues.has(webhookId)) continue
    dues.set(webhookId, { tenantId: event.tenantId, webhookId, dueAt: event.recordedAt })
  }
  return [...dues.values()]
}
