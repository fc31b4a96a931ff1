import { z } from 'zod'
import { exampleEvent } from '../../domain/events/catalogue/event-examples.ts'
import {
  EVENT_TYPES,
  type EventType,
  eventDefinition,
} from '../../domain/events/catalogue/event-types.ts'
import { eventSchemaOf } from '../schemas/event-schema.ts'

/** OpenAPI 3.1 webhooks: one entry for each event type. */
export function describeWebhooks() {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeDelivery(type) }]))
}

/** Absent without a signing secret. */
const SIGNED_ONLY: readonly string[] = [
  'X-SVC-Webhook-Signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: !SIGNED_ONLY.includes(name),
  description,
  schema: { type: 'string' as const },
})

const HEADERS = [
  header(
    'X-SVC-Webhook-Signature',
    '`sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret',
  ),
  header('X-SVC-Webhook-Timestamp', 'When this attempt was sent, in unix seconds'),
  header('X-SVC-Event-Id', "The event's id"),
  header('X-SVC-Delivery-Attempt', 'Counts the attempts of this event from 1'),
  header('webhook-id', "Standard Webhooks: the event's id; absent without a secret"),
  header(
    'webhook-timestamp',
    'Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret',
  ),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret',
  ),
]

function describeDelivery(type: EventType) {
  return {
    operationId: `on${nameOf(type)}`,
    summary: type,
    description: `Fires when: ${eventDefinition(type).firesWhen}.`,
    // Its own tag: generators make one class per tag.
    tags: ['Deliveries'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: eventOf(type), example: exampleEvent(type) } },
    },
    responses: { '2XX': { description: 'Received; anything else is a failed attempt' } },
  }
}

/** `draw.completed` → `DrawCompleted`. */
const nameOf = (type: EventType) => type.split(/[._]/).map(capitalise).join('')
const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Named, because generators would reuse the operation's parameter names. */
const eventOf = (type: EventType) => ({
  title: `${nameOf(type)}Event`,
  allOf: [
    { $ref: '#/components/schemas/EventEnvelope' },
    openSchema(eventSchemaOf(type).pick({ type: true, data: true })),
  ],
})

/** Receivers must accept new members. */
export function openSchema(given: z.ZodType): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(given, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return schema
}
