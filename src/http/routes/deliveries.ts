import { z } from 'zod'
import { DELIVERY_STATES } from '../../domain/deliveries/decide-outcome.ts'
import {
  type Delivery,
  type DeliveryAttempt,
  listAttempts,
  listDeliveries,
  retryDelivery,
} from '../../domain/deliveries/deliveries.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { bodyOf } from '../schemas/body-of.ts'
import { idInput, idText, pageOf, pageQuery, timestamp, toPageBody } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const attemptSchema = z.strictObject({
  number: z.int().min(1),
  at: timestamp,
  status: z.int().optional().describe('HTTP status of the answer'),
  error: z
    .string()
    .optional()
    .describe('Why there was no answer; either `status` or `error` is present'),
  duration_ms: z.int(),
  response_excerpt: z.string().describe('First 1 KiB of the answer'),
  requested: z.boolean().describe('Requested by you, outside the retry schedule'),
})

export const deliverySchema = z.strictObject({
  webhook_id: idText('whk'),
  event_id: idText('evt'),
  event_type: z.string(),
  state: z.enum(DELIVERY_STATES),
  next_attempt_at: timestamp.optional(),
  attempts: z.array(attemptSchema).max(20).describe('The newest 20, newest first'),
})

const ATTEMPT_EXAMPLE = {
  number: 1,
  at: '2026-11-20T12:00:05.020Z',
  status: 204,
  duration_ms: 31,
  response_excerpt: '',
  requested: false,
}

export const DELIVERY_EXAMPLE = {
  webhook_id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  event_id: 'evt_01k9x4m2q8e0tb7f2v5j6h8n3c',
  event_type: 'borrower.eligible',
  state: 'delivered' as const,
  attempts: [ATTEMPT_EXAMPLE],
}

export const deliveryPageSchema = pageOf(deliverySchema, 'DeliveryPage', DELIVERY_EXAMPLE)

const attemptPageSchema = pageOf(attemptSchema, 'DeliveryAttemptPage', ATTEMPT_EXAMPLE)

const deliveryBodySchema = deliverySchema.meta({ id: 'Delivery', examples: [DELIVERY_EXAMPLE] })

export function deliveryRoutes(app: TenantApp, { db, cursors, mutate }: RouteContext): void {
  app.get('/webhooks/:id/deliveries', {
    id: 'listDeliveries',
    summary: "List a webhook's deliveries with their newest attempts, newest event first",
    tag: 'Webhooks',
    config: readsWith('webhook:read'),
    params: z.strictObject({ id: idInput('whk') }),
    querystring: z.strictObject({ ...pageQuery, state: z.enum(DELIVERY_STATES).optional() }),
    response: { 200: deliveryPageSchema },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const page = await listDeliveries(
        db,
        { tenantId, webhookId: request.params.id },
        request.query,
        cursors,
      )
      return toPageBody(page, toDeliveryBody)
    },
  })

  app.get('/webhooks/:id/deliveries/:event_id/attempts', {
    id: 'listDeliveryAttempts',
    summary: 'List all attempts of one delivery, newest first',
    tag: 'Webhooks',
    config: readsWith('webhook:read'),
    params: z.strictObject({ id: idInput('whk'), event_id: idInput('evt') }),
    querystring: z.strictObject(pageQuery),
    response: { 200: attemptPageSchema },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { id, event_id: eventId } = request.params
      const delivery = { webhookId: id, eventId }
      const page = await listAttempts(db, { tenantId, ...delivery }, request.query, cursors)
      return toPageBody(page, toAttemptBody)
    },
  })

  app.post('/webhooks/:id/deliveries/:event_id/retry', {
    id: 'retryDelivery',
    summary: 'Retry a delivery now',
    description:
      'Also for dead letters, at most 100 times. The attempt gets the next number and counts like any other; the retry schedule does not change.',
    tag: 'Webhooks',
    config: { limitClass: 'platform_config', scope: 'webhook:write', idempotencyKey: 'required' },
    params: z.strictObject({ id: idInput('whk'), event_id: idInput('evt') }),
    response: { 200: deliveryBodySchema },
    errors: ['webhook_disabled', 'delivery_in_progress', 'limit_reached'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, realNow }) => {
        const { id, event_id: eventId } = request.params
        const delivery = await retryDelivery(tx, { tenantId, webhookId: id, eventId }, realNow)
        return { status: 200, body: toDeliveryBody(delivery) }
      }),
  })
}

const showDelivery = bodyOf(deliverySchema)
const showAttempt = bodyOf(attemptSchema)

export const toDeliveryBody = (delivery: Delivery) =>
  showDelivery({
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: attempt.startedAt })),
  })

const toAttemptBody = (attempt: DeliveryAttempt) =>
  showAttempt({ ...attempt, at: attempt.startedAt })
