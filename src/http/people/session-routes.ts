import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import { markNoticesSeen } from '../../domain/people/links/notices.ts'
import { keyOf } from '../../domain/people/person.ts'
import { actAs } from '../../domain/people/record.ts'
import { endSession, endSessions } from '../../domain/people/sign-in/sessions.ts'
import { timestampInput, timestampInputLike } from '../schemas/fields.ts'
import { type Door, type DoorApp, IN_SESSION, SIGNED_IN } from './door.ts'
import { describeNotices, noticesSchema } from './sign-in-schemas.ts'

const ENDED = z.undefined().describe('Ended; empty body')

export function sessionRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { db, clock, cookie, sessionOf } = door
  app.get('/session', {
    id: 'getSession',
    summary: 'Read who is signed in',
    tag: 'Session',
    config: IN_SESSION,
    response: { 200: door.sessionSchema },
    handler: (request) => door.describeSession(sessionOf(request)),
  })

  app.get('/session/notices', {
    id: 'listNotices',
    summary: 'Read what was done to your account and you have not seen, newest first',
    tag: 'Session',
    config: SIGNED_IN,
    querystring: z.strictObject({
      before: timestampInputLike('2026-11-22T12:00:00Z').optional(),
    }),
    response: { 200: noticesSchema },
    handler(request) {
      const { before } = request.query as { before?: Date }
      return describeNotices(db, sessionOf(request), before)
    },
  })

  app.post('/session/notices/seen', {
    id: 'markNoticesSeen',
    summary: 'Say that you have seen what was done to your account, until an instant',
    tag: 'Session',
    config: SIGNED_IN,
    body: z.strictObject({ until: timestampInput }),
    response: { 204: z.undefined().describe('Seen; empty body') },
    async handler(request, reply) {
      const seen = { until: request.body.until, now: clock() }
      await inTransaction(db, (tx) => markNoticesSeen(tx, sessionOf(request), seen))
      reply.code(204).send()
    },
  })

  app.delete('/session', {
    id: 'signOut',
    summary: 'Sign out',
    tag: 'Session',
    config: IN_SESSION,
    response: { 204: ENDED },
    async handler(request, reply) {
      const when = { now: clock(), requestId: request.id }
      await inTransaction(db, (tx) => endSession(tx, sessionOf(request), when))
      cookie.clear(reply)
      reply.code(204).send()
    },
  })

  app.delete('/sessions', {
    id: 'signOutEverywhere',
    summary: 'Sign out everywhere',
    tag: 'Session',
    config: IN_SESSION,
    response: { 204: ENDED },
    async handler(request, reply) {
      const session = sessionOf(request)
      const acting = actAs(session, { now: clock(), requestId: request.id })
      await inTransaction(db, (tx) => endSessions(tx, acting, keyOf(session)))
      cookie.clear(reply)
      reply.code(204).send()
    },
  })
}
