import { z } from 'zod'
import type { Audience } from '../../db/sql/people-tables.ts'
import { redeem } from '../../domain/people/links/invitations.ts'
import { getMember } from '../../domain/people/members.ts'
import { noteUse } from '../../domain/people/sign-in/passkeys.ts'
import { openSession } from '../../domain/people/sign-in/sessions.ts'
import { optionsToSignIn, verifySignIn } from '../../domain/people/sign-in/webauthn.ts'
import { ceremonyOf, type Door, type DoorApp, OPEN } from './door.ts'
import { waysSchema } from './sign-in-schemas.ts'
import { startSession } from './start-session.ts'
import { assertionSchema, optionsSchema } from './webauthn-schemas.ts'

export function signInRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  linkRoutes(app, door)
  passkeyRoutes(app, door)
}

function linkRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { audience, isLocal, identityProvider: provider } = door
  app.get('/sign-in', {
    id: 'getSignInWays',
    summary: 'Read how people can sign in here',
    tag: 'Session',
    config: OPEN,
    response: { 200: waysSchema },
    isOpen: true,
    handler: async () => ({
      ...{ passkeys: true, local: isLocal },
      oidc: provider ? { name: provider.name } : null,
    }),
  })

  app.post('/session/link', {
    id: 'signInByLink',
    summary: 'Sign in by an invitation, or by the link of a local stack',
    tag: 'Session',
    config: OPEN,
    body: z
      .strictObject({ token: z.string().min(1).max(200) })
      .meta({ id: door.linkName, examples: [{ token: door.linkExample }] }),
    response: { 200: door.sessionSchema },
    errors: ['link_invalid', 'session_required'],
    isOpen: true,
    async handler(request, reply) {
      const { token } = request.body
      const session = await startSession(door, { request, reply }, (tx, when) =>
        redeem(tx, audience, token, { ...when, allowsLinks: isLocal }),
      )
      return await door.describeSession(session)
    },
  })
}

function passkeyRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  app.post('/session/passkey/options', {
    id: 'startPasskeySignIn',
    summary: 'Begin to sign in by a passkey',
    tag: 'Session',
    config: OPEN,
    response: { 200: optionsSchema },
    isOpen: true,
    isPost: true,
    handler: async () => ({ ...(await optionsToSignIn(ceremonyOf(door))) }),
  })

  app.post('/session/passkey', {
    id: 'signInByPasskey',
    summary: 'Sign in by a passkey',
    tag: 'Session',
    config: OPEN,
    body: z.strictObject({ response: assertionSchema }),
    response: { 200: door.sessionSchema },
    errors: ['passkey_invalid', 'session_required'],
    isOpen: true,
    async handler(request, reply) {
      const passkey = await verifySignIn(ceremonyOf(door), request.body.response)
      const session = await startSession(door, { request, reply }, async (tx, when) => {
        const member = await getMember(tx, passkey.key)
        const endsAt = await noteUse(tx, passkey, when.now)
        const { heldSince } = passkey
        return await openSession(tx, member, when, { signedInBy: 'passkey', heldSince, endsAt })
      })
      return await door.describeSession(session)
    },
  })
}
