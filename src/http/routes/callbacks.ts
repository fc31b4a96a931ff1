import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { Refusal } from '../../core/errors.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { receiveCallback } from '../../domain/callbacks/receive-callback.ts'
import { CALLBACK_PROVIDERS, type CallbackProvider } from '../../domain/callbacks/work-of-call.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { verifyCallbacks } from '../authentication/verify-callback.ts'
import { readJson } from '../read-json.ts'
import { text } from '../schemas/fields.ts'

const MAX_BODY_BYTES = 16 * 1024

/** Other members are ignored. */
const bodySchema = z.object({
  tenant_id: text(64),
  call_id: text(200),
})

/**
 * A vendor reports that an answer is ready. Verified by the provider's own secrets
 * (docs/provider-contract.md).
 */
export function callbackRoutes(
  app: FastifyInstance,
  context: { db: Db; clock: Clock; config: Config; metrics: Metrics },
): void {
  const { db, clock, config, metrics } = context
  verifyCallbacks(app, {
    secretsOf(request) {
      const provider = providerOf(request)
      return provider && config.vendors[provider]?.callbackSecrets
    },
    clock,
    toleranceSeconds: config.callbackToleranceSeconds,
    maxBodyBytes: MAX_BODY_BYTES,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', 'SVC-HMAC')
  })

  app.post('/:provider', { schema: { hide: true } }, async (request) => {
    const provider = providerOf(request)
    const id = request.callbackId
    if (!provider || id === undefined) throw new Error('a callback was reached unverified')
    const { tenant_id: tenantId, call_id: callId } = readCallback(request)
    const outcome = await inTransaction(db, (tx) =>
      receiveCallback(tx, { provider, id, tenantId, callId }, clock()),
    )
    metrics.providerCallbacks.inc({ provider, outcome })
    return { outcome }
  })
}

function providerOf({ params }: FastifyRequest): CallbackProvider | undefined {
  const { provider } = (params ?? {}) as { provider?: string }
  return CALLBACK_PROVIDERS.find((name) => name === provider)
}

function readCallback(request: FastifyRequest): z.output<typeof bodySchema> {
  const { success, data } = bodySchema.safeParse(readJson(request.rawBody, 16))
  if (success) return data
  throw new Refusal('validation_failed', 'A callback must have tenant_id and call_id.')
}
