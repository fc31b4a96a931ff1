import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import {
  askAgainToConfirm,
  assertMailServer,
  confirmAddress,
  isAddressConfirmed,
} from '../../domain/mails/confirmations.ts'
import { keyOf } from '../../domain/people/person.ts'
import { type Door, type DoorApp, OPEN } from './door.ts'

const addressSchema = z
  .strictObject({
    available: z.boolean().describe('Whether this service can send mails'),
    email: z.string(),
    confirmed: z.boolean().describe('By a link that was mailed to it; others get no mails'),
  })
  .meta({
    id: 'OwnAddress',
    examples: [{ available: true, email: 'ada@example.com', confirmed: true }],
  })

const WITH_PASSKEY = { limitClass: 'console', idempotencyKey: 'ignored' } as const

export function addressRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { db, clock, hasMailServer, sessionOf } = door
  app.get('/address', {
    id: 'getOwnAddress',
    summary: 'Read whether your address is confirmed',
    tag: 'Session',
    config: WITH_PASSKEY,
    response: { 200: addressSchema },
    async handler(request) {
      const session = sessionOf(request)
      const confirmed = await isAddressConfirmed(db, keyOf(session))
      return { available: hasMailServer, email: session.person.email, confirmed }
    },
  })

  app.post('/address/link', {
    id: 'mailAddressLink',
    summary: 'Have a link mailed to you that confirms your address',
    tag: 'Session',
    config: WITH_PASSKEY,
    response: { 204: z.undefined().describe('It will be mailed, unless it is confirmed') },
    errors: ['rate_limited'],
    isPost: true,
    async handler(request, reply) {
      const key = keyOf(sessionOf(request))
      assertMailServer(hasMailServer)
      await inTransaction(db, (tx) => askAgainToConfirm(tx, key, clock()))
      reply.code(204).send()
    },
  })
}

/** Without a session: a mailbox is read on any device. */
export function confirmAddressRoute<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { audience, db, clock, sealer } = door
  app.post('/address/confirmation', {
    id: 'confirmAddress',
    summary: 'Confirm an address by the link that was mailed to it',
    tag: 'Session',
    config: OPEN,
    body: z
      .strictObject({ token: z.string().min(1).max(1_000) })
      .meta({ id: 'AddressLink', examples: [{ token: 'main.Q2hhbmdlIG1lIGJlZm9yZSB5b3U' }] }),
    response: { 204: z.undefined().describe('Confirmed; empty body') },
    errors: ['link_invalid'],
    isOpen: true,
    async handler(request, reply) {
      const when = { now: clock(), requestId: request.id }
      const given = { audience, token: request.body.token }
      await inTransaction(db, (tx) => confirmAddress(tx, sealer, given, when))
      reply.code(204).send()
    },
  })
}
