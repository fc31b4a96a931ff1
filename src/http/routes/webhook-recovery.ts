import { z } from 'zod'
import { requestRecovery } from '../../domain/deliveries/recover.ts'
import { UNANSWERED_AN_HOUR } from '../../domain/deliveries/recovery-pace.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput, idInputLike, idText, timestamp, timestampInput } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const recoveryRequestSchema = z
  .strictObject({
    since: timestampInput.describe('Events written from this instant on, in real time'),
    from_webhook_id: idInputLike('whk', 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c')
      .optional()
      .describe('Delivers to this webhook what that one has missed'),
  })
  .meta({ examples: [{ since: '2026-11-20T06:00:00Z' }] })

const recoverySchema = z
  .strictObject({
    webhook_id: idText('whk'),
    from_webhook_id: idText('whk').optional(),
    recovering_since: timestamp,
    deliveries: z.int().describe('How many will be made, counted up to 10,000'),
  })
  .meta({
    id: 'WebhookRecovery',
    examples: [
      {
        webhook_id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
        recovering_since: '2026-11-20T06:00:00.000Z',
        deliveries: 412,
      },
    ],
  })

export function webhookRecoveryRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/webhooks/:id/recover', {
    id: 'recoverWebhook',
    summary: 'Deliver again what failed',
    description: `Each delivery since then that failed or was cancelled is attempted once more, a few at a time beside new events. With \`from_webhook_id\`, the events that the other webhook has missed until this one was registered are delivered to this one. Until the host has answered one of them with 2xx, and while attempts fail: one at a time and at most ${UNANSWERED_AN_HOUR} an hour. It ends where the webhook is disabled.`,
    tag: 'Webhooks',
    config: { limitClass: 'platform_config', scope: 'webhook:write', idempotencyKey: 'required' },
    params: z.strictObject({ id: idInput('whk') }),
    body: recoveryRequestSchema,
    response: { 202: recoverySchema },
    errors: ['webhook_disabled', 'recovery_in_progress'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, realNow }) => {
        const { since, from_webhook_id: fromWebhookId } = request.body
        const recovery = { tenantId, webhookId: request.params.id, since, fromWebhookId }
        const { deliveries } = await requestRecovery(tx, recovery, realNow)
        const body = {
          webhook_id: recovery.webhookId,
          ...(fromWebhookId !== undefined && { from_webhook_id: fromWebhookId }),
          recovering_since: since.toISOString(),
          deliveries,
        }
        return { status: 202, body }
      }),
  })
}
