import { z } from 'zod'
import { deskLink } from '../../../config/page-address.ts'
import { LENDER } from '../../../db/sql/people-tables.ts'
import { assertAllowed, recordOperatorAction } from '../../../domain/operators/actions.ts'
import { INVITE_OPERATOR } from '../../../domain/operators/acts/access-acts.ts'
import { actAdd, actChangeRole, actRemove } from '../../../domain/operators/people-acts.ts'
import { actsOf, OPERATOR_ROLES } from '../../../domain/operators/roles.ts'
import { getPerson, listPeople } from '../../../domain/people/people.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { emailInput, idInput, text, timestamp } from '../../schemas/fields.ts'
import { operatorOf } from '../authenticate-operator.ts'
import { type ChangeArguments, changeOnce } from '../change-once.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { invitedAgainSchema, invitedSchema, operatorSchema } from '../operator-schema.ts'
import { hasLink, perform, reasonText, toOutcomeBody, withReason } from '../perform-act.ts'

const meSchema = z
  .strictObject({
    operator: operatorSchema,
    stack: z.enum(['live', 'sandbox']),
    four_eyes: z.boolean().describe('Whether some acts need a second operator'),
    acts: z.array(z.string()).describe('What the role allows beyond reading'),
  })
  .meta({ id: 'Me' })

const listedSchema = operatorSchema.extend({
  created_at: timestamp,
  passkeys: z.int(),
  last_seen_at: timestamp
    .nullable()
    .describe('In a session of the desk that has not been signed out'),
})

const operatorsSchema = z.strictObject({ items: z.array(listedSchema) }).meta({ id: 'Operators' })

const reason = reasonText.optional()

const newOperatorSchema = z
  .strictObject({
    email: emailInput,
    name: text(100),
    role: z.enum(OPERATOR_ROLES),
    reason,
  })
  .meta({ examples: [{ email: 'ada@lender.example', name: 'Ada', role: 'risk' }] })

const params = z.strictObject({ id: idInput('opr') })

export function operatorRoutes(app: OperatorApp, context: OperatorContext): void {
  addReads(app, context)
  addInvitations(app, context)
  addChanges(app, context)
}

function addReads(app: OperatorApp, { db, config }: OperatorContext): void {
  app.get('/me', {
    id: 'getMe',
    summary: 'Show whose token it is, and what they may do',
    tag: 'Operators',
    response: { 200: meSchema },
    async handler(request) {
      const operator = operatorOf(request)
      const { stack, isFourEyes } = config
      return { operator, stack, four_eyes: isFourEyes, acts: actsOf(operator.role) }
    },
  })

  app.get('/operators', {
    id: 'listOperators',
    summary: 'List the operators',
    tag: 'Operators',
    response: { 200: operatorsSchema },
    handler: async () => ({ items: (await listPeople(db, LENDER)).map(bodyOf(listedSchema)) }),
  })
}

function addInvitations(app: OperatorApp, context: OperatorContext): void {
  const { config, db } = context
  const linkOf = (token: string) => deskLink(config.desk.origin, token)
  app.post('/operators', {
    id: 'inviteOperator',
    summary: 'Invite an operator to the desk',
    tag: 'Operators',
    config: { needsConfirmation: true },
    body: newOperatorSchema,
    response: { 201: invitedSchema },
    errors: ['scope_missing', 'already_exists', 'limit_reached'],
    async handler(request, reply) {
      const { reason: why, ...operator } = request.body
      const invite = async (...[tx, acting]: ChangeArguments) => {
        assertAllowed(acting.actor, 'operators.invite')
        const { result, act } = await actAdd(tx, operator, acting.now)
        await recordOperatorAction(tx, acting, { reason: why, ...act })
        return { operator: result.person, invitation_url: linkOf(result.token) }
      }
      const invited = await changeOnce(context, request, invite, hasLink)
      reply.code(201)
      return invited
    },
  })

  app.post('/operators/:id/invitation', {
    id: 'inviteOperatorAgain',
    summary:
      'Invite an operator again; another operator confirms it for one who can sign in. What they had ends a day later, once the link is opened',
    tag: 'Operators',
    config: { needsConfirmation: true },
    params,
    body: withReason({}, { reason: 'lost the phone' }),
    response: { 201: invitedAgainSchema },
    errors: ['scope_missing'],
    async handler(request, reply) {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.invite')
      const operator = await getPerson(db, { ...LENDER, personId: request.params.id })
      const { id, ...asked } = operator
      reply.code(201)
      return await perform(context, request, INVITE_OPERATOR, {
        ...{ asked, reason: request.body.reason, holdsSecret: hasLink },
        toBody: (outcome) => ({
          ...toOutcomeBody(outcome),
          operator: { id, ...asked },
          invitation_url: outcome.kind === 'done' ? linkOf(outcome.result.token) : null,
        }),
      })
    },
  })
}

function addChanges(app: OperatorApp, context: OperatorContext): void {
  app.patch('/operators/:id', {
    id: 'changeOperator',
    summary: 'Change the role of an operator, from their next request on',
    tag: 'Operators',
    config: { needsConfirmation: true },
    params,
    body: z
      .strictObject({ role: z.enum(OPERATOR_ROLES), reason })
      .meta({ examples: [{ role: 'viewer' }] }),
    response: { 200: operatorSchema },
    errors: ['scope_missing', 'last_admin'],
    async handler(request) {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.change_role')
      const { role, reason: why } = request.body
      return await changeOnce(context, request, async (tx, acting) => {
        const { result, act } = await actChangeRole(tx, request.params.id, role, acting.now)
        await recordOperatorAction(tx, acting, { reason: why, ...act })
        return result
      })
    },
  })

  app.post('/operators/:id/remove', {
    id: 'removeOperator',
    summary: 'Remove an operator: sessions, passkeys and tokens end at once',
    tag: 'Operators',
    config: { needsConfirmation: true },
    params,
    body: withReason({}, { reason: 'left' }),
    response: { 204: z.undefined().describe('Removed; empty body') },
    errors: ['scope_missing', 'last_admin'],
    async handler(request, reply) {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.remove')
      await changeOnce(context, request, async (tx, acting) => {
        const operator = await getPerson(tx, { ...LENDER, personId: request.params.id })
        const { act } = await actRemove(tx, operator.email, acting.now)
        await recordOperatorAction(tx, acting, { reason: request.body.reason, ...act })
      })
      reply.code(204).send()
    },
  })
}
