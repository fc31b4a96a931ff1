import type { Tx } from '../../db/database.ts'
import { type Query, unprepared } from '../../db/transactions/execute.ts'
import type { Due, NewDelivery, NumberedEvent } from './insert-queries.ts'

/** Below the 65,535 parameters of a statement. */
const MOST_ROWS = 1_000

type Numbered = {
  events: readonly NumberedEvent[]
  deliveries: readonly NewDelivery[]
  dues: readonly Due[]
}

/** As insertEvents, of one tenant on a distributed database: Citus routes rows that are given as VALUES,
 * and copies those of a SELECT to their shard, part by part. */
export function insertEventsInSteps(tx: Tx, { events, deliveries, dues }: Numbered): void {
  for (const some of inParts(events)) {
    tx.send(preparedIfOne(some, tx.insertInto('events').values(some.map(toEventRow))))
  }
  for (const some of inParts(deliveries)) {
    tx.send(preparedIfOne(some, tx.insertInto('deliveries').values(some.map(toDeliveryRow))))
  }
  for (const { tenantId, webhookId, dueAt } of dues) {
    // A webhook that is due already is left as it is: see settleDue.
    const lower = tx
      .updateTable('webhook_dues')
      .set({ due_at: dueAt })
      .where('tenant_id', '=', tenantId)
      .where('webhook_id', '=', webhookId)
      .where((due) => due.or([due('due_at', 'is', null), due('due_at', '>', dueAt)]))
    tx.send(lower)
  }
  const last = events.at(-1)
  if (!last) return
  const count = tx
    .updateTable('tenant_counters')
    .set({
      last_sequence: last.sequence,
      last_hash: last.hash,
      last_recorded_at: last.recordedAt,
    })
    .where('tenant_id', '=', last.tenantId)
  tx.send(count)
}

const toEventRow = (event: NumberedEvent) => ({
  tenant_id: event.tenantId,
  event_id: event.eventId,
  sequence: event.sequence,
  type: event.type,
  resource_type: event.resourceType,
  resource_id: event.resourceId,
  resource_version: event.resourceVersion,
  occurred_at: event.occurredAt,
  recorded_at: event.recordedAt,
  body: event.body,
  previous_hash: event.previousHash,
  hash: event.hash,
  records: event.records,
  facility_id: event.facilityId,
  borrower_id: event.borrowerId,
  traceparent: event.traceparent,
})

const toDeliveryRow = ({ webhookId, event }: NewDelivery) => ({
  tenant_id: event.tenantId,
  webhook_id: webhookId,
  event_id: event.eventId,
  recorded_at: event.recordedAt,
  sequence: event.sequence,
  event_type: event.type,
  state: 'pending' as const,
  next_attempt_at: event.recordedAt,
  due_at: event.recordedAt,
})

/** A text for each number of rows would be a plan for each. */
const preparedIfOne = <Row>(rows: readonly unknown[], insert: Query<Row>): Query<Row> =>
  rows.length === 1 ? insert : unprepared(insert)

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / MOST_ROWS)
  return Array.from({ length: count }, (_, at) => rows.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS))
}
