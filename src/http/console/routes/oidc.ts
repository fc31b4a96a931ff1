import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ErrorCode, Refusal } from '../../../core/errors.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type {
  Identity,
  IdentityProvider,
} from '../../../domain/console/sign-in/identity-provider.ts'
import { signInByIdentity } from '../../../domain/console/sign-in/sign-in-by-identity.ts'
import type { TypedApp } from '../../app-type.ts'
import { toRefusal } from '../../errors/problem.ts'
import type { RouteContext } from '../../route-context.ts'
import { idFilter } from '../../schemas/fields.ts'
import { clearFlowCookie, readFlowCookie, setFlowCookie } from '../cookie.ts'
import { consoleOperation } from '../operation.ts'
import { isOfAnotherSite } from '../same-origin.ts'
import { findFormer, startSession } from '../start-session.ts'

const VALID_MS = 10 * MINUTE_MS
const SEAL_CONTEXT = 'console/oidc'

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  tenantId: z.string().optional(),
  /** The provider's site leads back here, so that this session's own cookie is not sent then. */
  former: z
    .object({ tenantId: z.string(), personId: z.string(), sessionId: z.string() })
    .optional(),
  expiresAt: z.number(),
})

type Flow = z.output<typeof flowSchema>
type Exchange = { request: FastifyRequest; reply: FastifyReply }

const SENT_ON = z.undefined().describe('A redirect; empty body')

/** Before a token is taken: pages of other sites neither start a sign-in nor exhaust it. What comes
 * back from the provider has the cookie of its start, which no part of another page has. */
export function refuseUnasked(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isStart = request.routeOptions.url?.endsWith('/start') === true
    if (isStart ? !isOfAnotherSite(request) : readFlowCookie(request) !== undefined) return done()
    leadBack(request, reply, isStart ? 'cross_origin' : 'oidc_refused')
  })
}

function leadBack(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): void {
  request.refusalCode = code
  reply.redirect(`/console/#error=${code}`, 302)
}

/** A browser comes here by itself, so every failure leads to the application with its code. */
export function oidcRoutes(app: TypedApp, context: RouteContext): void {
  const { identityProvider: provider, sealer, clock } = context
  if (!provider) return
  app.get(
    '/session/oidc/start',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'startOidcSignIn',
        summary: 'Go to the OIDC provider to sign in',
        tag: 'Session',
        querystring: z.strictObject({
          tenant_id: idFilter('ten').describe('For a person of several tenants'),
        }),
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirect(context, { request, reply }, async () => {
        const { url, flow } = await provider.begin().catch((error: unknown) => {
          throw unavailable(error)
        })
        const kept: Flow = { ...flow, expiresAt: addMs(clock(), VALID_MS).getTime() }
        const { tenant_id: tenantId } = request.query
        if (tenantId !== undefined) kept.tenantId = tenantId
        kept.former = await findFormer(context, request)
        setFlowCookie(reply, sealer.seal(JSON.stringify(kept), SEAL_CONTEXT), VALID_MS)
        return url
      }),
  )

  app.get(
    '/session/oidc/callback',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'finishOidcSignIn',
        summary: 'Come back from the OIDC provider',
        tag: 'Session',
        querystring: z.looseObject({}),
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirect(context, { request, reply }, async () => {
        clearFlowCookie(reply)
        const flow = openFlow(context, request)
        const identity = await identify(provider, request, flow)
        const terms = { requestId: request.id, now: clock(), tenantId: flow.tenantId }
        const { former } = flow
        await startSession(context, { request, reply, former }, (tx) =>
          signInByIdentity(tx, identity, terms),
        )
        return '/console/'
      }),
  )
}

async function redirect(
  { logger }: RouteContext,
  { request, reply }: Exchange,
  run: () => Promise<string>,
): Promise<void> {
  try {
    reply.redirect(await run(), 302)
  } catch (error) {
    const refusal = toRefusal(error)
    const { cause } = refusal.extras
    logger.warn({ requestId: request.id, code: refusal.code, err: cause }, 'OIDC sign-in failed')
    leadBack(request, reply, refusal.code)
  }
}

/** Refuses `oidc_refused` for an answer to another browser, or after ten minutes. */
function openFlow({ sealer, clock }: RouteContext, request: FastifyRequest): Flow {
  const sealed = readFlowCookie(request)
  if (sealed === undefined) throw refused('The sign-in was not started in this browser.')
  let text: string
  try {
    text = sealer.open(sealed, SEAL_CONTEXT)
  } catch (error) {
    throw refused('The sign-in was not started in this browser.', error)
  }
  const flow = flowSchema.parse(JSON.parse(text))
  if (clock().getTime() >= flow.expiresAt)
    throw refused('The sign-in took longer than ten minutes.')
  return flow
}

async function identify(
  provider: IdentityProvider,
  request: FastifyRequest,
  flow: Flow,
): Promise<Identity> {
  const [, query = ''] = (request.raw.url ?? '').split('?')
  try {
    return await provider.finish(query, flow)
  } catch (error) {
    throw refused('The answer of the provider does not verify.', error)
  }
}

function refused(detail: string, cause?: unknown): Refusal {
  return new Refusal('oidc_refused', detail, { cause })
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('unavailable', 'The OIDC provider does not answer.', { cause })
}
