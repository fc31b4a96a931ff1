import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import { resetFailures } from '../../domain/deliveries/record.ts'
import { EVENT_TYPES } from '../../domain/events/catalogue/event-types.ts'
import { readSecret } from '../../domain/webhooks/signing-secret.ts'
import { simulateDelivery } from '../../domain/webhooks/simulate.ts'
import { getWebhook } from '../../domain/webhooks/webhooks.ts'
import { callerOf } from '../authentication/authenticate.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput, idText } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

/** As received: a zod record would drop a member named `__proto__` instead of refusing it. */
const anyObject = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Expected an object.',
    params: { fieldCode: 'wrong_type' },
  })
  .transform((value) => value as Record<string, unknown>)
  .meta({ type: 'object', additionalProperties: {} })

const simulationSchema = z
  .strictObject({
    webhook_id: idInput('whk'),
    event_type: z.enum(EVENT_TYPES),
    data: anyObject,
  })
  .meta({
    examples: [
      {
        webhook_id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
        event_type: 'margin_warning.raised',
        data: {
          facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
          tier: 1,
          cure_amount: { amount: '9301.10', asset: 'USD' },
        },
      },
    ],
  })

const simulatedSchema = z
  .strictObject({
    webhook_id: idText('whk'),
    event_type: z.enum(EVENT_TYPES),
    response: z.strictObject({
      status: z.int().describe('0 without an answer'),
      body: z.string().describe('First 1 KiB of the answer'),
      error: z.enum(['dns', 'connect', 'tls', 'timeout', 'address_not_allowed']).nullable(),
    }),
  })
  .meta({
    id: 'Simulated',
    examples: [
      {
        webhook_id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
        event_type: 'margin_warning.raised',
        response: { status: 204, body: '', error: null },
      },
    ],
  })

export function simulateRoute(app: TenantApp, context: RouteContext): void {
  const { db, sealer, sender, clock, clockFor } = context
  app.post('/webhooks/simulate', {
    id: 'simulateDelivery',
    summary: 'Simulate a delivery (sandbox only)',
    description:
      "Posts a signed sample event of this type to the webhook, in any state and with any subscriptions, and returns the endpoint's answer. Nothing is written to the event log. A failure is not counted; a 2xx resets the failure counter.",
    tag: 'Webhooks',
    config: {
      limitClass: 'simulate',
      scope: 'webhook:write',
      idempotencyKey: 'accepted',
      sandboxOnly: true,
    },
    body: simulationSchema,
    response: { 200: simulatedSchema },
    errors: ['sandbox_only', 'not_found'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { webhook_id: webhookId, event_type: eventType, data } = request.body
      const { url } = await getWebhook(db, tenantId, webhookId)
      const secret = await readSecret(db, tenantId, sealer)
      const now = clock()
      const occurredAt = await clockFor(db, tenantId)
      const delivery = simulateDelivery({ url, eventType, data, secret }, occurredAt)
      const outcome = await sender.send(delivery, now)
      if (outcome.succeeded) {
        await inTransaction(db, (tx) => resetFailures(tx, { tenantId, webhookId }))
      }
      return {
        webhook_id: webhookId,
        event_type: eventType,
        response: {
          status: outcome.status ?? 0,
          body: outcome.bodyExcerpt,
          error: outcome.error ?? null,
        },
      }
    },
  })
}
