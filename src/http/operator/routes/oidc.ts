import { z } from 'zod'
import { signInByIdentity } from '../../../domain/operators/sign-in/sign-in-by-identity.ts'
import type { TypedApp } from '../../app-type.ts'
import { DESK_COOKIE, DESK_FLOW_COOKIE } from '../../browser/cookies.ts'
import { finishOidc, type OidcSite, redirectTo, startOidc } from '../../browser/oidc-flow.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { startSession } from '../start-session.ts'

/** `former`: the token of the session that the browser had, sealed with the rest. */
type Kept = { former?: string | undefined }

export const DESK_OIDC: OidcSite<Kept> = {
  home: '/desk/',
  cookie: DESK_FLOW_COOKIE,
  sealContext: 'desk/oidc',
  challenges: 'operator_challenges',
  kept: z.object({ former: z.string().optional() }),
}

const SENT_ON = z.undefined().describe('A redirect; empty body')

export function oidcRoutes(app: TypedApp, context: OperatorContext): void {
  const { deskIdentityProvider: provider, clock } = context
  if (!provider) return
  app.get(
    '/session/oidc/start',
    {
      schema: operatorOperation({
        id: 'startOidcSignIn',
        summary: 'Go to the OIDC provider to sign in',
        tag: 'Session',
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirectTo({ request, reply }, DESK_OIDC, context, async () => {
        const kept = { former: DESK_COOKIE.read(request) }
        return await startOidc(DESK_OIDC, context, { reply, provider }, kept)
      }),
  )

  app.get(
    '/session/oidc/callback',
    {
      schema: operatorOperation({
        id: 'finishOidcSignIn',
        summary: 'Come back from the OIDC provider',
        tag: 'Session',
        querystring: z.looseObject({}),
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirectTo({ request, reply }, DESK_OIDC, context, async () => {
        const exchange = { request, reply }
        const { identity, kept } = await finishOidc(DESK_OIDC, context, exchange, provider)
        const terms = { requestId: request.id, now: clock() }
        await startSession(context, { ...exchange, former: kept.former }, (tx) =>
          signInByIdentity(tx, identity, terms),
        )
        return DESK_OIDC.home
      }),
  )
}
