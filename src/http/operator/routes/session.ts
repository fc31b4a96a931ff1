import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import { actsOf } from '../../../domain/operators/roles.ts'
import { countPasskeys } from '../../../domain/operators/sign-in/operator-passkeys.ts'
import {
  endOperatorSession,
  endOwnSessions,
  type OperatorSession,
} from '../../../domain/operators/sign-in/sessions.ts'
import type { TypedApp } from '../../app-type.ts'
import { DESK_COOKIE } from '../../browser/cookies.ts'
import { timestamp } from '../../schemas/fields.ts'
import { actingOperatorOf, operatorSessionOf } from '../authenticate-operator.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { OPERATOR_EXAMPLE, operatorSchema } from '../operator-schema.ts'

export const sessionSchema = z
  .strictObject({
    person: operatorSchema,
    stack: z.enum(['live', 'sandbox']),
    local: z.boolean().describe('The stack that npm start runs on this machine'),
    four_eyes: z.boolean().describe('Whether some acts need a second operator'),
    acts: z.array(z.string()).describe('What the role allows beyond reading'),
    signed_in_by: z.enum(['link', 'invitation', 'passkey', 'oidc']),
    passkeys: z.int().describe('How many passkeys the operator has'),
    must_add_passkey: z.boolean().describe('Until a passkey is added, nothing else is allowed'),
    expires_at: timestamp.describe(
      'At the latest; after 12 hours without a request it ends sooner',
    ),
  })
  .meta({
    id: 'DeskSession',
    examples: [
      {
        person: OPERATOR_EXAMPLE,
        stack: 'live',
        local: false,
        four_eyes: true,
        acts: ['borrowers.block', 'borrowers.unblock'],
        signed_in_by: 'passkey',
        passkeys: 2,
        must_add_passkey: false,
        expires_at: '2026-11-28T12:00:00.000Z',
      },
    ],
  })

const ENDED = z.undefined().describe('Ended; empty body')

export function sessionRoutes(app: TypedApp, context: OperatorContext): void {
  const { db, clock } = context
  app.get(
    '/session',
    {
      config: { isBeforePasskey: true },
      schema: operatorOperation({
        id: 'getSession',
        summary: 'Read who is signed in to the desk',
        tag: 'Session',
        response: { 200: sessionSchema },
        errors: ['session_required'],
      }),
    },
    (request) => describeSession(context, operatorSessionOf(request)),
  )

  app.delete(
    '/session',
    {
      config: { isBeforePasskey: true, idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'signOut',
        summary: 'Sign out of the desk',
        tag: 'Session',
        response: { 204: ENDED },
        errors: ['session_required'],
      }),
    },
    async (request, reply) => {
      const session = operatorSessionOf(request)
      const acting = actingOperatorOf(request, clock())
      await inTransaction(db, (tx) => endOperatorSession(tx, acting, session))
      DESK_COOKIE.clear(reply)
      reply.code(204).send()
    },
  )

  app.delete(
    '/sessions',
    {
      config: { isBeforePasskey: true, idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'signOutEverywhere',
        summary: 'Sign out of the desk in every browser',
        tag: 'Session',
        response: { 204: ENDED },
        errors: ['session_required'],
      }),
    },
    async (request, reply) => {
      const { person } = operatorSessionOf(request)
      const acting = actingOperatorOf(request, clock())
      await inTransaction(db, (tx) => endOwnSessions(tx, acting, person.id))
      DESK_COOKIE.clear(reply)
      reply.code(204).send()
    },
  )
}

export async function describeSession(
  { config, db }: OperatorContext,
  session: OperatorSession,
): Promise<z.input<typeof sessionSchema>> {
  return {
    person: session.person,
    stack: config.stack,
    local: config.desk.mode === 'local',
    four_eyes: config.isFourEyes,
    acts: actsOf(session.person.role),
    signed_in_by: session.signedInBy,
    passkeys: await countPasskeys(db, session.person.id),
    must_add_passkey: session.mustAddPasskey,
    expires_at: session.expiresAt.toISOString(),
  }
}
