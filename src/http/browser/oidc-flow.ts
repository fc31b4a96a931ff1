import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import type { Sealer } from '../../core/sealing.ts'
import { type Clock, MINUTE_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { createChallenge, SIGN_IN, takeChallenge } from '../../domain/sign-in/challenges.ts'
import type { Identity, IdentityProvider } from '../../domain/sign-in/identity-provider.ts'
import { toRefusal } from '../errors/problem.ts'
import type { Cookie } from './cookies.ts'
import { isOfAnotherSite } from './same-origin.ts'

const VALID_MS = 10 * MINUTE_MS

/** The pages that people come back to from their provider. */
export type OidcSite<Kept> = {
  /** With the code of a failure after `#error=`. */
  home: string
  cookie: Cookie
  sealContext: string
  /** Each flow has one of its own, unknown to its browser, which its answer uses up. */
  challenges: Parameters<typeof createChallenge>[1]
  /** What is remembered between the start and the answer. The provider's site leads back here, so
   * that a session's own cookie is not sent then. */
  kept: z.ZodType<Kept>
}

type FlowContext = { db: Db; sealer: Sealer; clock: Clock; logger: Logger }
type Exchange = { request: FastifyRequest; reply: FastifyReply }

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  once: z.string(),
  kept: z.unknown(),
})

/** Before a token is taken: pages of other sites neither start a sign-in nor exhaust it. What comes
 * back from the provider has the cookie of its start, which no part of another page has. */
export function refuseUnasked(app: FastifyInstance, site: OidcSite<unknown>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isStart = request.routeOptions.url?.endsWith('/start') === true
    if (isStart ? !isOfAnotherSite(request) : site.cookie.read(request) !== undefined) return done()
    leadBack({ request, reply }, site, isStart ? 'cross_origin' : 'oidc_refused')
  })
}

/** Returns where the browser goes. Refuses `unavailable`. */
export async function startOidc<Kept>(
  site: OidcSite<Kept>,
  { db, sealer, clock }: FlowContext,
  { reply, provider }: { reply: FastifyReply; provider: IdentityProvider },
  kept: Kept,
): Promise<string> {
  const { url, flow } = await provider.begin().catch((cause: unknown) => {
    throw new Refusal('unavailable', 'The OIDC provider does not answer.', { cause })
  })
  const wanted = { ...SIGN_IN, validMs: VALID_MS }
  const challenge = await createChallenge(db, site.challenges, wanted, clock())
  const sealed = { ...flow, kept, once: challenge.toString('base64url') }
  site.cookie.set(reply, sealer.seal(JSON.stringify(sealed), site.sealContext), VALID_MS)
  return url
}

/** Who came back. Refuses `oidc_refused` for an answer to another browser, a second one, one after ten
 * minutes, and one that does not verify. */
export async function finishOidc<Kept>(
  site: OidcSite<Kept>,
  context: FlowContext,
  { request, reply }: Exchange,
  provider: IdentityProvider,
): Promise<{ identity: Identity; kept: Kept }> {
  site.cookie.clear(reply)
  const { once, ...flow } = openFlow(site, context, request)
  const wanted = { ...SIGN_IN, given: once }
  if (!(await takeChallenge(context.db, site.challenges, wanted, context.clock()))) {
    throw refused('The sign-in was answered before, or took longer than ten minutes.')
  }
  const [, query = ''] = (request.raw.url ?? '').split('?')
  const identity = await provider.finish(query, flow).catch((cause: unknown) => {
    throw refused('The answer of the provider does not verify.', cause)
  })
  return { identity, kept: site.kept.parse(flow.kept) }
}

/** A browser comes here by itself, so every failure leads to the pages with its code. */
export async function redirectTo(
  exchange: Exchange,
  site: OidcSite<unknown>,
  { logger }: FlowContext,
  run: () => Promise<string>,
): Promise<void> {
  const { request, reply } = exchange
  try {
    reply.redirect(await run(), 302)
  } catch (error) {
    const refusal = toRefusal(error)
    const { cause } = refusal.extras
    logger.warn({ requestId: request.id, code: refusal.code, err: cause }, 'OIDC sign-in failed')
    leadBack(exchange, site, refusal.code)
  }
}

function leadBack({ request, reply }: Exchange, site: OidcSite<unknown>, code: ErrorCode): void {
  request.refusalCode = code
  reply.redirect(`${site.home}#error=${code}`, 302)
}

function openFlow(
  { cookie, sealContext }: OidcSite<unknown>,
  { sealer }: FlowContext,
  request: FastifyRequest,
) {
  const sealed = cookie.read(request)
  if (sealed === undefined) throw refused('The sign-in was not started in this browser.')
  let text: string
  try {
    text = sealer.open(sealed, sealContext)
  } catch (error) {
    throw refused('The sign-in was not started in this browser.', error)
  }
  return flowSchema.parse(JSON.parse(text))
}

function refused(detail: string, cause?: unknown): Refusal {
  return new Refusal('oidc_refused', detail, { cause })
}
