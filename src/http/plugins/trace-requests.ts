import type { FastifyInstance } from 'fastify'
import type { OpenSpan, Tracing } from '../../core/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where requests are traced. */
    span?: OpenSpan
  }
}

/**
 * Has a span around every request, from its headers to the end of its answer. A trace begins here: a
 * `traceparent` that a tenant sends is not believed, for it could force or forbid reporting it.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const attributes = { 'http.request.method': request.method, 'svc.request_id': request.id }
    request.span = tracing.begin('request', { kind: 'server', attributes })
    done()
  })
  // Not before: what reads the body runs outside of whatever was around the headers.
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
