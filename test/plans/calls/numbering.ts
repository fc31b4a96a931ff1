import { randomUUID } from 'node:crypto'
import * as inserts from '../../../src/domain/events/insert-queries.ts'
import * as steps from '../../../src/domain/events/insert-step-queries.ts'
import * as lone from '../../../src/domain/events/lone-event-queries.ts'
import * as numbering from '../../../src/domain/events/number-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

function numberedOf({ tenantId, webhookId, facilityIds, event, now }: Sample) {
  const events = facilityIds.map((resourceId, at) => ({
    tenantId,
    entryId: randomUUID(),
    eventId: `evt_new${at}`,
    sequence: event.sequence + BigInt(at) + 1n,
    type: 'facility.floor_updated',
    resourceType: 'facility',
    resourceId,
    resourceVersion: 6n,
    facilityId: resourceId,
    borrowerId: null,
    occurredAt: now,
    recordedAt: now,
    data: '{}',
    body: '{}',
    previousHash: Buffer.alloc(32),
    hash: Buffer.alloc(32),
    records: null,
    traceparent: null,
  }))
  const deliveries = events.map((event) => ({ webhookId, event }))
  return { events, deliveries, dues: [{ tenantId, webhookId, dueAt: now }] }
}

export const NUMBERING_CALLS = [
  queriesFile('domain/events/number-queries.ts', numbering, {
    lockCounter: (tx, { tenantId }) => numbering.lockCounter(tx, tenantId),
    takeUnnumbered: (tx, { tenantId }) => numbering.takeUnnumbered(tx, tenantId),
    takeOfFree: (tx, { tenantId }) => numbering.takeOfFree(tx, [tenantId]),
    selectTenantsLeft: (tx) => numbering.selectTenantsLeft(tx),
  }),
  queriesFile('domain/events/lone-event-queries.ts', lone, {
    numberOnly: async (tx, { tenantId, facilityIds, now }) =>
      lone.numberOnly(
        tx,
        {
          ...{ tenantId, entryId: randomUUID(), eventId: 'evt_new', recordedAt: now },
          ...{ type: 'facility.floor_updated', resourceType: 'facility' },
          ...{ resourceId: facilityIds[0] ?? '', occurredAt: now, data: '{}' },
          ...{ begin: '{"resource_version":', middle: ',"sequence":', end: ',"data":{}' },
        },
        { onLocked: () => undefined, onNumbered: () => undefined },
      ),
  }),
  queriesFile('domain/events/insert-queries.ts', inserts, {
    insertEvents: (tx, sample) => {
      const { events, deliveries } = numberedOf(sample)
      return inserts.insertEvents(tx, events, deliveries)
    },
  }),
  queriesFile('domain/events/insert-step-queries.ts', steps, {
    insertEventsInSteps: async (tx, sample) => steps.insertEventsInSteps(tx, numberedOf(sample)),
  }),
]
