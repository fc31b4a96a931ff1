import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import { refuseLink } from '../../domain/people/links/notices.ts'
import { keyOf } from '../../domain/people/person.ts'
import type { ChallengeFor } from '../../domain/people/sign-in/challenges.ts'
import { assertProven, confirmSession } from '../../domain/people/sign-in/confirm.ts'
import type { Session } from '../../domain/people/sign-in/sessions.ts'
import { optionsToConfirm, verifyUse } from '../../domain/people/sign-in/webauthn.ts'
import { ceremonyOf, type Door, type DoorApp, SIGNED_IN } from './door.ts'
import { assertionSchema, optionsSchema } from './webauthn-schemas.ts'

/** A passkey again: for five minutes the session may do what outlives it. */
export function confirmationRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { db, sessionOf } = door
  app.post('/session/confirmation/options', {
    id: 'startConfirmation',
    summary: 'Begin to confirm by a passkey of yours',
    tag: 'Session',
    config: SIGNED_IN,
    response: { 200: optionsSchema },
    isPost: true,
    async handler(request) {
      const session = sessionOf(request)
      const ceremony = ceremonyOf(door)
      return { ...(await optionsToConfirm(ceremony, keyOf(session), confirmationOf(session))) }
    },
  })

  app.post('/session/confirmation', {
    id: 'confirmSession',
    summary: 'Confirm by a passkey of yours; it counts for 5 minutes',
    tag: 'Session',
    config: SIGNED_IN,
    body: z.strictObject({ response: assertionSchema }),
    response: { 204: z.undefined().describe('Confirmed; empty body') },
    errors: ['passkey_invalid'],
    async handler(request, reply) {
      const session = sessionOf(request)
      const ceremony = ceremonyOf(door)
      const given = { key: keyOf(session), wanted: confirmationOf(session) }
      const used = await verifyUse(ceremony, request.body.response, given)
      await inTransaction(db, (tx) => confirmSession(tx, session, used, ceremony.now))
      reply.code(204).send()
    },
  })
  refusalRoute(app, door)
}

function refusalRoute<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { db, clock, sessionOf, isLocal } = door
  app.post('/session/refuse-link', {
    id: 'refuseLink',
    summary: 'Refuse a new link that was made for you: what it opened ends, what you had stays',
    tag: 'Session',
    config: SIGNED_IN,
    response: { 204: z.undefined().describe('Refused; empty body') },
    isPost: true,
    async handler(request, reply) {
      const session = sessionOf(request)
      const when = { now: clock(), requestId: request.id }
      await assertProven(db, session, { now: when.now, isLocal })
      await inTransaction(db, (tx) => refuseLink(tx, session, when))
      reply.code(204).send()
    },
  })
}

function confirmationOf({ id, person }: Session): ChallengeFor {
  return { purpose: 'confirm', subject: `${person.id}/${id}` }
}
