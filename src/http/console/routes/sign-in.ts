import { z } from 'zod'
import { redeem } from '../../../domain/console/invitations.ts'
import { noteUse } from '../../../domain/console/sign-in/passkeys.ts'
import { openSession } from '../../../domain/console/sign-in/sessions.ts'
import { optionsToSignIn, verifySignIn } from '../../../domain/sign-in/webauthn.ts'
import type { TypedApp } from '../../app-type.ts'
import { waysSchema } from '../../browser/sign-in-schemas.ts'
import { assertionSchema, optionsSchema } from '../../browser/webauthn-schemas.ts'
import type { RouteContext } from '../../route-context.ts'
import { ceremonyOf } from '../ceremony.ts'
import { consoleOperation } from '../operation.ts'
import { sessionSchema } from '../schemas.ts'
import { startSession } from '../start-session.ts'
import { describeSession } from './session.ts'

const linkSchema = z.strictObject({ token: z.string().min(1).max(200) }).meta({
  id: 'SignInLink',
  examples: [
    { token: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISE' },
  ],
})

export function signInRoutes(app: TypedApp, context: RouteContext): void {
  linkRoutes(app, context)
  passkeyRoutes(app, context)
}

function linkRoutes(app: TypedApp, context: RouteContext): void {
  const { config, clock } = context
  const isLocal = config.console.mode === 'local'
  app.get(
    '/sign-in',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'getSignInWays',
        summary: 'Read how people can sign in here',
        tag: 'Session',
        response: { 200: waysSchema },
        isOpen: true,
      }),
    },
    async () => {
      const { identityProvider: provider } = context
      const oidc = provider ? { name: provider.name } : null
      return { passkeys: true, oidc, local: isLocal }
    },
  )

  app.post(
    '/session/link',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'signInByLink',
        summary: 'Sign in by an invitation, or by the link of a local stack',
        tag: 'Session',
        body: linkSchema,
        response: { 200: sessionSchema },
        errors: ['link_invalid', 'session_required'],
        isOpen: true,
      }),
    },
    async (request, reply) => {
      const { token } = request.body
      const terms = { requestId: request.id, now: clock(), allowsLinks: isLocal }
      const exchange = { request, reply }
      const session = await startSession(context, exchange, (tx) => redeem(tx, token, terms))
      return await describeSession(context, session)
    },
  )
}

function passkeyRoutes(app: TypedApp, context: RouteContext): void {
  app.post(
    '/session/passkey/options',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'startPasskeySignIn',
        summary: 'Begin to sign in by a passkey',
        tag: 'Session',
        response: { 200: optionsSchema },
        isOpen: true,
      }),
    },
    async () => ({ ...(await optionsToSignIn(ceremonyOf(context))) }),
  )

  app.post(
    '/session/passkey',
    {
      config: { limitClass: 'console_sign_in' },
      schema: consoleOperation({
        id: 'signInByPasskey',
        summary: 'Sign in by a passkey',
        tag: 'Session',
        body: z.strictObject({ response: assertionSchema }),
        response: { 200: sessionSchema },
        errors: ['passkey_invalid', 'session_required'],
        isOpen: true,
      }),
    },
    async (request, reply) => {
      const ceremony = ceremonyOf(context)
      const passkey = await verifySignIn(ceremony, request.body.response)
      const session = await startSession(context, { request, reply }, async (tx) => {
        await noteUse(tx, passkey, ceremony.now)
        const actor = { ...passkey.owner, requestId: request.id, now: ceremony.now }
        return await openSession(tx, actor, 'passkey')
      })
      return await describeSession(context, session)
    },
  )
}
