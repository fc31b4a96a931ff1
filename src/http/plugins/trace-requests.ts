import type { FastifyInstance } from 'fastify'
import type { OpenSpan, Tracing } from '../../core/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span?: OpenSpan
  }
}

/**
 * A span from the headers to the end of the answer. A tenant's `traceparent` is ignored: it could
 * force or suppress sampling.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const attributes = { 'http.request.method': request.method, 'svc.request_id': request.id }
    request.span = tracing.begin('request', { kind: 'server', attributes })
    done()
  })
  // In this hook, because the body is read outside the context of earlier ones.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { tenantId } = request.caller ?? {}
    request.span?.end({
      failed: reply.statusCode >= 500,
      attributes: {
        'http.route': request.routeOptions.url ?? 'unmatched',
        'http.response.status_code': reply.statusCode,
        ...(tenantId === undefined ? {} : { 'svc.tenant_id': tenantId }),
        ...(request.refusalCode === undefined ? {} : { 'svc.refusal': request.refusalCode }),
      },
    })
    done()
  })
}
