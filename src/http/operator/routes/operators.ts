import { z } from 'zod'
import { deskLink } from '../../../config/page-address.ts'
import { Refusal } from '../../../core/errors.ts'
import { LENDER } from '../../../db/people-tables.ts'
import { assertAllowed, recordOperatorAction } from '../../../domain/operators/actions.ts'
import { actChangeRole, actInvite, actRemove } from '../../../domain/operators/people-acts.ts'
import { actsOf, OPERATOR_ROLES } from '../../../domain/operators/roles.ts'
import { noteUse } from '../../../domain/people/passkeys.ts'
import {
  findPerson,
  getPerson,
  type ListedPerson,
  listPeople,
} from '../../../domain/people/people.ts'
import type { LenderPeople } from '../../../domain/people/person.ts'
import type { TypedApp } from '../../app-type.ts'
import { confirmAct, startConfirmation } from '../../people/confirm-act.ts'
import { confirmation, optionsSchema } from '../../people/webauthn-schemas.ts'
import { emailInput, idInput, text, timestamp } from '../../schemas/fields.ts'
import { operatorOf, operatorSessionOf } from '../authenticate-operator.ts'
import { type ChangeArguments, changeOnce } from '../change-once.ts'
import { deskDoorOf } from '../desk-door.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { invitedSchema, operatorSchema } from '../operator-schema.ts'
import { reasonText } from '../perform-act.ts'

const meSchema = z
  .strictObject({
    operator: operatorSchema,
    stack: z.enum(['live', 'sandbox']),
    four_eyes: z.boolean().describe('Whether some acts need a second operator'),
    acts: z.array(z.string()).describe('What the role allows beyond reading'),
  })
  .meta({ id: 'Me' })

const operatorsSchema = z
  .strictObject({
    items: z.array(
      operatorSchema.extend({
        created_at: timestamp,
        passkeys: z.int(),
        last_seen_at: timestamp
          .nullable()
          .describe('In a session of the desk that has not been signed out'),
      }),
    ),
  })
  .meta({ id: 'Operators' })

const reason = reasonText.optional()

const newOperatorSchema = z
  .strictObject({
    email: emailInput,
    name: text(100),
    role: z.enum(OPERATOR_ROLES),
    reason,
    confirmation,
  })
  .meta({ examples: [{ email: 'ada@lender.example', name: 'Ada', role: 'risk' }] })

const params = z.strictObject({ id: idInput('opr') })

export function operatorRoutes(app: TypedApp, context: OperatorContext): void {
  addReads(app, context)
  addInvitations(app, context)
  addChanges(app, context)
}

function addReads(app: TypedApp, { db, config }: OperatorContext): void {
  app.get(
    '/me',
    {
      schema: operatorOperation({
        id: 'getMe',
        summary: 'Show whose token it is, and what they may do',
        tag: 'Operators',
        response: { 200: meSchema },
      }),
    },
    async (request) => {
      const operator = operatorOf(request)
      const { stack, isFourEyes } = config
      return { operator, stack, four_eyes: isFourEyes, acts: actsOf(operator.role) }
    },
  )

  app.get(
    '/operators',
    {
      schema: operatorOperation({
        id: 'listOperators',
        summary: 'List the operators',
        tag: 'Operators',
        response: { 200: operatorsSchema },
      }),
    },
    async () => ({ items: (await listPeople(db, LENDER)).map(toListedBody) }),
  )
}

function addInvitations(app: TypedApp, context: OperatorContext): void {
  const { config, db } = context
  const door = deskDoorOf(context)
  const linkOf = (token: string) => deskLink(config.desk.origin, token)
  app.post(
    '/confirmation/options',
    {
      config: { idempotencyKey: 'ignored' },
      schema: operatorOperation({
        id: 'startConfirmation',
        summary: 'Begin to confirm an act by a passkey of your own',
        tag: 'Session',
        body: z
          .strictObject({ act: z.enum(['invite', 'create_token']) })
          .meta({ examples: [{ act: 'invite' }] }),
        response: { 200: optionsSchema },
      }),
    },
    (request) => startConfirmation(door, operatorSessionOf(request), request.body.act),
  )

  app.post(
    '/operators',
    {
      schema: operatorOperation({
        id: 'inviteOperator',
        summary: 'Invite an operator to the desk',
        tag: 'Operators',
        body: newOperatorSchema,
        response: { 201: invitedSchema },
        errors: ['scope_missing', 'already_exists', 'limit_reached', 'passkey_invalid'],
      }),
    },
    async (request, reply) => {
      const { confirmation: given, reason: why, ...operator } = request.body
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.invite')
      const used = await confirmAct(door, request.operatorSession, 'invite', given)
      const invite = async (...[tx, acting]: ChangeArguments) => {
        if (await findPerson(tx, LENDER, operator.email)) {
          throw new Refusal('already_exists', `${operator.email} is an operator already.`)
        }
        if (used) await noteUse(tx, used, acting.now)
        const { result, act } = await actInvite(tx, operator, acting.now)
        await recordOperatorAction(tx, acting, { reason: why, ...act })
        return { operator: result.operator, invitation_url: linkOf(result.token) }
      }
      const invited = await changeOnce(context, request, invite, { holdsSecret: true })
      reply.code(201)
      return invited
    },
  )

  app.post(
    '/operators/:id/invitation',
    {
      schema: operatorOperation({
        id: 'inviteOperatorAgain',
        summary:
          'Invite an operator again; opening it ends their sessions and removes their passkeys',
        tag: 'Operators',
        params,
        body: z.strictObject({ reason, confirmation }),
        response: { 201: invitedSchema },
        errors: ['scope_missing', 'passkey_invalid'],
      }),
    },
    async (request, reply) => {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.invite')
      const operator = await getPerson(db, { ...LENDER, personId: request.params.id })
      const { confirmation: given, reason: why } = request.body
      const used = await confirmAct(door, request.operatorSession, 'invite', given)
      const invite = async (...[tx, acting]: ChangeArguments) => {
        if (used) await noteUse(tx, used, acting.now)
        const { result, act } = await actInvite(tx, operator, acting.now)
        await recordOperatorAction(tx, acting, { reason: why, ...act })
        return { operator: result.operator, invitation_url: linkOf(result.token) }
      }
      const invited = await changeOnce(context, request, invite, { holdsSecret: true })
      reply.code(201)
      return invited
    },
  )
}

function addChanges(app: TypedApp, context: OperatorContext): void {
  app.patch(
    '/operators/:id',
    {
      schema: operatorOperation({
        id: 'changeOperator',
        summary: 'Change the role of an operator, from their next request on',
        tag: 'Operators',
        params,
        body: z
          .strictObject({ role: z.enum(OPERATOR_ROLES), reason })
          .meta({ examples: [{ role: 'viewer' }] }),
        response: { 200: operatorSchema },
        errors: ['scope_missing', 'last_admin'],
      }),
    },
    async (request) => {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.change_role')
      const { role, reason: why } = request.body
      return await changeOnce(context, request, async (tx, acting) => {
        const { result, act } = await actChangeRole(tx, request.params.id, role, acting.now)
        await recordOperatorAction(tx, acting, { reason: why, ...act })
        return result
      })
    },
  )

  app.post(
    '/operators/:id/remove',
    {
      schema: operatorOperation({
        id: 'removeOperator',
        summary: 'Remove an operator: sessions, passkeys and tokens end at once',
        tag: 'Operators',
        params,
        body: z.strictObject({ reason: reasonText }).meta({ examples: [{ reason: 'left' }] }),
        response: { 204: z.undefined().describe('Removed; empty body') },
        errors: ['scope_missing', 'last_admin'],
      }),
    },
    async (request, reply) => {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.remove')
      await changeOnce(context, request, async (tx, acting) => {
        const operator = await getPerson(tx, { ...LENDER, personId: request.params.id })
        const { act } = await actRemove(tx, operator.email, acting.now)
        await recordOperatorAction(tx, acting, { reason: request.body.reason, ...act })
      })
      reply.code(204).send()
    },
  )
}

function toListedBody({ createdAt, lastSeenAt, ...operator }: ListedPerson<LenderPeople>) {
  return {
    ...operator,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt?.toISOString() ?? null,
  }
}
