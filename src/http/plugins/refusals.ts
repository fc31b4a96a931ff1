import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { Refusal } from '../../core/errors.ts'
import { sendProblem, toRefusal } from '../errors/problem.ts'
import { retryAfter, setRateHeaders, withoutTrailingSlash } from '../limits/admit.ts'
import { countUnverified, type FailureClass } from '../limits/failures-by-source.ts'
import type { TokenBuckets } from '../limits/token-buckets.ts'

export type RefusalOptions = { buckets: TokenBuckets; logger: Logger; errorsUrl: string }

/**
 * Answers refusals as problem objects. An unverified request counts against its source's bucket.
 */
export function answerRefusals(
  app: FastifyInstance,
  options: RefusalOptions,
  failureClass: FailureClass = 'unverified',
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error)
    logFailure(options.logger, request.id, refusal)
    if (request.caller) return sendProblem(request, reply, refusal, options.errorsUrl)
    request.limitClass = failureClass
    const counted = await countUnverified(options.buckets, request.ip, refusal, failureClass)
    setRateHeaders(reply, counted.decision)
    return sendProblem(request, reply, counted.refusal, options.errorsUrl)
  })
  // Never reached: `admit` refuses unknown paths first. A safe fallback.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', 'There is no such path.')
  })
}

/** A refusal for load has no cause and is only a warning. */
function logFailure(logger: Logger, requestId: string, refusal: Refusal): void {
  const { cause } = refusal.extras
  if (refusal.code === 'unavailable' && cause === undefined) {
    logger.warn({ requestId, reason: refusal.message }, 'request refused')
  } else if (refusal.code === 'internal' || refusal.code === 'unavailable') {
    logger.error({ requestId, err: cause }, 'request failed')
  }
}

function describeWait(reply: FastifyReply): string {
  return `Too many requests. ${retryAfter(Number(reply.getHeader('retry-after')))}`
}

/** For the unauthenticated pages, which have their own limit. */
export function answerPublicRefusals(app: FastifyInstance, options: RefusalOptions): void {
  answerOpenRefusals(app, options)
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const path = isRead ? withoutTrailingSlash(request) : undefined
    // Only to a known route, never to an address the request makes up.
    if (path !== undefined && app.hasRoute({ method: 'GET', url: path })) {
      return reply.redirect(path, 301)
    }
    const detail =
      'There is no such path. The API is under /v1, its reference at /docs, its guides at /docs/guides.'
    return sendProblem(request, reply, new Refusal('not_found', detail), options.errorsUrl)
  })
}

/** For routes without authentication that count their requests by source. */
export function answerOpenRefusals(app: FastifyInstance, options: RefusalOptions): void {
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const isLimit = error.statusCode === 429
    const refusal = isLimit ? new Refusal('rate_limited', describeWait(reply)) : toRefusal(error)
    if (refusal.code === 'internal') {
      options.logger.error({ requestId: request.id, err: error }, 'request failed')
    }
    if (reply.hasHeader('ratelimit-limit')) {
      return sendProblem(request, reply, refusal, options.errorsUrl)
    }
    // Refused before its limit was checked.
    const counted = await countUnverified(options.buckets, request.ip, refusal)
    setRateHeaders(reply, counted.decision)
    return sendProblem(request, reply, counted.refusal, options.errorsUrl)
  })
}
