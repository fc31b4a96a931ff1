import type { z } from 'zod'
import { type DataSchema, EVENTS, type EventDefinition } from './event-table.ts'

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]]

export type EventData<T extends EventType> = z.output<(typeof EVENTS)[T]['data']>

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text)
}

export function eventDefinition(type: EventType): { firesWhen: string; data: DataSchema } {
  return EVENTS[type]
}

export type ResourceType =
  | 'borrower'
  | 'facility'
  | 'draw'
  | 'repayment'
  | 'margin_warning'
  | 'margin_call'
  | 'webhook'
  | 'api_key'

/** A warning is `fac_…/2`; simulated data may leave members out. */
export function resourceOf(
  eventType: EventType,
  data: Record<string, unknown>,
): { type: ResourceType; id: string } {
  const { facility_id: facilityId, key_id: keyId, number = 1 } = data
  const type = eventType.slice(0, eventType.indexOf('.')) as ResourceType | 'margin_notice'
  switch (type) {
    case 'margin_warning':
    case 'margin_call':
      return { type, id: `${facilityId}/${number}` }
    case 'margin_notice':
      return { type: 'facility', id: String(facilityId) }
    case 'api_key':
      return { type, id: String(keyId) }
    case 'borrower':
    case 'facility':
    case 'draw':
    case 'repayment':
    case 'webhook':
      return { type, id: String(data[`${type}_id`]) }
    default: {
      const unreachable: never = type
      return unreachable
    }
  }
}

/** Only the required members must be there. Unknown members are refused. */
export function simulatedDataSchema(type: EventType): DataSchema {
  const { data, required }: EventDefinition = EVENTS[type]
  return data.partial().required(Object.fromEntries(required.map((name) => [name, true as const])))
}
