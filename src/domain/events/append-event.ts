import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { insertUnnumbered, type Raise, type UnnumberedEvent } from './append-queries.ts'
import type { EventData, EventType, ResourceType } from './event-types.ts'
import { numberAtEnd } from './number-committed.ts'

export type EventToAppend = {
  [T in EventType]: {
    type: T
    resource: { type: ResourceType; id: string }
    /** Domain time. */
    occurredAt: Date
    data: EventData<T>
  }
}[EventType]

/** Writes events with their change. They are numbered before `inTransaction` returns: see numberAtEnd. */
export async function appendEvents(
  tx: Tx,
  tenantId: string,
  events: readonly EventToAppend[],
): Promise<void> {
  if (events.length === 0) return
  const raises = raisesOf(events)
  const laterOf = createCountdown(raises)
  const bound = new Set<string | null>([null])
  const rows = events.map((event, place): UnnumberedEvent => {
    const facilityId = facilityOf(event)
    const binds = !bound.has(facilityId)
    bound.add(facilityId)
    return {
      entryId: randomUUID(),
      place,
      type: event.type,
      resourceType: event.resource.type,
      resourceId: event.resource.id,
      later: laterOf(event.resource),
      facilityId,
      binds,
      borrowerId: 'borrower_id' in event.data ? event.data.borrower_id : null,
      occurredAt: event.occurredAt,
      data: JSON.stringify(event.data),
    }
  })
  const facilityIds = [...new Set(rows.flatMap(({ facilityId }) => facilityId ?? []))]
  await insertUnnumbered(tx, tenantId, { raises, facilityIds, events: rows })
  await numberAtEnd(tx, tenantId, rows)
}

const facilityOf = ({ data }: EventToAppend) => ('facility_id' in data ? data.facility_id : null)

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

/** How many events of the resource are still to come in the call. */
function createCountdown(raises: readonly Raise[]) {
  const left = new Map(raises.map((r) => [nameOf(r.resourceType, r.resourceId), r.by]))
  return (resource: { type: string; id: string }): number => {
    const name = nameOf(resource.type, resource.id)
    const later = (left.get(name) ?? 1) - 1
    left.set(name, later)
    return later
  }
}
