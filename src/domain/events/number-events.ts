import { newDatedId } from '../../core/ids.ts'
import { type Tx, wakeAfterCommit, wakeBeforeCommit } from '../../db/database.ts'
import { bodyAround, type LoneEvent } from './event-body.ts'
import { chainEvents, hashRecords } from './event-chain.ts'
import { insertEvents, type NewDelivery, type NumberedEvent } from './insert-queries.ts'
import { numberOnly } from './lone-event-queries.ts'
import {
  type Counter,
  type ListeningWebhook,
  lockCounter,
  type Taken,
  type TakenEvent,
  takeOfFree,
  takeUnnumbered,
} from './number-queries.ts'

/** Gives the tenant's events that wait their numbers, without a gap, each before those that were
 * written after its commit, with a delivery for each active webhook that wants it. Takes the tenant's
 * event counter, and then due instants: no transaction waits for the counter while it holds any of these.
 * Returns the ids of the events by their entries. */
export async function numberEvents(tx: Tx, tenantId: string): Promise<Map<string, string>> {
  const counters = new Map([[tenantId, await lockCounter(tx, tenantId)]])
  return await numberTaken(tx, counters, await takeUnnumbered(tx, tenantId))
}

/** As numberEvents, for many tenants. Returns those left out because another transaction has locked
 * their counters. */
export async function numberTogether(tx: Tx, tenantIds: readonly string[]): Promise<string[]> {
  const { counters, ...taken } = await takeOfFree(tx, tenantIds)
  await numberTaken(tx, counters, taken)
  return tenantIds.filter((tenantId) => !counters.has(tenantId))
}

/** Numbers the only event that the transaction has written, with COMMIT: `onNumbered` is called before
 * that ends. It is not called, and the event still waits, where the counter is locked by another
 * transaction, where other events of the tenant wait too, or where the last was recorded later. */
export function numberLone(tx: Tx, event: LoneEvent, onNumbered: () => void): void {
  const { tenantId } = event
  const { id: eventId, madeAt: recordedAt } = newDatedId('evt')
  const woken = new Set<string>()
  numberOnly(
    tx,
    { ...event, eventId, recordedAt, ...bodyAround(event, eventId) },
    {
      onLocked(webhookIds) {
        for (const webhookId of webhookIds) woken.add(webhookId)
        wakeBeforeCommit(tx, { tenantId, eventId }, webhookIds)
      },
      onNumbered(webhookIds) {
        onNumbered()
        for (const webhookId of webhookIds) {
          if (!woken.has(webhookId))
            wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
        }
      },
    },
  )
}

async function numberTaken(
  tx: Tx,
  counters: ReadonlyMap<string, Counter>,
  { events, webhooks }: Taken,
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map()
  const eventsOf = Map.groupBy(events, ({ tenantId }) => tenantId)
  const numbered = [...eventsOf].flatMap(([tenantId, ofTenant]) =>
    numberFrom(counters.get(tenantId), inVersionOrder(ofTenant)),
  )
  const deliveries = deliveriesOf(numbered, webhooks)
  await insertEvents(tx, numbered, deliveries)
  wakeWebhooks(tx, numbered, deliveries)
  return new Map(numbered.map(({ entryId, eventId }) => [entryId, eventId]))
}

/** Also where the database's clock was set back: events of a resource keep the places that they have
 * together, and take them in order of their versions. */
function inVersionOrder(taken: readonly TakenEvent[]): TakenEvent[] {
  const nameOf = (event: TakenEvent) => `${event.resourceType} ${event.resourceId}`
  const next = new Map(
    [...Map.groupBy(taken, nameOf)].map(([name, events]) => [
      name,
      events.toSorted((a, b) => Number(a.resourceVersion - b.resourceVersion)).values(),
    ]),
  )
  return taken.map((event) => next.get(nameOf(event))?.next().value ?? event)
}

function numberFrom(counter: Counter | undefined, taken: readonly TakenEvent[]): NumberedEvent[] {
  if (!counter) throw new Error('events are numbered under the lock of their counter')
  let recordedAt = counter.lastRecordedAt
  const numbered = taken.map((event, at) => {
    const { id: eventId, madeAt } = newDatedId('evt', recordedAt)
    recordedAt = madeAt
    const sequence = counter.lastSequence + 1n + BigInt(at)
    const body = writeBody(event, eventId, sequence)
    return { ...event, eventId, sequence, recordedAt: madeAt, body }
  })
  return chainEvents(numbered, counter.lastHash)
}

function writeBody(event: TakenEvent, eventId: string, sequence: bigint): string {
  const { begin, middle, end } = bodyAround(event, eventId)
  const records = event.records ? `,"records":"${hashRecords(event.records)}"` : ''
  return `${begin}${event.resourceVersion}${middle}${sequence}${end}${records}}`
}

function deliveriesOf(
  events: readonly NumberedEvent[],
  webhooks: readonly ListeningWebhook[],
): NewDelivery[] {
  const listening = Map.groupBy(webhooks, ({ tenantId }) => tenantId)
  return events.flatMap((event) =>
    (listening.get(event.tenantId) ?? [])
      .filter((webhook) => isWanted(event, webhook))
      .map(({ webhookId }) => ({ webhookId, event })),
  )
}

/** A webhook is not notified of itself. */
function isWanted(event: NumberedEvent, { webhookId, eventTypes }: ListeningWebhook): boolean {
  if (event.resourceType === 'webhook' && event.resourceId === webhookId) return false
  return eventTypes.length === 0 || eventTypes.includes(event.type)
}

/** Of a lone event, while it commits. */
function wakeWebhooks(
  tx: Tx,
  events: readonly NumberedEvent[],
  deliveries: readonly NewDelivery[],
): void {
  const tenantOf = new Map(deliveries.map(({ webhookId, event }) => [webhookId, event.tenantId]))
  const [event] = events
  if (event && events.length === 1) {
    wakeBeforeCommit(tx, event, [...tenantOf.keys()])
    return
  }
  for (const [webhookId, tenantId] of tenantOf) {
    wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
  }
}
