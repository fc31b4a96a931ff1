import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import {
  addPasskey,
  holderOf,
  listPasskeys,
  removePasskey,
} from '../../../domain/operators/sign-in/operator-passkeys.ts'
import { optionsToAdd, verifyAddition } from '../../../domain/sign-in/webauthn.ts'
import type { TypedApp } from '../../app-type.ts'
import {
  newPasskeySchema,
  passkeyListSchema,
  passkeySchema,
  toPasskeyBody,
} from '../../browser/sign-in-schemas.ts'
import { optionsSchema } from '../../browser/webauthn-schemas.ts'
import { idInput } from '../../schemas/fields.ts'
import { actingOperatorOf, operatorSessionOf } from '../authenticate-operator.ts'
import { ceremonyOf, confirmBy, startConfirmation } from '../confirm-act.ts'
import { operatorOperation, WITH_BODY } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

export function passkeyRoutes(app: TypedApp, context: OperatorContext): void {
  listRoute(app, context)
  additionRoutes(app, context)
  removalRoute(app, context)
}

function listRoute(app: TypedApp, { db }: OperatorContext): void {
  app.get(
    '/passkeys',
    {
      config: { isBeforePasskey: true },
      schema: operatorOperation({
        id: 'listPasskeys',
        summary: 'List your passkeys',
        tag: 'Session',
        response: { 200: passkeyListSchema },
        errors: ['session_required'],
      }),
    },
    async (request) => {
      const { person } = operatorSessionOf(request)
      return { items: (await listPasskeys(db, person.id)).map(toPasskeyBody) }
    },
  )
}

function additionRoutes(app: TypedApp, context: OperatorContext): void {
  const { db, clock } = context
  app.post(
    '/passkeys/confirmation/options',
    {
      config: { isBeforePasskey: true, idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'startPasskeyConfirmation',
        summary: 'Begin to confirm, by a passkey that you have, that another is added',
        tag: 'Session',
        response: { 200: optionsSchema },
        errors: [...WITH_BODY, 'session_required', 'passkey_required'],
      }),
    },
    (request) => startConfirmation(context, operatorSessionOf(request), 'add_passkey'),
  )

  app.post(
    '/passkeys/options',
    {
      config: { isBeforePasskey: true, idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'startPasskey',
        summary: 'Begin to add a passkey',
        tag: 'Session',
        response: { 200: optionsSchema },
        errors: [...WITH_BODY, 'session_required'],
      }),
    },
    async (request) => ({
      ...(await optionsToAdd(ceremonyOf(context), holderOf(operatorSessionOf(request)))),
    }),
  )

  app.post(
    '/passkeys',
    {
      config: { isBeforePasskey: true, idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'addPasskey',
        summary: 'Add a passkey',
        tag: 'Session',
        body: newPasskeySchema,
        response: { 201: passkeySchema },
        errors: ['session_required', 'passkey_required', 'passkey_invalid', 'already_exists'],
      }),
    },
    async (request, reply) => {
      const { response, name, confirmation } = request.body
      const session = operatorSessionOf(request)
      const holder = holderOf(session)
      const confirmedBy =
        confirmation && (await confirmBy(context, session, 'add_passkey', confirmation))
      const credential = await verifyAddition(ceremonyOf(context), holder, response)
      const passkey = { name, credential, confirmedBy }
      const acting = actingOperatorOf(request, clock())
      const added = await inTransaction(db, (tx) => addPasskey(tx, acting, holder, passkey))
      reply.code(201)
      return toPasskeyBody(added)
    },
  )
}

function removalRoute(app: TypedApp, { db, clock }: OperatorContext): void {
  app.delete(
    '/passkeys/:id',
    {
      config: { idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'removePasskey',
        summary: 'Remove one of your passkeys',
        tag: 'Session',
        params: z.strictObject({ id: idInput('psk') }),
        response: { 204: z.undefined().describe('Removed; empty body') },
        errors: ['session_required', 'passkey_required'],
      }),
    },
    async (request, reply) => {
      const { person } = operatorSessionOf(request)
      const acting = actingOperatorOf(request, clock())
      await inTransaction(db, (tx) => removePasskey(tx, acting, person.id, request.params.id))
      reply.code(204).send()
    },
  )
}
