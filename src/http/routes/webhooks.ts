import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { EVENT_TYPES, isEventType } from '../../domain/events/catalogue/event-types.ts'
import { createSigningSecret } from '../../domain/webhooks/signing-secret.ts'
import { checkWebhookHost, parseWebhookUrl } from '../../domain/webhooks/webhook-url.ts'
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  registerWebhook,
  type Webhook,
} from '../../domain/webhooks/webhooks.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { bodyOf } from '../schemas/body-of.ts'
import { idInput, idText, listOf, text, textOrNothing, timestamp } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const params = z.strictObject({ id: idInput('whk') })

const registrationSchema = z
  .strictObject({
    url: text(2_048).meta({ format: 'uri', pattern: '^https?://[^\\x00-\\x20]+$' }),
    event_types: z
      .array(z.enum(EVENT_TYPES))
      .max(100)
      .optional()
      .describe('Omitted or empty: every event'),
    label: textOrNothing(200).optional(),
  })
  .meta({
    examples: [
      {
        url: 'https://example.com/hooks/lending',
        event_types: ['borrower.eligible', 'margin_warning.raised'],
        label: 'production',
      },
    ],
  })

const listedWebhook = z.strictObject({
  id: idText('whk'),
  url: z.string(),
  event_types: z.array(z.string()),
  label: z.string().optional(),
  created_at: timestamp,
})

const LISTED_EXAMPLE = {
  id: 'whk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  url: 'https://example.com/hooks/lending',
  event_types: ['borrower.eligible', 'margin_warning.raised'],
  label: 'production',
  created_at: '2026-11-20T12:00:00.000Z',
}

const webhookSchema = listedWebhook
  .extend({
    consecutive_failed_attempts: z.int(),
    state: z.enum(['active', 'disabled']),
  })
  .meta({
    id: 'Webhook',
    examples: [{ ...LISTED_EXAMPLE, consecutive_failed_attempts: 0, state: 'active' }],
  })

const webhookListSchema = listOf(listedWebhook, 'WebhookList', LISTED_EXAMPLE)

const secretSchema = z.strictObject({ secret: z.string() }).meta({
  id: 'SigningSecret',
  examples: [{ secret: 'whsec_2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaM=' }],
})

const createdSchema = z.strictObject({ id: idText('whk') }).meta({
  id: 'WebhookCreated',
  examples: [{ id: LISTED_EXAMPLE.id }],
})

export function webhookRoutes(app: TenantApp, context: RouteContext): void {
  secretRoute(app, context)
  registrationRoute(app, context)
  readingRoutes(app, context)
  deletionRoute(app, context)
}

function secretRoute(app: TenantApp, { mutate, sealer, clock }: RouteContext): void {
  app.post('/webhooks/secrets', {
    id: 'createSigningSecret',
    summary: 'Create the signing secret',
    description:
      'Replaces an earlier secret at once. The secret is shown only here; a retry with the same Idempotency-Key by the same key or person shows it again for 24 hours while it is current, which is recorded.',
    tag: 'Webhooks',
    config: {
      ...{ limitClass: 'platform_config', scope: 'webhook:write', idempotencyKey: 'required' },
      makesSecret: true,
      needsConfirmation: true,
    },
    response: { 201: secretSchema },
    errors: ['secret_not_retrievable', 'validation_failed'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId }) => {
        assertNoBody(request.body)
        const { secret, secretId } = await createSigningSecret(tx, tenantId, sealer, clock)
        return { status: 201, body: { secret }, secretId }
      }),
  })
}

/** No body, or an empty object: some clients cannot send less. */
function assertNoBody(body: unknown): void {
  const isEmpty = body === undefined || z.strictObject({}).safeParse(body).success
  if (isEmpty) return
  throw new Refusal('validation_failed', 'This operation takes no body.', {
    errors: [
      {
        pointer: '',
        code: 'not_allowed',
        detail: 'Expected no body, or an empty object. Example: {}.',
      },
    ],
  })
}

function registrationRoute(app: TenantApp, context: RouteContext): void {
  const { mutate, replayFirst, config, addressPolicy, resolveHost } = context
  app.post('/webhooks', {
    id: 'registerWebhook',
    summary: 'Register a webhook',
    tag: 'Webhooks',
    config: {
      ...{ limitClass: 'platform_config', scope: 'webhook:write', idempotencyKey: 'required' },
      needsConfirmation: true,
    },
    body: registrationSchema,
    response: { 201: createdSchema },
    errors: ['url_not_allowed', 'limit_reached'],
    async handler(request, reply) {
      // Resolving the host uses the network, so it comes before the transaction.
      if ((await replayFirst(request, reply)).replayed) return
      const { body } = request
      const parsed = parseWebhookUrl(body.url, { allowHttp: config.webhookAllowHttp })
      const refusal =
        'refusal' in parsed
          ? parsed.refusal
          : await checkWebhookHost(parsed.url, addressPolicy, resolveHost)
      if (refusal !== undefined) throw new Refusal('url_not_allowed', refusal)
      await mutate(request, reply, async ({ tx, tenantId, realNow }) => {
        const registration = {
          url: body.url,
          eventTypes: body.event_types ?? [],
          label: body.label,
        }
        const options = { maxWebhooks: config.maxWebhooks, now: realNow }
        const id = await registerWebhook(tx, tenantId, registration, options)
        return { status: 201, body: { id } }
      })
    },
  })
}

function readingRoutes(app: TenantApp, { db }: RouteContext): void {
  app.get('/webhooks', {
    id: 'listWebhooks',
    summary: 'List webhooks, newest first',
    tag: 'Webhooks',
    config: readsWith('webhook:read'),
    response: { 200: webhookListSchema },
    async handler(request) {
      const webhooks = await listWebhooks(db, callerOf(request).tenantId)
      return { items: webhooks.map(toListed) }
    },
  })

  app.get('/webhooks/:id', {
    id: 'getWebhook',
    summary: 'Read a webhook with its state and failure counter',
    tag: 'Webhooks',
    config: readsWith('webhook:read'),
    params,
    response: { 200: webhookSchema },
    async handler(request) {
      const webhook = await getWebhook(db, callerOf(request).tenantId, request.params.id)
      return {
        ...toListed(webhook),
        consecutive_failed_attempts: webhook.consecutiveFailedAttempts,
        state: webhook.state,
      }
    },
  })
}

function deletionRoute(app: TenantApp, { mutate, clock }: RouteContext): void {
  app.delete('/webhooks/:id', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deliveries stop at once; past events can no longer be replayed through it.',
    tag: 'Webhooks',
    config: {
      ...{ limitClass: 'platform_config', scope: 'webhook:write', idempotencyKey: 'honoured' },
      needsConfirmation: true,
    },
    params,
    response: { 204: z.undefined().describe('Deleted; empty body') },
    errors: ['unsupported_media_type'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId }) => {
        await deleteWebhook(tx, tenantId, request.params.id, clock)
        return { status: 204 }
      }),
  })
}

const showListed = bodyOf(listedWebhook)

const toListed = (webhook: Webhook) =>
  showListed({ ...webhook, eventTypes: webhook.eventTypes.filter(isEventType) })
