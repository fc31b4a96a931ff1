import { sql } from 'kysely'
import { currentTrace, type Tx } from '../../db/database.ts'
import { WITH_NEXT } from '../../db/preparing-client.ts'
import { OPT_IN_TYPES } from './event-types.ts'

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

/** Locked until commit: no gap, and numbers commit in order. */
export async function lockCounter(tx: Tx, tenantId: string): Promise<Counter> {
  const row = await tx
    .selectFrom('tenant_counters')
    .select(['last_sequence', 'last_hash', 'last_recorded_at'])
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Error(`tenant ${tenantId} has no event counter`)
  return toCounter(row)
}

export type Raise = { resourceType: string; resourceId: string; by: number }

/** Active when the lock was asked for. */
export type ListeningWebhook = { webhookId: string; eventTypes: string[] }

type RaisedVersion = { resourceType: string; resourceId: string; version: bigint }

/** Versions after the raise, and records that no event binds yet, by facility. The counter's lock is
 * taken after theirs. */
export async function raiseAndLock(
  tx: Tx,
  tenantId: string,
  raises: readonly Raise[],
  facilityIds: readonly string[],
): Promise<
  Counter & {
    raised: RaisedVersion[]
    records: Record<string, string[]>
    webhooks: ListeningWebhook[]
  }
> {
  type Row = CounterRow & {
    raised: [resourceType: string, resourceId: string, version: string][]
    records: Record<string, string[]>
    webhooks: [webhookId: string, eventTypes: string[]][]
  }
  const { rows } = await sql<Row>`
    WITH raised AS (
      INSERT INTO resource_versions AS v (tenant_id, resource_type, resource_id, version)
      SELECT ${tenantId}, * FROM unnest(
        ${raises.map((raise) => raise.resourceType)}::text[],
        ${raises.map((raise) => raise.resourceId)}::text[],
        ${raises.map((raise) => raise.by)}::bigint[])
      ON CONFLICT (tenant_id, resource_type, resource_id) DO UPDATE
      SET version = v.version + excluded.version
      RETURNING resource_type, resource_id, version
    ), taken AS (
      DELETE FROM unbound_records
      WHERE tenant_id = ${tenantId} AND facility_id = ANY (${[...new Set(facilityIds)]})
      RETURNING facility_id, record
    ), taken_of AS (
      SELECT facility_id, array_agg(record ORDER BY record) AS records
      FROM taken GROUP BY facility_id
    )
    SELECT last_sequence, last_hash, last_recorded_at,
      (SELECT jsonb_agg(jsonb_build_array(resource_type, resource_id, version::text))
       FROM raised) AS raised,
      (SELECT coalesce(jsonb_object_agg(facility_id, records), '{}') FROM taken_of) AS records,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(webhook_id, event_types)), '[]') FROM webhooks
       WHERE tenant_id = ${tenantId} AND state = 'active') AS webhooks
    FROM tenant_counters WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`tenant ${tenantId} has no event counter`)
  const raised = row.raised.map(([resourceType, resourceId, version]) => ({
    resourceType,
    resourceId,
    version: BigInt(version),
  }))
  const webhooks = row.webhooks.map(([webhookId, eventTypes]) => ({ webhookId, eventTypes }))
  return { ...toCounter(row), raised, records: row.records, webhooks }
}

export type NewEvent = {
  eventId: string
  sequence: bigint
  type: string
  resourceType: string
  resourceId: string
  resourceVersion: bigint
  occurredAt: Date
  recordedAt: Date
  facilityId: string | null
  /** Null: that of the facility. */
  borrowerId: string | null
  body: string
  previousHash: Buffer
  hash: Buffer
  records: string[] | null
}

/** Under the counter's lock, in order; sent with the next statement or COMMIT, so that the lock is held
 * one round trip less. Deliveries are due at once. Webhooks are registered, disabled and deleted under
 * the lock too, so "active at that event" is exact. Deliveries are made from what is given, because
 * Citus sends the rows of an insert that another one reads to every node. */
export async function insertEvents(
  tx: Tx,
  tenantId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const column = <T>(pick: (event: NewEvent) => T) => events.map(pick)
  const last = events.at(-1)
  await sql`
    ${sql.raw(WITH_NEXT)}
    WITH event AS (
      INSERT INTO events AS written (tenant_id, traceparent, event_id, sequence, type, resource_type, resource_id,
                          resource_version, occurred_at, recorded_at, body, previous_hash, hash,
                          records, facility_id, borrower_id)
      SELECT ${tenantId}, ${currentTrace(tx)}, given.event_id, given.sequence, given.type,
             given.resource_type, given.resource_id, given.resource_version, given.occurred_at,
             given.recorded_at, given.body, given.previous_hash, given.hash,
             string_to_array(given.records, E'\\n'), given.facility_id,
             coalesce(given.borrower_id, f.borrower_id)
      FROM unnest(
        ${column((e) => e.eventId)}::text[], ${column((e) => e.sequence)}::bigint[],
        ${column((e) => e.type)}::text[], ${column((e) => e.resourceType)}::text[],
        ${column((e) => e.resourceId)}::text[], ${column((e) => e.resourceVersion)}::bigint[],
        ${column((e) => e.occurredAt)}::timestamptz[], ${column((e) => e.recordedAt)}::timestamptz[],
        ${column((e) => e.body)}::text[], ${column((e) => e.previousHash)}::bytea[],
        ${column((e) => e.hash)}::bytea[],
        ${column((e) => e.records?.join('\n') ?? null)}::text[], ${column((e) => e.facilityId)}::text[],
        ${column((e) => e.borrowerId)}::text[]
      ) AS given (event_id, sequence, type, resource_type, resource_id, resource_version, occurred_at,
                  recorded_at, body, previous_hash, hash, records, facility_id, borrower_id)
      LEFT JOIN facilities f ON f.tenant_id = ${tenantId} AND f.facility_id = given.facility_id
    ), delivery AS (
      INSERT INTO deliveries AS made (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, next_attempt_at, due_at)
      SELECT ${tenantId}, w.webhook_id, event.event_id, event.recorded_at, event.sequence, event.type,
             'pending', event.recorded_at, event.recorded_at
      FROM unnest(
        ${column((e) => e.eventId)}::text[], ${column((e) => e.sequence)}::bigint[],
        ${column((e) => e.type)}::text[], ${column((e) => e.resourceType)}::text[],
        ${column((e) => e.resourceId)}::text[], ${column((e) => e.recordedAt)}::timestamptz[]
      ) AS event (event_id, sequence, type, resource_type, resource_id, recorded_at)
      JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.state = 'active'
        AND (event.type = ANY (w.event_types)
          OR w.event_types = '{}' AND event.type <> ALL (${[...OPT_IN_TYPES]}::text[]))
        AND NOT (event.resource_type = 'webhook' AND event.resource_id = w.webhook_id)
      RETURNING webhook_id, recorded_at
    ), due AS (
      -- A webhook that is due already is left as it is: see settleDue.
      UPDATE webhook_dues w SET due_at = fresh.due_at
      FROM (SELECT webhook_id, min(recorded_at) AS due_at FROM delivery GROUP BY webhook_id) fresh
      WHERE w.tenant_id = ${tenantId} AND w.webhook_id = fresh.webhook_id
        AND (w.due_at IS NULL OR w.due_at > fresh.due_at)
    )
    UPDATE tenant_counters SET last_sequence = ${last?.sequence}, last_hash = ${last?.hash},
      last_recorded_at = ${last?.recordedAt}
    WHERE tenant_id = ${tenantId}
  `.execute(tx)
}
