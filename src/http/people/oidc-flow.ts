import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import { MINUTE_MS } from '../../core/time.ts'
import { createChallenge, SIGN_IN, takeChallenge } from '../../domain/people/sign-in/challenges.ts'
import type { Identity, IdentityProvider } from '../../domain/people/sign-in/identity-provider.ts'
import { isOfAnotherSite } from '../browser/same-origin.ts'
import { toRefusal } from '../errors/problem.ts'
import type { DoorFrame } from './door.ts'

const VALID_MS = 10 * MINUTE_MS

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** What is remembered between the start and the answer. The provider's site leads back here, so that a
 * session's own cookie is not sent then. */
const keptSchema = z.object({
  /** Which one of a person of several tenants; without it the first of them. */
  tenantId: z.string().optional(),
  /** The token of the session that the browser had. */
  former: z.string().optional(),
  /** The provider asks again who it is. */
  isFresh: z.boolean(),
})

type Kept = z.output<typeof keptSchema>

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  once: z.string(),
  kept: keptSchema,
})

/** Before a token is taken: pages of other sites neither start a sign-in nor exhaust it. What comes
 * back from the provider has the cookie of its start, which no part of another page has. */
export function refuseUnasked(app: FastifyInstance, door: DoorFrame): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isStart = request.routeOptions.url?.endsWith('/start') === true
    if (isStart ? !isOfAnotherSite(request) : door.flowCookie.read(request) !== undefined)
      return done()
    leadBack({ request, reply }, door, isStart ? 'cross_origin' : 'oidc_refused')
  })
}

/** Returns where the browser goes. Refuses `unavailable`. */
export async function startOidc(
  door: DoorFrame,
  { reply, provider }: { reply: FastifyReply; provider: IdentityProvider },
  kept: Kept,
): Promise<string> {
  const { url, flow } = await provider.begin(kept).catch((cause: unknown) => {
    throw new Refusal('unavailable', 'The OIDC provider does not answer.', { cause })
  })
  const wanted = { ...SIGN_IN, validMs: VALID_MS }
  const challenge = await createChallenge(door.db, door.audience, wanted, door.clock())
  const sealed = { ...flow, kept, once: challenge.toString('base64url') }
  door.flowCookie.set(reply, door.sealer.seal(JSON.stringify(sealed), contextOf(door)), VALID_MS)
  return url
}

/** Who came back. Refuses `oidc_refused` for an answer to another browser, a second one, one after ten
 * minutes, and one that does not verify. */
export async function finishOidc(
  door: DoorFrame,
  { request, reply }: Exchange,
  provider: IdentityProvider,
): Promise<{ identity: Identity; kept: Kept }> {
  door.flowCookie.clear(reply)
  const { once, kept, ...flow } = openFlow(door, request)
  const wanted = { ...SIGN_IN, given: once }
  if (!(await takeChallenge(door.db, door.audience, wanted, door.clock()))) {
    throw refused('The sign-in was answered before, or took longer than ten minutes.')
  }
  const [, query = ''] = (request.raw.url ?? '').split('?')
  const identity = await provider.finish(query, flow).catch((cause: unknown) => {
    throw refused('The answer of the provider does not verify.', cause)
  })
  return { identity, kept }
}

/** A browser comes here by itself, so every failure leads to the pages with its code. */
export async function redirectTo(
  exchange: Exchange,
  door: DoorFrame,
  run: () => Promise<string>,
): Promise<void> {
  const { request, reply } = exchange
  try {
    reply.redirect(await run(), 302)
  } catch (error) {
    const refusal = toRefusal(error)
    const { cause } = refusal.extras
    door.logger.warn(
      { requestId: request.id, code: refusal.code, err: cause },
      'OIDC sign-in failed',
    )
    leadBack(exchange, door, refusal.code)
  }
}

function leadBack({ request, reply }: Exchange, door: DoorFrame, code: ErrorCode): void {
  request.refusalCode = code
  reply.redirect(`${door.home}#error=${code}`, 302)
}

function openFlow(door: DoorFrame, request: FastifyRequest) {
  const sealed = door.flowCookie.read(request)
  if (sealed === undefined) throw refused('The sign-in was not started in this browser.')
  let text: string
  try {
    text = door.sealer.open(sealed, contextOf(door))
  } catch (error) {
    throw refused('The sign-in was not started in this browser.', error)
  }
  return flowSchema.parse(JSON.parse(text))
}

const contextOf = ({ home }: DoorFrame) => `${home}oidc`

function refused(detail: string, cause?: unknown): Refusal {
  return new Refusal('oidc_refused', detail, { cause })
}
