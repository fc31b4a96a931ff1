import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { ActingOperator } from '../../domain/operators/actions.ts'
import type { Operator } from '../../domain/operators/operators.ts'
import { findTokenHolder } from '../../domain/operators/tokens.ts'
import type { OperatorContext } from './operator-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | undefined
  }
}

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i

/** `Authorization: Bearer` with the token of an operator, whose role is read at each request. */
export function authenticateOperator(app: FastifyInstance, { db, clock }: OperatorContext): void {
  app.decorateRequest('operator', undefined)
  app.addHook('onRequest', async (request) => {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? []
    request.operator = token === undefined ? undefined : await findTokenHolder(db, token, clock())
    if (!request.operator) {
      throw new Refusal('token_required', 'Send Authorization: Bearer with a token that is valid.')
    }
  })
}

export function operatorOf(request: FastifyRequest): Operator {
  if (!request.operator) throw new Error('a route was reached without an operator')
  return request.operator
}

export function actingOperatorOf(request: FastifyRequest, now: Date): ActingOperator {
  return { actor: { kind: 'operator', ...operatorOf(request) }, now, requestId: request.id }
}
