import { z } from 'zod'
import { listTroubledWebhooks } from '../../../../domain/operations/webhooks.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { idFilter, idText, pageOf, timestamp, toPageBody } from '../../../schemas/fields.ts'
import { deskPageQuery, type OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_name: 'Acme',
  webhook_id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  origin: 'https://hooks.acme.example',
  state: 'active' as const,
  failed_attempts: 31,
  disabled_at: null,
  oldest_due_at: '2026-11-22T11:00:00.000Z',
  last_attempt: { at: '2026-11-22T11:59:00.000Z', answer: '503' },
}

const schema = z
  .strictObject({
    tenant_id: idText('ten'),
    tenant_name: z.string(),
    webhook_id: idText('whk'),
    origin: z.string().describe('Without path and query, which may hold a secret'),
    state: z.enum(['active', 'disabled']),
    failed_attempts: z.int().describe('In a row; the hundredth disables it'),
    disabled_at: timestamp.nullable(),
    oldest_due_at: timestamp.nullable().describe('Of its deliveries that are due'),
    last_attempt: z
      .strictObject({ at: timestamp, answer: z.string().describe('A status, or an error') })
      .nullable(),
  })
  .meta({ id: 'TroubledWebhook', examples: [EXAMPLE] })

export function webhookRoutes(app: OperatorApp, { db, clock, cursors }: OperatorContext): void {
  app.get('/webhooks/troubled', {
    id: 'listTroubledWebhooks',
    summary: 'List the webhooks of all tenants that fail or are disabled, by tenant',
    tag: 'Operations',
    querystring: z.strictObject({
      ...deskPageQuery,
      tenant_id: idFilter('ten').optional(),
      trouble: z.enum(['failing', 'disabled']).optional(),
    }),
    response: { 200: pageOf(schema, 'TroubledWebhookPage', EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, trouble } = request.query
      const list = { request: request.query, cursors }
      const page = await listTroubledWebhooks(db, { tenantId, trouble }, list, clock())
      return toPageBody(page, toBody)
    },
  })
}

const toBody = bodyOf(schema)
