import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { redeem } from '../../../domain/console/invitations.ts'
import { noteUse } from '../../../domain/console/passkeys.ts'
import {
  endSession,
  findSession,
  LONGEST_MS,
  openSession,
} from '../../../domain/console/sessions.ts'
import { optionsToSignIn, verifySignIn } from '../../../domain/console/webauthn.ts'
import type { TypedApp } from '../../app-type.ts'
import type { RouteContext } from '../../route-context.ts'
import { ceremonyOf } from '../ceremony.ts'
import { readSessionCookie, setSessionCookie } from '../cookie.ts'
import { consoleOperation } from '../operation.ts'
import { sessionSchema } from '../schemas.ts'
import { assertionSchema, optionsSchema } from '../webauthn-schemas.ts'
import { describeSession } from './session.ts'

const waysSchema = z
  .strictObject({
    passkeys: z.boolean(),
    oidc: z.strictObject({ name: z.string() }).nullable(),
    local: z.boolean(),
  })
  .meta({ id: 'WaysToSignIn', examples: [{ passkeys: true, oidc: null, local: false }] })

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
    async () => ({ passkeys: true, oidc: null, local: isLocal }),
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
    (request, reply) => {
      const { token } = request.body
      const terms = { requestId: request.id, now: clock(), allowsLinks: isLocal }
      return startSession(context, { request, reply }, (tx) => redeem(tx, token, terms))
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
      return await startSession(context, { request, reply }, async (tx) => {
        const { tenantId, personId } = passkey
        await noteUse(tx, passkey, ceremony.now)
        const actor = { tenantId, personId, requestId: request.id, now: ceremony.now }
        return await openSession(tx, actor, 'passkey')
      })
    },
  )
}

/** Always a new session; the one that the browser had before ends. */
async function startSession(
  context: RouteContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  open: (tx: Tx) => Promise<string>,
) {
  const { db, clock } = context
  const now = clock()
  const former = readSessionCookie(request)
  const before = former === undefined ? undefined : await findSession(db, former, now)
  const token = await inTransaction(db, async (tx) => {
    if (before) {
      const { tenant, person } = before
      const actor = { tenantId: tenant.id, personId: person.id, requestId: request.id, now }
      await endSession(tx, actor, before.id)
    }
    return await open(tx)
  })
  const session = await findSession(db, token, now)
  if (!session) throw new Refusal('session_required', 'You were removed from the people just now.')
  setSessionCookie(reply, token, LONGEST_MS)
  return await describeSession(context, session)
}
