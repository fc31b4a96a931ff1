import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { LIMIT_CLASSES, type LimitClass } from '../../core/limits/limit-classes.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { unsupportedMediaType } from '../errors/problem.ts'
import { isJson } from '../read-json.ts'
import { parseIdempotencyKey } from './idempotency-key.ts'
import type { PortfolioLine } from './portfolio-line.ts'
import type { BucketDecision, BucketScope, TokenBuckets } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    limitClass: LimitClass | undefined
    /** On a route that sheds load, the bucket's refusal; otherwise undefined. */
    tokenless: BucketDecision | undefined
    /** Lower-cased: the same UUID in another case is the same key. */
    idempotencyKey: string | undefined
  }
}

/** The bucket that a request spends a token of. */
type Charge = { scope: BucketScope; limitClass: LimitClass }

export type AdmitOptions = {
  buckets: TokenBuckets
  /** Where portfolios wait for a token; without it they are refused. */
  line?: Pick<PortfolioLine, 'isWaiting'>
  isLive: boolean
  /** The buckets to take of, in order. By default the tenant's of the route's class. */
  chargesOf?: (request: FastifyRequest, routeClass: LimitClass) => Charges
}

export type Charges = readonly [Charge, ...Charge[]]

const chargeTenant = (request: FastifyRequest, limitClass: LimitClass): Charges => [
  { scope: { tenantId: callerOf(request).tenantId }, limitClass },
]

/**
 * Checks a verified request in this order: token bucket, path and method, media type, passkey, scope,
 * suspension, idempotency key. A route with `shedsLoad` is reached without a token too.
 */
export function admit(app: FastifyInstance, options: AdmitOptions): void {
  const { buckets, line, chargesOf = chargeTenant } = options
  app.decorateRequest('limitClass', undefined)
  app.decorateRequest('tokenless', undefined)
  app.decorateRequest('idempotencyKey', undefined)

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const routeClass = classOf(request, options.isLive)
    const charges = chargesOf(request, routeClass)
    const sheds = line !== undefined && request.routeOptions.config.shedsLoad === true
    // While others wait, no token is taken: it belongs to the first in the queue.
    const mustWait = sheds && line.isWaiting(callerOf(request).tenantId)
    const asked = mustWait ? peekFirst(buckets, charges) : takeEach(buckets, charges)
    asked.then(({ decision, limitClass }) => {
      try {
        request.limitClass = limitClass
        setRateHeaders(reply, decision)
        if (!sheds) assertToken(decision, limitClass, routeClass)
        else if (mustWait || !decision.allowed) request.tokenless = decision
        assertReadable(request, reply, options.isLive)
        assertHasPasskey(request)
        assertScope(request)
        assertNotSuspended(request)
        request.idempotencyKey = readIdempotencyKey(request)
        done()
      } catch (error) {
        done(error as Error)
      }
    }, done)
  })
}

type Taken = { decision: BucketDecision; limitClass: LimitClass }

/** Until one refuses. Returns what the last one decided. */
async function takeEach(buckets: TokenBuckets, charges: Charges): Promise<Taken> {
  const [{ scope, limitClass }, next, ...rest] = charges
  const decision = await buckets.take(scope, limitClass)
  return next && decision.allowed
    ? await takeEach(buckets, [next, ...rest])
    : { decision, limitClass }
}

async function peekFirst(buckets: TokenBuckets, [charge]: Charges): Promise<Taken> {
  const { scope, limitClass } = charge
  return { decision: await buckets.peek(scope, limitClass), limitClass }
}

/**
 * An unmatched path counts by its method; a sandbox path on the live stack counts as `simulate`.
 */
function classOf(request: FastifyRequest, isLive: boolean): LimitClass {
  const { limitClass, sandboxOnly } = request.routeOptions.config
  if (sandboxOnly && isLive) return 'simulate'
  return limitClass ?? (request.method === 'GET' ? 'reads' : 'platform_config')
}

function assertToken(
  decision: BucketDecision,
  limitClass: LimitClass,
  routeClass: LimitClass,
): void {
  if (!decision.allowed) throw rateLimited(decision, limitClass)
  if (routeClass === 'simulate' && decision.degraded) {
    // Simulate sends traffic to addresses the caller chooses, so it fails closed.
    const detail = 'Simulate is unavailable while its rate limit cannot be checked.'
    throw new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
  }
}

export function rateLimited(decision: BucketDecision, limitClass: LimitClass): Refusal {
  const { displayName } = LIMIT_CLASSES[limitClass]
  const { retryAfterSeconds = 1 } = decision
  const detail = `Too many requests of class ${displayName}; the request did not run. ${retryAfter(retryAfterSeconds)}`
  return new Refusal('rate_limited', detail, { retryAfterSeconds })
}

/** For details of 429. */
export function retryAfter(seconds: number): string {
  return `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** Path, method and media type. */
export function assertReadable(
  request: FastifyRequest,
  reply: FastifyReply,
  isLive: boolean,
): void {
  assertRoute(request, reply, isLive)
  assertMediaType(request)
}

function assertRoute(request: FastifyRequest, reply: FastifyReply, isLive: boolean): void {
  const { config } = request.routeOptions
  const path = withoutTrailingSlash(request)
  if (path !== undefined) {
    throw new Refusal('not_found', `Paths do not end in a slash. Use ${path}.`)
  }
  if (config.sandboxOnly && isLive) {
    throw new Refusal('sandbox_only', 'This operation is available in the sandbox only.')
  }
  if (config.methodRefusal) {
    reply.header('allow', config.methodRefusal.allow)
    throw new Refusal(
      'method_not_allowed',
      `Method not allowed. Allowed: ${config.methodRefusal.allow}.`,
    )
  }
  if (config.limitClass === undefined) throw new Refusal('not_found', 'There is no such path.')
}

function assertMediaType({ rawBody, headers }: FastifyRequest): void {
  if (rawBody.length > 0 && !isJson(headers['content-type'])) {
    throw unsupportedMediaType()
  }
}

/** A person who was invited reaches a few routes before they have added a passkey, and no others. */
function assertHasPasskey({ session, routeOptions }: FastifyRequest): void {
  if (!session?.mustAddPasskey || routeOptions.config.isBeforePasskey) return
  throw new Refusal('passkey_required', 'Add a passkey first: nothing else is allowed until then.')
}

function assertScope(request: FastifyRequest): void {
  const { scope: keyScope, personScope = keyScope } = request.routeOptions.config
  const scope = request.session ? personScope : keyScope
  const { scopes, keyId } = callerOf(request)
  if (scope && !scopes.has(scope)) {
    const holder = keyId === undefined ? 'Your role' : 'The key'
    throw new Refusal('scope_missing', `${holder} does not have the scope ${scope}.`, {
      members: { required_scope: scope },
    })
  }
}

/** Margin, providers and deliveries go on by themselves; only requests are refused. */
function assertNotSuspended(request: FastifyRequest): void {
  if (!callerOf(request).isSuspended) return
  const { scope } = request.routeOptions.config
  if (request.method === 'GET' || !scope?.endsWith(':write')) return
  const detail = 'This tenant is suspended: it can read, and changes are refused.'
  throw new Refusal('tenant_suspended', detail)
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const { idempotencyKey: use } = request.routeOptions.config
  const given = request.headers['idempotency-key']
  if (use === undefined || use === 'ignored') return undefined
  if (typeof given !== 'string') {
    if (use !== 'required') return undefined
    throw new Refusal('idempotency_key_missing', 'Send an Idempotency-Key header with a new UUID.')
  }
  const key = parseIdempotencyKey(given)
  return use === 'accepted' ? undefined : key
}

export function requiredKeyOf({ idempotencyKey }: FastifyRequest): string {
  if (idempotencyKey === undefined) throw new Error('a route was reached without its required key')
  return idempotencyKey
}

export function setRateHeaders(reply: FastifyReply, decision: BucketDecision): void {
  reply.header('ratelimit-limit', decision.limit)
  reply.header('ratelimit-remaining', decision.remaining)
  reply.header('ratelimit-reset', decision.resetSeconds)
}

/** Undefined where the path has none. Not a regular expression, which would take quadratic time. */
export function withoutTrailingSlash(request: {
  raw: Pick<FastifyRequest['raw'], 'url'>
}): string | undefined {
  const [path = ''] = (request.raw.url ?? '').split('?')
  let length = path.length
  while (path[length - 1] === '/') length -= 1
  return path.length > 1 && length < path.length ? path.slice(0, length) : undefined
}
