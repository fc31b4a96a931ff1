import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { LIMIT_CLASSES, type LimitClass } from '../../core/limits/limit-classes.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { isJson } from '../is-json.ts'
import { unsupportedMediaType } from '../problem.ts'
import { sourceOf } from '../source.ts'
import { withoutTrailingSlash } from '../trailing-slash.ts'
import type { PortfolioLine } from './portfolio-line.ts'
import type { BucketDecision, TokenBuckets } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The class whose bucket this request was counted against; undefined before it was. */
    limitClass: LimitClass | undefined
    /** Set where a route that sheds must do without a token: what the bucket said. */
    tokenless: BucketDecision | undefined
    /** The Idempotency-Key, lower-cased: the same UUID in another case is the same key. */
    idempotencyKey: string | undefined
  }
}

/** The form of an Idempotency-Key, in either case, as the document shows it. */
export const UUID_PATTERN = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
const UUID = new RegExp(UUID_PATTERN)

/**
 * Lets a verified request on to its route, or tells why not, in this order: token bucket, path and
 * method, media type, scope, idempotency key (interface, Limits and Scopes). A route that sheds is
 * reached without a token too.
 */
export function admit(
  app: FastifyInstance,
  options: {
    buckets: TokenBuckets
    line: Pick<PortfolioLine, 'isWaiting'>
    isLive: boolean
  },
): void {
  const { buckets, line } = options
  app.decorateRequest('limitClass', undefined)
  app.decorateRequest('tokenless', undefined)
  app.decorateRequest('idempotencyKey', undefined)

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const limitClass = classOf(request, options.isLive)
    request.limitClass = limitClass
    const { tenantId } = callerOf(request)
    const sheds = request.routeOptions.config.shedsLoad === true
    // Whoever comes while others wait takes no token: it would be taken from the first of the line.
    const mustWait = sheds && line.isWaiting(tenantId)
    const asked = mustWait
      ? buckets.peek({ tenantId }, limitClass)
      : buckets.take({ tenantId }, limitClass)
    asked.then((decision) => {
      try {
        setRateHeaders(reply, decision)
        if (!sheds) assertToken(decision, limitClass)
        else if (mustWait || !decision.allowed) request.tokenless = decision
        assertRoute(request, reply, options.isLive)
        assertMediaType(request)
        assertScope(request)
        request.idempotencyKey = readIdempotencyKey(request)
        done()
      } catch (error) {
        done(error as Error)
      }
    }, done)
  })
}

/**
 * Unmatched paths count as what their method would be: a read, or a change of configuration. What
 * the live stack does not serve counts as a simulation there.
 */
function classOf(request: FastifyRequest, isLive: boolean): LimitClass {
  const { limitClass, sandboxOnly } = request.routeOptions.config
  if (sandboxOnly && isLive) return 'simulate'
  return limitClass ?? (request.method === 'GET' ? 'reads' : 'platform_config')
}

function assertToken(decision: BucketDecision, limitClass: LimitClass): void {
  if (!decision.allowed) throw rateLimited(decision, limitClass)
  if (limitClass === 'simulate' && decision.degraded) {
    // The one operation that sends traffic to addresses of the caller's choosing fails closed.
    const detail = 'Simulate is closed while its limit cannot be counted.'
    throw new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
  }
}

/** The 429 of an empty bucket, naming its class. */
export function rateLimited(decision: BucketDecision, limitClass: LimitClass): Refusal {
  const { displayName } = LIMIT_CLASSES[limitClass]
  return new Refusal(
    'rate_limited',
    `The bucket of class ${displayName} is empty; the request did not run.`,
    { retryAfterSeconds: decision.retryAfterSeconds ?? 1 },
  )
}

function assertRoute(request: FastifyRequest, reply: FastifyReply, isLive: boolean): void {
  const { config } = request.routeOptions
  const path = withoutTrailingSlash(request)
  if (path !== undefined) {
    throw new Refusal('not_found', `Paths have no slash at the end; this one would be ${path}.`)
  }
  if (config.sandboxOnly && isLive) {
    throw new Refusal('sandbox_only', 'This operation exists on the sandbox alone.')
  }
  if (config.methodRefusal) {
    reply.header('allow', config.methodRefusal.allow)
    throw new Refusal('method_not_allowed', `This path takes ${config.methodRefusal.allow}.`)
  }
  if (config.limitClass === undefined) throw new Refusal('not_found', 'There is no such path.')
}

function assertMediaType({ rawBody, headers }: FastifyRequest): void {
  if (rawBody.length > 0 && !isJson(headers['content-type'])) {
    throw unsupportedMediaType()
  }
}

function assertScope(request: FastifyRequest): void {
  const { scope } = request.routeOptions.config
  if (scope && !callerOf(request).scopes.has(scope)) {
    throw new Refusal('scope_missing', `The key lacks the scope ${scope}.`, {
      members: { required_scope: scope },
    })
  }
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const { idempotencyKey: use } = request.routeOptions.config
  const given = request.headers['idempotency-key']
  // Of a path without a route nothing is known; it is refused by then.
  if (use === undefined || use === 'ignored') return undefined
  if (typeof given !== 'string') {
    if (use !== 'required') return undefined
    throw new Refusal('idempotency_key_missing', 'Send an Idempotency-Key header with a new UUID.')
  }
  if (!UUID.test(given)) {
    // An empty header is not an absent one, though both sign as an empty line.
    throw new Refusal('idempotency_key_invalid', 'The Idempotency-Key must be a UUID.')
  }
  return use === 'accepted' ? undefined : given.toLowerCase()
}

/** The key of a request to a route that requires one. */
export function requiredKeyOf({ idempotencyKey }: FastifyRequest): string {
  if (idempotencyKey === undefined) throw new Error('a route was reached without its required key')
  return idempotencyKey
}

/** The three fields of the interface, Limits rule 1. */
export function setRateHeaders(reply: FastifyReply, decision: BucketDecision): void {
  reply.header('ratelimit-limit', decision.limit)
  reply.header('ratelimit-remaining', decision.remaining)
  reply.header('ratelimit-reset', decision.resetSeconds)
}

/**
 * Counts a request that did not verify against its source, and gives what to answer: the refusal
 * itself, or a 429 once the source has failed too often. Tenants' buckets are never touched.
 */
export async function countUnverified(
  buckets: TokenBuckets,
  address: string | undefined,
  refusal: Refusal,
): Promise<{ decision: BucketDecision; refusal: Refusal }> {
  const source = { source: sourceOf(address) }
  if (refusal.code === 'internal' || refusal.code === 'unavailable') {
    // Our own failure to look a key up is not the sender's.
    return { decision: await buckets.peek(source, 'unverified'), refusal }
  }
  const decision = await buckets.take(source, 'unverified')
  if (decision.allowed) return { decision, refusal }
  return { decision, refusal: rateLimited(decision, 'unverified') }
}

/** The 429 that the next failing request of this source would get, without counting one. */
export async function refuseExhausted(
  buckets: TokenBuckets,
  address: string,
): Promise<Refusal | undefined> {
  const decision = await buckets.peek({ source: sourceOf(address) }, 'unverified')
  return decision.allowed ? undefined : rateLimited(decision, 'unverified')
}
