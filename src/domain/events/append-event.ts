import { newDatedId } from '../../core/ids.ts'
import { type Tx, wakeAfterCommit } from '../../db/database.ts'
import { insertEvents, type NewEvent, type Raise, raiseAndLock } from './append-queries.ts'
import { chainEvents, hashRecords } from './event-chain.ts'
import { type EventData, type EventType, OPT_IN_TYPES, type ResourceType } from './event-types.ts'

export type EventToAppend = {
  [T in EventType]: {
    type: T
    resource: { type: ResourceType; id: string }
    /** Domain time. */
    occurredAt: Date
    data: EventData<T>
  }
}[EventType]

/** Numbers events without a gap in commit order, with a delivery for each active webhook that wants
 * them. Takes the tenant's event counter, the last lock of every transaction: call it last. Returns
 * their ids, in order. */
export async function appendEvents(
  tx: Tx,
  tenantId: string,
  events: readonly EventToAppend[],
): Promise<string[]> {
  if (events.length === 0) return []
  const raises = raisesOf(events)
  const facilityIds = events.flatMap((event) => facilityOf(event) ?? [])
  const counter = await raiseAndLock(tx, tenantId, raises, facilityIds)
  const nextVersion = createVersions(raises, counter.raised)
  const takeRecords = createTaker(counter.records)

  let recordedAt = counter.lastRecordedAt
  const rows = events.map((event, index) => {
    const { id: eventId, madeAt } = newDatedId('evt', recordedAt)
    recordedAt = madeAt
    const sequence = counter.lastSequence + 1n + BigInt(index)
    const resourceVersion = nextVersion(event.resource)
    const facilityId = facilityOf(event)
    const records = takeRecords(facilityId)
    return {
      eventId,
      sequence,
      type: event.type,
      resourceType: event.resource.type,
      resourceId: event.resource.id,
      resourceVersion,
      occurredAt: event.occurredAt,
      recordedAt: madeAt,
      facilityId,
      borrowerId: 'borrower_id' in event.data ? event.data.borrower_id : null,
      body: JSON.stringify({
        id: eventId,
        type: event.type,
        occurred_at: event.occurredAt.toISOString(),
        resource_version: Number(resourceVersion),
        resource: event.resource,
        sequence: Number(sequence),
        data: event.data,
        ...(records && { records: hashRecords(records) }),
      }),
      records,
    }
  })
  const chained: NewEvent[] = chainEvents(rows, counter.lastHash)
  await insertEvents(tx, tenantId, chained)
  for (const { webhookId, eventTypes } of counter.webhooks) {
    if (!events.some(({ type }) => isWanted(type, eventTypes))) continue
    wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
  }
  return chained.map(({ eventId }) => eventId)
}

const isWanted = (type: EventType, eventTypes: readonly string[]) =>
  eventTypes.length > 0 ? eventTypes.includes(type) : !OPT_IN_TYPES.includes(type)

const facilityOf = ({ data }: EventToAppend) => ('facility_id' in data ? data.facility_id : null)

/** Returns what was recorded about a facility and no event binds yet, once. */
function createTaker(records: Record<string, string[]>) {
  const left = new Map(Object.entries(records))
  return (facilityId: string | null): string[] | null => {
    const taken = left.get(facilityId ?? '') ?? null
    left.delete(facilityId ?? '')
    return taken
  }
}

const nameOf = (type: string, id: string) => `${type} ${id}`

function raisesOf(events: readonly EventToAppend[]): Raise[] {
  const raises = new Map<string, Raise>()
  for (const { resource } of events) {
    const name = nameOf(resource.type, resource.id)
    const by = (raises.get(name)?.by ?? 0) + 1
    raises.set(name, { resourceType: resource.type, resourceId: resource.id, by })
  }
  // Sorted, so that two transactions with the same resources never deadlock.
  return [...raises.keys()].sort().flatMap((name) => raises.get(name) ?? [])
}

function createVersions(
  raises: readonly Raise[],
  raised: readonly { resourceType: string; resourceId: string; version: bigint }[],
) {
  const byOf = new Map(raises.map((r) => [nameOf(r.resourceType, r.resourceId), r.by]))
  const next = new Map(
    raised.map(({ resourceType, resourceId, version }) => {
      const name = nameOf(resourceType, resourceId)
      return [name, version - BigInt(byOf.get(name) ?? 0) + 1n]
    }),
  )
  return (resource: { type: string; id: string }): bigint => {
    const name = nameOf(resource.type, resource.id)
    const version = next.get(name) ?? 1n
    next.set(name, version + 1n)
    return version
  }
}
