import { z } from 'zod'
import { EVENT_TYPES, type EventType, eventDefinition } from '../../domain/events/event-types.ts'
import { timestamp } from './fields.ts'

/** An event as it is delivered and kept in the log, whatever its type (interface, Events). */
export const eventSchema = z.strictObject({
  id: z.string().describe('The same on every attempt and every webhook: deduplicate by it'),
  type: z.enum(EVENT_TYPES),
  occurred_at: timestamp.describe('When it happened, by domain time'),
  resource_version: z
    .int()
    .min(1)
    .describe("Counts the resource's events from 1: ignore what is not above the last you applied"),
  resource: z
    .strictObject({ type: z.string(), id: z.string() })
    .describe('What it is about; a margin warning or call is `fac_…/<number>`'),
  sequence: z
    .int()
    .min(1)
    .describe(
      "Counts the tenant's events from 1 without a gap: a number missing is an event missing",
    ),
  data: z.record(z.string(), z.unknown()).describe('By type'),
})

/** The same of one type, with its data. */
export function eventSchemaOf(type: EventType) {
  return eventSchema.extend({ type: z.literal(type), data: eventDefinition(type).data })
}
