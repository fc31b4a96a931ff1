import { z } from 'zod'
import {
  EVENT_TYPES,
  type EventType,
  eventDefinition,
} from '../../domain/events/catalogue/event-types.ts'
import { timestamp } from './fields.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)

export const eventSchema = z.strictObject({
  id: z.string().describe('The same on every attempt and webhook: use it to drop duplicates'),
  type: z.enum(EVENT_TYPES),
  occurred_at: timestamp.describe('When it happened, by domain time'),
  resource_version: z
    .int()
    .min(1)
    .describe(
      "Counts the resource's events from 1: ignore an event that is not above the last you applied",
    ),
  resource: z
    .strictObject({ type: z.string(), id: z.string() })
    .describe('The resource the event is about; a margin warning or call is `fac_…/<number>`'),
  sequence: z
    .int()
    .min(1)
    .describe(
      "Counts the tenant's events from 1 without gaps: a missing number is a missing event",
    ),
  data: z.record(z.string(), z.unknown()).describe('Depends on `type`'),
  records: hash
    .optional()
    .describe(
      "Present where the facility's books or margin decisions have grown since its event before: their hash",
    ),
})

/** Members of an event beside its `type` and its `data`. */
export const eventEnvelope = eventSchema.omit({ type: true, data: true })

export function eventSchemaOf(type: EventType) {
  return eventSchema.extend({ type: z.literal(type), data: eventDefinition(type).data })
}

export const chainedEventSchema = eventSchema.extend({
  previous_hash: hash.describe('`hash` of the event before; 64 zeros before the first'),
  hash: hash.describe(
    'SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body',
  ),
})
