import { z } from 'zod'
import { inTransaction } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import { askToConfirm } from '../../domain/mails/confirmations.ts'
import { keyOf } from '../../domain/people/person.ts'
import { assertConfirmed, mayAddFirst } from '../../domain/people/sign-in/confirm.ts'
import { addPasskey, listPasskeys, removePasskey } from '../../domain/people/sign-in/passkeys.ts'
import type { Session } from '../../domain/people/sign-in/sessions.ts'
import { optionsToAdd, verifyAddition } from '../../domain/people/sign-in/webauthn.ts'
import { idInput } from '../schemas/fields.ts'
import { ceremonyOf, type Door, type DoorApp, IN_SESSION } from './door.ts'
import {
  newPasskeySchema,
  passkeyListSchema,
  passkeySchema,
  toPasskeyBody,
} from './sign-in-schemas.ts'
import { optionsSchema } from './webauthn-schemas.ts'

export function passkeyRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  listRoute(app, door)
  additionRoutes(app, door)
  removalRoute(app, door)
}

function listRoute<A extends Audience>(app: DoorApp, door: Door<A>): void {
  app.get('/passkeys', {
    id: 'listPasskeys',
    summary: 'List your passkeys',
    tag: 'Passkeys',
    config: IN_SESSION,
    response: { 200: passkeyListSchema },
    async handler(request) {
      const passkeys = await listPasskeys(door.db, keyOf(door.sessionOf(request)), door.clock())
      return { items: passkeys.map(toPasskeyBody) }
    },
  })
}

function additionRoutes<A extends Audience>(app: DoorApp, door: Door<A>): void {
  const { db, clock, hasMailServer, sessionOf, isLocal } = door
  /** Returns whether it is the person's first. Refuses `passkey_required`, and does so before a device
   * makes a passkey that would be of no use. */
  const assertMayAdd = async (session: Session, now: Date) => {
    const isFirst = await mayAddFirst(db, session, { now, isLocal })
    if (!isFirst) await assertConfirmed(db, session, { now, isLocal })
    return isFirst
  }
  app.post('/passkeys/options', {
    id: 'startPasskey',
    summary: 'Begin to add a passkey',
    tag: 'Passkeys',
    config: IN_SESSION,
    response: { 200: optionsSchema },
    isPost: true,
    async handler(request) {
      const session = sessionOf(request)
      await assertMayAdd(session, clock())
      return { ...(await optionsToAdd(ceremonyOf(door), session)) }
    },
  })

  app.post('/passkeys', {
    id: 'addPasskey',
    summary: 'Add a passkey',
    tag: 'Passkeys',
    config: IN_SESSION,
    body: newPasskeySchema,
    response: { 201: passkeySchema },
    errors: ['passkey_invalid', 'already_exists', 'limit_reached'],
    async handler(request, reply) {
      const { response, name } = request.body
      const session = sessionOf(request)
      const when = { now: clock(), requestId: request.id }
      const isFirst = await assertMayAdd(session, when.now)
      const credential = await verifyAddition(ceremonyOf(door), session, response)
      const passkey = { name, credential, isFirst }
      const added = await inTransaction(db, async (tx) => {
        // So that mails about the account can reach them. A limit refuses nothing here.
        if (hasMailServer) await askToConfirm(tx, keyOf(session), when.now)
        return await addPasskey(tx, session, passkey, when)
      })
      reply.code(201)
      return toPasskeyBody(added)
    },
  })
}

function removalRoute<A extends Audience>(app: DoorApp, door: Door<A>): void {
  app.delete('/passkeys/:id', {
    id: 'removePasskey',
    summary: 'Remove one of your passkeys',
    tag: 'Passkeys',
    config: { limitClass: 'console', idempotencyKey: 'ignored', needsConfirmation: true },
    params: z.strictObject({ id: idInput('psk') }),
    response: { 204: z.undefined().describe('Removed; empty body') },
    async handler(request, reply) {
      const session = door.sessionOf(request)
      const when = { now: door.clock(), requestId: request.id }
      await inTransaction(door.db, (tx) => removePasskey(tx, session, request.params.id, when))
      reply.code(204).send()
    },
  })
}
