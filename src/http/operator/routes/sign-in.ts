import { z } from 'zod'
import { getOperator } from '../../../domain/operators/operators.ts'
import { redeemInvitation } from '../../../domain/operators/sign-in/invitations.ts'
import { noteOperatorPasskey } from '../../../domain/operators/sign-in/operator-passkeys.ts'
import { openOperatorSession } from '../../../domain/operators/sign-in/sessions.ts'
import { optionsToSignIn, verifySignIn } from '../../../domain/sign-in/webauthn.ts'
import type { TypedApp } from '../../app-type.ts'
import { waysSchema } from '../../browser/sign-in-schemas.ts'
import { assertionSchema, optionsSchema } from '../../browser/webauthn-schemas.ts'
import { ceremonyOf } from '../confirm-act.ts'
import { operatorOperation, WITH_BODY } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { startSession } from '../start-session.ts'
import { describeSession, sessionSchema } from './session.ts'

const linkSchema = z.strictObject({ token: z.string().min(1).max(200) }).meta({
  id: 'OperatorSignInLink',
  examples: [{ token: 'opi.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISEhISE' }],
})

export function signInRoutes(app: TypedApp, context: OperatorContext): void {
  linkRoutes(app, context)
  passkeyRoutes(app, context)
}

function linkRoutes(app: TypedApp, context: OperatorContext): void {
  const { config, clock } = context
  const isLocal = config.desk.mode === 'local'
  app.get(
    '/sign-in',
    {
      schema: operatorOperation({
        id: 'getSignInWays',
        summary: 'Read how operators can sign in to the desk',
        tag: 'Session',
        response: { 200: waysSchema },
        isOpen: true,
      }),
    },
    async () => {
      const { deskIdentityProvider: provider } = context
      return { passkeys: true, oidc: provider ? { name: provider.name } : null, local: isLocal }
    },
  )

  app.post(
    '/session/link',
    {
      schema: operatorOperation({
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
      const session = await startSession(context, exchange, (tx) =>
        redeemInvitation(tx, token, terms),
      )
      return await describeSession(context, session)
    },
  )
}

function passkeyRoutes(app: TypedApp, context: OperatorContext): void {
  app.post(
    '/session/passkey/options',
    {
      schema: operatorOperation({
        id: 'startPasskeySignIn',
        summary: 'Begin to sign in by a passkey',
        tag: 'Session',
        response: { 200: optionsSchema },
        errors: WITH_BODY,
        isOpen: true,
      }),
    },
    async () => ({ ...(await optionsToSignIn(ceremonyOf(context))) }),
  )

  app.post(
    '/session/passkey',
    {
      schema: operatorOperation({
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
      const { now } = ceremony
      const passkey = await verifySignIn(ceremony, request.body.response)
      const session = await startSession(context, { request, reply }, async (tx) => {
        const operator = await getOperator(tx, passkey.owner)
        await noteOperatorPasskey(tx, passkey, now)
        return await openOperatorSession(tx, { operator, now, requestId: request.id }, 'passkey')
      })
      return await describeSession(context, session)
    },
  )
}
