import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from '../../telemetry/metrics.ts'
import { SERVED_METHODS } from './other-methods.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of what the request created. */
    madeId?: string
    /** What the request was about, once it is answered. */
    resourceId?: string | undefined
  }
}

const ID = /^[a-z]{3}_[0-9a-z]{26}$/

/**
 * The created resource, else the innermost in the path: for `/facilities/{id}/draws/{id}` the draw.
 * Only well-formed ids are logged, because a path can hold anything.
 */
export function findResourceId(request: FastifyRequest): string | undefined {
  if (request.madeId !== undefined) return request.madeId
  const { params } = request as { params: Record<string, unknown> | undefined }
  let id: string | undefined
  for (const name in params) {
    const value = String(params[name])
    if (name !== 'number' && ID.test(value)) id = value
  }
  const { number } = params ?? {}
  return id !== undefined && Number(number) > 0 ? `${id}/${number}` : id
}

/** A closed set, because a series is never forgotten and strangers choose methods and paths. */
function labelsOf({ method, routeOptions: { url, config } }: FastifyRequest) {
  const isOperation = url !== undefined && SERVED_METHODS.has(method) && !config.methodRefusal
  return isOperation ? { method, route: url } : { method: 'other', route: 'other' }
}

/**
 * Sets the request id and `no-store`, and logs one line per request. Bodies, headers and queries
 * are not logged: they may hold secrets and personal data.
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
  const timers = new Map<string, { observe(seconds: number): void }>()
  const timerOf = (request: FastifyRequest, status: number) => {
    const { method, route } = labelsOf(request)
    const name = `${method} ${status} ${route}`
    const timer = timers.get(name) ?? metrics.requests.labels({ method, route, status })
    timers.set(name, timer)
    return timer
  }
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    const { method } = request
    const status = reply.statusCode
    const durationMs = reply.elapsedTime
    if (request.caller) request.resourceId = findResourceId(request)
    if (!request.routeOptions.config.streams) {
      timerOf(request, status).observe(durationMs / 1_000)
    }
    if (request.refusalCode) metrics.refusals.inc({ code: request.refusalCode })
    logger.info(
      {
        requestId: request.id,
        tenantId: request.caller?.tenantId,
        keyId: request.caller?.keyId,
        personId: request.session?.person.id,
        operatorId: request.operator?.id,
        resourceId: request.resourceId,
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
