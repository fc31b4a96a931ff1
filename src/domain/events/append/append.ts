import { newDatedId } from '../../../core/ids.ts'
import { currentTrace, type Tx, wakeAfterCommit } from '../../../db/database.ts'
import { atCommit } from '../../../db/transactions/at-commit.ts'
import type { EventData, EventType, ResourceType } from '../catalogue/event-types.ts'
import {
  countEvents,
  deleteBoundRecords,
  insertDeliveries,
  insertEvents,
  insertRaises,
  lockCounter,
  type NewEvent,
  raiseVersions,
} from './append-queries.ts'

export type EventToAppend = {
  [T in EventType]: {
    type: T
    resource: { type: ResourceType; id: string }
    /** Domain time. */
    occurredAt: Date
    data: EventData<T>
  }
}[EventType]

/** Proof that the borrower was told of it is kept with the warning. */
export const RAISED = 'margin_warning.raised' satisfies EventType

type Appended = { tenantId: string; event: EventToAppend }

const collect = atCommit<Appended>(writeAll)

/**
 * Writes events with their change. They leave in one message with COMMIT: the tenant's counter is locked,
 * and under it each event gets its number and its text, and a delivery for each active webhook that wants
 * it. So numbers have no gap and are in the order of commits. Nothing is
 * locked after it that another transaction holds while it waits for the counter.
 */
export function appendEvents(tx: Tx, tenantId: string, events: readonly EventToAppend[]): void {
  for (const event of events) collect(tx, { tenantId, event })
}

function writeAll(tx: Tx, all: readonly Appended[]): void {
  const byTenant = Map.groupBy(all, ({ tenantId }) => tenantId)
  // Sorted, so that two transactions with the same tenants never deadlock.
  for (const tenantId of [...byTenant.keys()].sort()) {
    const events = (byTenant.get(tenantId) ?? []).map(({ event }) => event)
    write(tx, tenantId, events)
  }
}

function write(tx: Tx, tenantId: string, appended: readonly EventToAppend[]): void {
  const ids = datedIds(appended.length)
  const [first] = ids
  if (!first) return
  const newEvents = appended.map((event, at) => toNewEvent(event, at + 1, ids[at] ?? first))
  const events = JSON.stringify(newEvents)
  const written = { tenantId, since: first.madeAt }
  tx.send(lockCounter({ tenantId }))
  tx.send(raiseVersions({ tenantId, events }))
  tx.send(insertEvents({ tenantId, events, trace: currentTrace(tx) }))
  tx.send(insertDeliveries(written), (rows) => {
    for (const webhookId of new Set(rows.map((row) => row.webhook_id))) {
      wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
    }
  })
  if (newEvents.some(({ type }) => type === RAISED)) tx.send(insertRaises(written))
  if (newEvents.some((event) => event.facility_id !== null)) tx.send(deleteBoundRecords(written))
  tx.send(countEvents({ ...written, count: newEvents.length }))
}

/** In the order of their numbers. */
function datedIds(count: number) {
  let notBefore: Date | undefined
  return Array.from({ length: count }, () => {
    const dated = newDatedId('evt', notBefore)
    notBefore = dated.madeAt
    return dated
  })
}

function toNewEvent(
  { type, occurredAt, resource, data }: EventToAppend,
  place: number,
  { id, madeAt }: { id: string; madeAt: Date },
): NewEvent {
  const named = JSON.stringify({ type, occurred_at: occurredAt.toISOString() })
  const about = JSON.stringify({ type: resource.type, id: resource.id })
  return {
    place,
    id,
    made_at: madeAt,
    type,
    resource_type: resource.type,
    resource_id: resource.id,
    facility_id: 'facility_id' in data ? data.facility_id : null,
    borrower_id: 'borrower_id' in data ? data.borrower_id : null,
    occurred_at: occurredAt,
    head: `",${named.slice(1, -1)},"resource_version":`,
    middle: `,"resource":${about},"sequence":`,
    tail: `,"data":${JSON.stringify(data)}`,
  }
}
