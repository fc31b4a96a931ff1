import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from '../../metrics.ts'

/**
 * Gives every answer its request id and forbids storing it, and writes one line about each request
 * when it has ended. Neither bodies nor headers nor queries are logged: they may hold secrets and
 * signers' personal data.
 */
export function logRequests(
  app: FastifyInstance,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-svc-request-id', request.id)
    reply.header('cache-control', 'no-store')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const { method } = request
    const status = reply.statusCode
    const durationMs = reply.elapsedTime
    metrics.requests.observe({ method, route, status }, durationMs / 1_000)
    if (request.refusalCode) metrics.refusals.inc({ code: request.refusalCode })
    logger.info(
      {
        requestId: request.id,
        tenantId: request.caller?.tenantId,
        keyId: request.caller?.keyId,
        method,
        route,
        status,
        code: request.refusalCode,
        class: request.limitClass,
        durationMs: Math.round(durationMs * 10) / 10,
      },
      'request',
    )
    done()
  })
}
