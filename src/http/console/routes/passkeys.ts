import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
} from '../../../domain/console/sign-in/passkeys.ts'
import { holderOf } from '../../../domain/console/sign-in/people-passkeys.ts'
import { optionsToAdd, verifyAddition } from '../../../domain/sign-in/webauthn.ts'
import type { TypedApp } from '../../app-type.ts'
import {
  newPasskeySchema,
  passkeyListSchema,
  passkeySchema,
  toPasskeyBody,
} from '../../browser/sign-in-schemas.ts'
import { optionsSchema } from '../../browser/webauthn-schemas.ts'
import type { RouteContext } from '../../route-context.ts'
import { idInput } from '../../schemas/fields.ts'
import { actorOf, sessionOf } from '../authenticate-session.ts'
import { ceremonyOf } from '../ceremony.ts'
import { confirmBy, startConfirmation } from '../confirm-act.ts'
import { consoleOperation } from '../operation.ts'

export function passkeyRoutes(app: TypedApp, context: RouteContext): void {
  listRoute(app, context)
  additionRoutes(app, context)
  removalRoute(app, context)
}

function listRoute(app: TypedApp, { db }: RouteContext): void {
  app.get(
    '/passkeys',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'listPasskeys',
        summary: 'List your passkeys',
        tag: 'Passkeys',
        response: { 200: passkeyListSchema },
      }),
    },
    async (request) => {
      const { tenant, person } = sessionOf(request)
      return { items: (await listPasskeys(db, tenant.id, person.id)).map(toPasskeyBody) }
    },
  )
}

function additionRoutes(app: TypedApp, context: RouteContext): void {
  const { db, clock } = context
  app.post(
    '/passkeys/confirmation/options',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'startPasskeyConfirmation',
        summary: 'Begin to confirm, by a passkey that you have, that another is added',
        tag: 'Passkeys',
        response: { 200: optionsSchema },
      }),
    },
    (request) => startConfirmation(context, sessionOf(request), 'add_passkey'),
  )

  app.post(
    '/passkeys/options',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'startPasskey',
        summary: 'Begin to add a passkey',
        tag: 'Passkeys',
        response: { 200: optionsSchema },
      }),
    },
    async (request) => ({
      ...(await optionsToAdd(ceremonyOf(context), holderOf(sessionOf(request)))),
    }),
  )

  app.post(
    '/passkeys',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'addPasskey',
        summary: 'Add a passkey',
        tag: 'Passkeys',
        body: newPasskeySchema,
        response: { 201: passkeySchema },
        errors: ['passkey_invalid', 'already_exists', 'limit_reached'],
      }),
    },
    async (request, reply) => {
      const { response, name, confirmation } = request.body
      const session = sessionOf(request)
      const ceremony = ceremonyOf(context)
      const confirmedBy =
        confirmation && (await confirmBy(context, session, 'add_passkey', confirmation))
      const credential = await verifyAddition(ceremony, holderOf(session), response)
      const passkey = { name, credential, confirmedBy }
      const actor = { ...actorOf(request, clock()), sessionId: session.id }
      const added = await inTransaction(db, (tx) => addPasskey(tx, actor, passkey))
      reply.code(201)
      return toPasskeyBody(added)
    },
  )
}

function removalRoute(app: TypedApp, { db, clock }: RouteContext): void {
  app.delete(
    '/passkeys/:id',
    {
      config: { limitClass: 'console' },
      schema: consoleOperation({
        id: 'removePasskey',
        summary: 'Remove one of your passkeys',
        tag: 'Passkeys',
        params: z.strictObject({ id: idInput('psk') }),
        response: { 204: z.undefined().describe('Removed; empty body') },
      }),
    },
    async (request, reply) => {
      const actor = actorOf(request, clock())
      await inTransaction(db, (tx) => removePasskey(tx, actor, request.params.id))
      reply.code(204).send()
    },
  )
}
