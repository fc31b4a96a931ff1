import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { LENDER } from '../../../db/sql/people-tables.ts'
import { assertAllowed, recordOperatorAction } from '../../../domain/operators/actions.ts'
import { actCreateToken, actRevokeToken } from '../../../domain/operators/people-acts.ts'
import { listOperatorTokens, stateOfToken } from '../../../domain/operators/tokens.ts'
import { getPerson } from '../../../domain/people/people.ts'
import { lockOpenSession } from '../../../domain/people/sign-in/sessions.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, listOf, text, timestamp, timestampInput } from '../../schemas/fields.ts'
import { operatorOf, operatorSessionOf } from '../authenticate-operator.ts'
import { type ChangeArguments, changeOnce } from '../change-once.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { reasonText, withReason } from '../perform-act.ts'

const TOKEN_EXAMPLE = {
  id: 'opt_01k9x4m2q8e0tb7f2v5j6h8n3c',
  state: 'active' as const,
  email: 'ada@lender.example',
  name: 'laptop',
  created_at: '2026-11-22T12:00:00.000Z',
  expires_at: '2027-01-31T00:00:00.000Z',
  revoked_at: null,
}

const tokenSchema = z
  .strictObject({
    id: idText('opt'),
    state: z.enum(['active', 'expired', 'revoked']),
    email: z.string().describe('Of the operator that it acts as'),
    name: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'OperatorToken', examples: [TOKEN_EXAMPLE] })

const toTokenBody = bodyOf(tokenSchema)

const tokensSchema = listOf(tokenSchema, 'OperatorTokens', TOKEN_EXAMPLE)

const createdSchema = z
  .strictObject({
    id: idText('opt'),
    token: z.string().describe('Shown only now'),
    expires_at: timestamp,
  })
  .meta({
    id: 'NewOperatorToken',
    examples: [{ id: TOKEN_EXAMPLE.id, token: 'opt.…', expires_at: TOKEN_EXAMPLE.expires_at }],
  })

const newTokenSchema = z
  .strictObject({
    operator_id: idInput('opr').describe('Your own'),
    name: text(100).describe('Where it is used'),
    expires_at: timestampInput.describe('Within 366 days'),
    reason: reasonText.optional(),
  })
  .meta({
    examples: [
      {
        operator_id: 'opr_01k9x4m2q8e0tb7f2v5j6h8n3c',
        name: 'laptop',
        expires_at: '2027-01-31T00:00:00Z',
      },
    ],
  })

export function tokenRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db, clock } = context
  app.get('/tokens', {
    id: 'listTokens',
    summary: 'List the tokens of operators, revoked and expired ones too, oldest first',
    tag: 'Operators',
    response: { 200: tokensSchema },
    async handler() {
      const now = clock()
      const tokens = await listOperatorTokens(db)
      return {
        items: tokens.map((token) => toTokenBody({ ...token, state: stateOfToken(token, now) })),
      }
    },
  })
  addCreation(app, context)
  addRevocation(app, context)
}

function addCreation(app: OperatorApp, context: OperatorContext): void {
  app.post('/tokens', {
    id: 'createToken',
    summary: 'Make a token that acts as you',
    tag: 'Operators',
    config: { needsConfirmation: true },
    body: newTokenSchema,
    response: { 201: createdSchema },
    errors: ['scope_missing', 'not_found'],
    async handler(request, reply) {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.create_token')
      const { operator_id: operatorId, name, expires_at: expiresAt, reason } = request.body
      // Else one admin would be two of four eyes.
      if (operatorId !== operatorOf(request).id) throw notYours()
      const create = async (...[tx, acting]: ChangeArguments) => {
        const endsAt = await lockOpenSession(tx, operatorSessionOf(request))
        const operator = await getPerson(tx, { ...LENDER, personId: operatorId })
        const terms = { name, expiresAt, endsAt }
        const { result, act } = await actCreateToken(tx, operator, terms, acting.now)
        await recordOperatorAction(tx, acting, { reason, ...act })
        return { ...result, expires_at: expiresAt.toISOString() }
      }
      const created = await changeOnce(context, request, create, () => true)
      reply.code(201)
      return created
    },
  })
}

function notYours(): Refusal {
  return new Refusal(
    'scope_missing',
    'Make tokens of your own here. The operators tokens create command makes those of others.',
  )
}

function addRevocation(app: OperatorApp, context: OperatorContext): void {
  app.post('/tokens/:id/revoke', {
    id: 'revokeToken',
    summary: 'Revoke a token for good, at once',
    tag: 'Operators',
    config: { needsConfirmation: true },
    params: z.strictObject({ id: idInput('opt') }),
    body: withReason({}, { reason: 'the laptop is lost' }),
    response: { 204: z.undefined().describe('Revoked; empty body') },
    errors: ['scope_missing'],
    async handler(request, reply) {
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'operators.revoke_token')
      await changeOnce(context, request, async (tx, acting) => {
        const { act } = await actRevokeToken(tx, request.params.id, acting.now)
        await recordOperatorAction(tx, acting, { reason: request.body.reason, ...act })
      })
      reply.code(204).send()
    },
  })
}
