import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import { markNoticesSeen } from '../../domain/people/links/notices.ts'
import { keyOf } from '../../domain/people/person.ts'
import { actAs } from '../../domain/people/record.ts'
import { endSession, endSessions } from '../../domain/people/sign-in/sessions.ts'
import type { TypedApp } from '../app-type.ts'
import { timestampInput, timestampInputLike } from '../schemas/fields.ts'
import { type Door, IN_SESSION, SIGNED_IN } from './door.ts'
import { describeNotices, noticesSchema } from './sign-in-schemas.ts'

const ENDED = z.undefined().describe('Ended; empty body')

export function sessionRoutes<A extends Audience>(app: TypedApp, door: Door<A>): void {
  const { db, clock, cookie, operation, sessionOf } = door
  app.get(
    '/session',
    {
      config: IN_SESSION,
      schema: operation({
        id: 'getSession',
        summary: 'Read who is signed in',
        tag: 'Session',
        response: { 200: door.sessionSchema },
      }),
    },
    (request) => door.describeSession(sessionOf(request)),
  )

  app.get(
    '/session/notices',
    {
      config: SIGNED_IN,
      schema: operation({
        id: 'listNotices',
        summary: 'Read what was done to your account and you have not seen, newest first',
        tag: 'Session',
        querystring: z.strictObject({
          before: timestampInputLike('2026-11-22T12:00:00Z').optional(),
        }),
        response: { 200: noticesSchema },
      }),
    },
    (request) => {
      const { before } = request.query as { before?: Date }
      return describeNotices(db, sessionOf(request), before)
    },
  )

  app.post(
    '/session/notices/seen',
    {
      config: SIGNED_IN,
      schema: operation({
        id: 'markNoticesSeen',
        summary: 'Say that you have seen what was done to your account, until an instant',
        tag: 'Session',
        body: z.strictObject({ until: timestampInput }),
        response: { 204: z.undefined().describe('Seen; empty body') },
      }),
    },
    async (request, reply) => {
      const seen = { until: request.body.until, now: clock() }
      await inTransaction(db, (tx) => markNoticesSeen(tx, sessionOf(request), seen))
      reply.code(204).send()
    },
  )

  app.delete(
    '/session',
    {
      config: IN_SESSION,
      schema: operation({
        id: 'signOut',
        summary: 'Sign out',
        tag: 'Session',
        response: { 204: ENDED },
      }),
    },
    async (request, reply) => {
      const when = { now: clock(), requestId: request.id }
      await inTransaction(db, (tx) => endSession(tx, sessionOf(request), when))
      cookie.clear(reply)
      reply.code(204).send()
    },
  )

  app.delete(
    '/sessions',
    {
      config: IN_SESSION,
      schema: operation({
        id: 'signOutEverywhere',
        summary: 'Sign out everywhere',
        tag: 'Session',
        response: { 204: ENDED },
      }),
    },
    async (request, reply) => {
      const session = sessionOf(request)
      const acting = actAs(session, { now: clock(), requestId: request.id })
      await inTransaction(db, (tx) => endSessions(tx, acting, keyOf(session)))
      cookie.clear(reply)
      reply.code(204).send()
    },
  )
}
