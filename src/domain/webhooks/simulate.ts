import { Refusal } from '../../core/errors.ts'
import { describeFault, toFieldErrors, toJsonPointer, valueAt } from '../../core/field-errors.ts'
import { newId } from '../../core/ids.ts'
import { exampleEvent } from '../events/catalogue/event-examples.ts'
import { type EventType, resourceOf, simulatedDataSchema } from '../events/catalogue/event-types.ts'
import type { DeliveryRequest } from './webhook-sender.ts'

export type Simulation = {
  url: string
  eventType: EventType
  data: Record<string, unknown>
  secret: string | undefined
}

/** The sequence is 0, which no event of the log has. Refuses `validation_failed`. */
export function simulateDelivery(simulation: Simulation, now: Date): DeliveryRequest {
  const { url, eventType, secret } = simulation
  const data = parseData(eventType, simulation.data)
  const eventId = newId('evt')
  const body = JSON.stringify({
    id: eventId,
    type: eventType,
    occurred_at: now.toISOString(),
    resource_version: 1,
    resource: resourceOf(eventType, data),
    sequence: 0,
    data,
  })
  return { url, body: Buffer.from(body), eventId, attempt: 1, secret }
}

function parseData(type: EventType, data: Record<string, unknown>): Record<string, unknown> {
  const schema = simulatedDataSchema(type)
  const result = schema.safeParse(data, { error: describeFault, reportInput: true })
  if (result.success) return result.data
  const example = exampleEvent(type)
  const errors = toFieldErrors(result.error.issues, {
    pointerOf: (path) => toJsonPointer(['data', ...path]),
    exampleOf: (path) => valueAt(example.data, path),
  })
  throw new Refusal('validation_failed', `The data are not valid for ${type}; see errors.`, {
    errors,
  })
}
