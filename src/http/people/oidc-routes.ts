import { z } from 'zod'
import { type Audience, LENDER } from '../../db/sql/people-tables.ts'
import { signInByIdentity } from '../../domain/people/sign-in/identities.ts'
import { idFilter } from '../schemas/fields.ts'
import { type Door, type DoorApp, OPEN } from './door.ts'
import { finishOidc, redirectTo, startOidc } from './oidc-flow.ts'
import { startSession } from './start-session.ts'

const SENT_ON = z.undefined().describe('A redirect; empty body')

const fresh = z
  .enum(['true'])
  .optional()
  .describe(
    'The provider asks again who it is; then for 5 minutes a first passkey can be added, and a link refused',
  )

const OF_LENDER = z.strictObject({ fresh })

const OF_TENANTS = OF_LENDER.extend({
  tenant_id: idFilter('ten').describe('For a person of several tenants'),
})

export function oidcRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { identityProvider: provider, audience } = door
  if (!provider) return
  app.get('/session/oidc/start', {
    id: 'startOidcSignIn',
    summary: 'Go to the OIDC provider to sign in',
    tag: 'Session',
    config: OPEN,
    querystring: audience === 'tenant' ? OF_TENANTS : OF_LENDER,
    response: { 302: SENT_ON },
    isOpen: true,
    handler: (request, reply) =>
      redirectTo({ request, reply }, door, async () => {
        const asked = request.query as z.output<typeof OF_TENANTS>
        const kept = {
          ...{ tenantId: asked.tenant_id, isFresh: asked.fresh === 'true' },
          former: door.cookie.read(request),
        }
        return await startOidc(door, { reply, provider }, kept)
      }),
  })

  app.get('/session/oidc/callback', {
    id: 'finishOidcSignIn',
    summary: 'Come back from the OIDC provider',
    tag: 'Session',
    config: OPEN,
    querystring: z.looseObject({}),
    response: { 302: SENT_ON },
    isOpen: true,
    handler: (request, reply) =>
      redirectTo({ request, reply }, door, async () => {
        const exchange = { request, reply }
        const { identity, kept } = await finishOidc(door, exchange, provider)
        const { tenantId, former, isFresh } = kept
        const people = audience === 'lender' ? LENDER : { audience: 'tenant' as const, tenantId }
        await startSession(door, { ...exchange, former }, (tx, when, session) =>
          signInByIdentity(tx, identity, { people, former: session, isFresh }, when),
        )
        return door.home
      }),
  })
}
