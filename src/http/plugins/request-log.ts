import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
    // The slowest are those whose client leaves: no answer ends them.
    reply.raw.once('close', () => {
      const { streams } = request.routeOptions.config
      if (!reply.raw.writableFinished && !streams) note(request, reply, 'client_gone')
    })
    done()
  })
  const timers = new Map<string, { observe(seconds: number): void }>()
  const timerOf = (request: FastifyRequest, status: number | 'client_gone') => {
    const { method, route } = labelsOf(request)
    const name = `${method} ${status} ${route}`
    const timer = timers.get(name) ?? metrics.requests.labels({ method, route, status })
    timers.set(name, timer)
    return timer
  }
  /** `outcome`: the status, or that the client closed its connection before it had the answer. */
  const note = (request: FastifyRequest, reply: FastifyReply, outcome: number | 'client_gone') => {
    const isGone = outcome === 'client_gone'
    const durationMs = reply.elapsedTime
    if (request.caller) request.resourceId = findResourceId(request)
    if (!request.routeOptions.config.streams) {
      timerOf(request, outcome).observe(durationMs / 1_000)
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
        method: request.method,
        route: request.routeOptions.url ?? 'unmatched',
        ...(isGone ? { outcome } : { status: outcome }),
        code: request.refusalCode,
        class: request.limitClass,
        durationMs: Math.round(durationMs * 10) / 10,
      },
      'request',
    )
  }
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply, reply.statusCode)
    done()
  })
}
