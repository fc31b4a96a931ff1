import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import { countPasskeys } from '../../../domain/console/sign-in/passkeys.ts'
import {
  type ConsoleSession,
  endSession,
  endSessions,
} from '../../../domain/console/sign-in/sessions.ts'
import type { TypedApp } from '../../app-type.ts'
import { CONSOLE_COOKIE } from '../../browser/cookies.ts'
import type { RouteContext } from '../../route-context.ts'
import { actorOf, sessionOf } from '../authenticate-session.ts'
import { consoleOperation } from '../operation.ts'
import { sessionSchema, toSessionBody } from '../schemas.ts'

const ENDED = z.undefined().describe('Ended; empty body')

export function sessionRoutes(app: TypedApp, context: RouteContext): void {
  const { db, clock } = context
  app.get(
    '/session',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'getSession',
        summary: 'Read who is signed in',
        tag: 'Session',
        response: { 200: sessionSchema },
      }),
    },
    (request) => describeSession(context, sessionOf(request)),
  )

  app.delete(
    '/session',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'signOut',
        summary: 'Sign out',
        tag: 'Session',
        response: { 204: ENDED },
      }),
    },
    async (request, reply) => {
      const { id } = sessionOf(request)
      await inTransaction(db, (tx) => endSession(tx, actorOf(request, clock()), id))
      CONSOLE_COOKIE.clear(reply)
      reply.code(204).send()
    },
  )

  app.delete(
    '/sessions',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'signOutEverywhere',
        summary: 'Sign out everywhere',
        tag: 'Session',
        response: { 204: ENDED },
      }),
    },
    async (request, reply) => {
      const { person } = sessionOf(request)
      await inTransaction(db, (tx) => endSessions(tx, actorOf(request, clock()), person.id))
      CONSOLE_COOKIE.clear(reply)
      reply.code(204).send()
    },
  )
}

export async function describeSession({ config, db }: RouteContext, session: ConsoleSession) {
  const passkeys = await countPasskeys(db, session.tenant.id, session.person.id)
  const isLocal = config.console.mode === 'local'
  return toSessionBody(session, { stack: config.stack, isLocal, passkeys })
}
