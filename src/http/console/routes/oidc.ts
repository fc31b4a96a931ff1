import { z } from 'zod'
import { signInByIdentity } from '../../../domain/console/sign-in/sign-in-by-identity.ts'
import type { TypedApp } from '../../app-type.ts'
import { CONSOLE_FLOW_COOKIE } from '../../browser/cookies.ts'
import { finishOidc, type OidcSite, redirectTo, startOidc } from '../../browser/oidc-flow.ts'
import type { RouteContext } from '../../route-context.ts'
import { idFilter } from '../../schemas/fields.ts'
import { consoleOperation } from '../operation.ts'
import { findFormer, type SessionMark, startSession } from '../start-session.ts'

type Kept = { tenantId?: string | undefined; former?: SessionMark | undefined }

export const CONSOLE_OIDC: OidcSite<Kept> = {
  home: '/console/',
  cookie: CONSOLE_FLOW_COOKIE,
  sealContext: 'console/oidc',
  challenges: 'console_challenges',
  kept: z.object({
    tenantId: z.string().optional(),
    former: z
      .object({ tenantId: z.string(), personId: z.string(), sessionId: z.string() })
      .optional(),
  }),
}

const SENT_ON = z.undefined().describe('A redirect; empty body')

export function oidcRoutes(app: TypedApp, context: RouteContext): void {
  const { identityProvider: provider, clock } = context
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
      redirectTo({ request, reply }, CONSOLE_OIDC, context, async () => {
        const { tenant_id: tenantId } = request.query
        const kept = { tenantId, former: await findFormer(context, request) }
        return await startOidc(CONSOLE_OIDC, context, { reply, provider }, kept)
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
      redirectTo({ request, reply }, CONSOLE_OIDC, context, async () => {
        const exchange = { request, reply }
        const { identity, kept } = await finishOidc(CONSOLE_OIDC, context, exchange, provider)
        const terms = { requestId: request.id, now: clock(), tenantId: kept.tenantId }
        await startSession(context, { ...exchange, former: kept.former }, (tx) =>
          signInByIdentity(tx, identity, terms),
        )
        return CONSOLE_OIDC.home
      }),
  )
}
