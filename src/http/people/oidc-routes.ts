import { z } from 'zod'
import { type Audience, LENDER } from '../../db/people-tables.ts'
import { signInByIdentity } from '../../domain/people/identities.ts'
import type { TypedApp } from '../app-type.ts'
import { idFilter } from '../schemas/fields.ts'
import { NO_QUERY } from '../schemas/operation.ts'
import { type Door, OPEN } from './door.ts'
import { finishOidc, redirectTo, startOidc } from './oidc-flow.ts'
import { startSession } from './start-session.ts'

const SENT_ON = z.undefined().describe('A redirect; empty body')

const ASKED_TENANT = z.strictObject({
  tenant_id: idFilter('ten').describe('For a person of several tenants'),
})

export function oidcRoutes<A extends Audience>(app: TypedApp, door: Door<A>): void {
  const { identityProvider: provider, audience, operation } = door
  if (!provider) return
  app.get(
    '/session/oidc/start',
    {
      config: OPEN,
      schema: operation({
        id: 'startOidcSignIn',
        summary: 'Go to the OIDC provider to sign in',
        tag: 'Session',
        querystring: audience === 'tenant' ? ASKED_TENANT : NO_QUERY,
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirectTo({ request, reply }, door, async () => {
        const { tenant_id: tenantId } = request.query as z.output<typeof ASKED_TENANT>
        const kept = { tenantId, former: door.cookie.read(request) }
        return await startOidc(door, { reply, provider }, kept)
      }),
  )

  app.get(
    '/session/oidc/callback',
    {
      config: OPEN,
      schema: operation({
        id: 'finishOidcSignIn',
        summary: 'Come back from the OIDC provider',
        tag: 'Session',
        querystring: z.looseObject({}),
        response: { 302: SENT_ON },
        isOpen: true,
      }),
    },
    (request, reply) =>
      redirectTo({ request, reply }, door, async () => {
        const exchange = { request, reply }
        const { identity, kept } = await finishOidc(door, exchange, provider)
        const { tenantId, former } = kept
        const people = audience === 'lender' ? LENDER : { audience: 'tenant' as const, tenantId }
        await startSession(door, { ...exchange, former }, (tx, when) =>
          signInByIdentity(tx, people, identity, when),
        )
        return door.home
      }),
  )
}
