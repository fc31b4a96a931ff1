import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { insertEventsInSteps } from './insert-step-queries.ts'
import type { TakenEvent } from './number-queries.ts'

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

/** Under the counters' locks, each tenant's events in order. Deliveries are
 * due at once. */
export async function insertEvents(
  tx: Tx,
  events: readonly NumberedEvent[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const dues = earliestOf(deliveries)
  if (await isDistributed(tx)) insertEventsInSteps(tx, { events, deliveries, dues })
  else tx.send(insertNumbered(columnsOf(events, deliveries, dues)))
}

function columnsOf(
  events: readonly NumberedEvent[],
  deliveries: readonly NewDelivery[],
  dues: readonly Due[],
) {
  const event = <T>(pick: (event: NumberedEvent) => T) => events.map(pick)
  const delivery = <T>(pick: (delivery: NewDelivery) => T) => deliveries.map(pick)
  const due = <T>(pick: (due: Due) => T) => dues.map(pick)
  const counters = [...new Map(events.map((last) => [last.tenantId, last])).values()]
  const counter = <T>(pick: (last: NumberedEvent) => T) => counters.map(pick)
  return {
    tenantIds: event((e) => e.tenantId),
    eventIds: event((e) => e.eventId),
    sequences: event((e) => e.sequence),
    types: event((e) => e.type),
    resourceTypes: event((e) => e.resourceType),
    resourceIds: event((e) => e.resourceId),
    resourceVersions: event((e) => e.resourceVersion),
    occurredAts: event((e) => e.occurredAt),
    recordedAts: event((e) => e.recordedAt),
    bodies: event((e) => e.body),
    previousHashes: event((e) => e.previousHash),
    hashes: event((e) => e.hash),
    records: event((e) => e.records?.join('\n') ?? null),
    facilityIds: event((e) => e.facilityId),
    borrowerIds: event((e) => e.borrowerId),
    traceparents: event((e) => e.traceparent),
    deliveryTenantIds: delivery((d) => d.event.tenantId),
    deliveryWebhookIds: delivery((d) => d.webhookId),
    deliveryEventIds: delivery((d) => d.event.eventId),
    deliveryRecordedAts: delivery((d) => d.event.recordedAt),
    deliverySequences: delivery((d) => d.event.sequence),
    deliveryTypes: delivery((d) => d.event.type),
    dueTenantIds: due((d) => d.tenantId),
    dueWebhookIds: due((d) => d.webhookId),
    dueAts: due((d) => d.dueAt),
    counterTenantIds: counter((e) => e.tenantId),
    counterSequences: counter((e) => e.sequence),
    counterHashes: counter((e) => e.hash),
    counterRecordedAts: counter((e) => e.recordedAt),
  }
}

// @one server: many tenants at once; a distributed database has insertEventsInSteps.
const insertNumbered = builtOnce(
  (_tx, of: ReturnType<typeof columnsOf>) => sql<never>`
    WITH event AS (
      INSERT INTO events AS written (tenant_id, traceparent, event_id, sequence, type, resource_type, resource_id,
                          resource_version, occurred_at, recorded_at, body, previous_hash, hash,
                          records, facility_id, borrower_id)
      SELECT given.tenant_id, given.traceparent, given.event_id, given.sequence, given.type,
             given.resource_type, given.resource_id, given.resource_version, given.occurred_at,
             given.recorded_at, given.body, given.previous_hash, given.hash,
             string_to_array(given.records, E'\\n'), given.facility_id, given.borrower_id
      FROM unnest(
        ${of.tenantIds}::text[], ${of.eventIds}::text[], ${of.sequences}::bigint[], ${of.types}::text[],
        ${of.resourceTypes}::text[], ${of.resourceIds}::text[], ${of.resourceVersions}::bigint[],
        ${of.occurredAts}::timestamptz[], ${of.recordedAts}::timestamptz[], ${of.bodies}::text[],
        ${of.previousHashes}::bytea[], ${of.hashes}::bytea[], ${of.records}::text[],
        ${of.facilityIds}::text[], ${of.borrowerIds}::text[], ${of.traceparents}::text[]
      ) AS given (tenant_id, event_id, sequence, type, resource_type, resource_id, resource_version,
                  occurred_at, recorded_at, body, previous_hash, hash, records, facility_id,
                  borrower_id, traceparent)
    ), delivery AS (
      INSERT INTO deliveries AS made (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, next_attempt_at, due_at)
      SELECT given.tenant_id, given.webhook_id, given.event_id, given.recorded_at, given.sequence,
             given.type, 'pending', given.recorded_at, given.recorded_at
      FROM unnest(
        ${of.deliveryTenantIds}::text[], ${of.deliveryWebhookIds}::text[], ${of.deliveryEventIds}::text[],
        ${of.deliveryRecordedAts}::timestamptz[], ${of.deliverySequences}::bigint[],
        ${of.deliveryTypes}::text[]
      ) AS given (tenant_id, webhook_id, event_id, recorded_at, sequence, type)
    ), due AS (
      -- A webhook that is due already is left as it is: see settleDue.
      UPDATE webhook_dues w SET due_at = given.due_at
      FROM unnest(${of.dueTenantIds}::text[], ${of.dueWebhookIds}::text[], ${of.dueAts}::timestamptz[])
        AS given (tenant_id, webhook_id, due_at)
      WHERE w.tenant_id = given.tenant_id AND w.webhook_id = given.webhook_id
        AND (w.due_at IS NULL OR w.due_at > given.due_at)
    )
    UPDATE tenant_counters c SET last_sequence = given.sequence, last_hash = given.hash,
      last_recorded_at = given.recorded_at
    FROM unnest(
      ${of.counterTenantIds}::text[], ${of.counterSequences}::bigint[], ${of.counterHashes}::bytea[],
      ${of.counterRecordedAts}::timestamptz[]
    ) AS given (tenant_id, sequence, hash, recorded_at)
    WHERE c.tenant_id = given.tenant_id
  `,
)

function earliestOf(deliveries: readonly NewDelivery[]): Due[] {
  const dues = new Map<string, Due>()
  for (const { webhookId, event } of deliveries) {
    // In order, so the first is the earliest.
    if (dues.has(webhookId)) continue
    dues.set(webhookId, { tenantId: event.tenantId, webhookId, dueAt: event.recordedAt })
  }
  return [...dues.values()]
}
