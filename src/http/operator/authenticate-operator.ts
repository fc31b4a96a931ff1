import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { ActingOperator } from '../../domain/operators/actions.ts'
import type { Operator } from '../../domain/operators/roles.ts'
import { findTokenHolder } from '../../domain/operators/tokens.ts'
import { assertConfirmed } from '../../domain/people/sign-in/confirm.ts'
import {
  type DeskSession,
  findSession,
  prolongSession,
} from '../../domain/people/sign-in/sessions.ts'
import { DESK_COOKIE } from '../browser/cookies.ts'
import { createHostCheck, createOriginCheck, isAttended } from '../browser/same-origin.ts'
import { deskSiteOf, type OperatorContext } from './operator-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | undefined
    /** Of the desk; undefined for what a token proves. */
    operatorSession: DeskSession | undefined
    /** Since when they hold what they sign in with; undefined: since ever. */
    operatorHeldSince: Date | undefined
  }
  interface FastifyContextConfig {
    /** Reached by someone who was invited and has no passkey yet. */
    isBeforePasskey?: true
  }
}

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i

/** `Authorization: Bearer` with the token of an operator, or the cookie of a session in the desk.
 * The role is read at each request. */
export function authenticateOperator(app: FastifyInstance, context: OperatorContext): void {
  const { db, clock, config } = context
  const checkSession = createSessionCheck(context)
  app.addHook('onRequest', async (request) => {
    const { authorization } = request.headers
    const cookie = config.desk.mode === 'off' ? undefined : DESK_COOKIE.read(request)
    if (authorization === undefined && cookie !== undefined) {
      request.operatorSession = await checkSession(request, cookie)
      request.operator = request.operatorSession.person
      request.operatorHeldSince = request.operatorSession.heldSince
      return
    }
    const [, token] = BEARER.exec(authorization ?? '') ?? []
    const found = token === undefined ? undefined : await findTokenHolder(db, token, clock())
    request.operator = found?.operator
    request.operatorHeldSince = found?.heldSince
    if (!found) {
      throw new Refusal('token_required', 'Send Authorization: Bearer with a token that is valid.')
    }
  })
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.needsConfirmation) await assertPasskey(context, request)
  })
}

/** Given again within five minutes. Refuses `passkey_required`, and `session_required` for a token. */
export async function assertPasskey(
  { db, clock, config }: OperatorContext,
  request: FastifyRequest,
): Promise<void> {
  const isLocal = config.desk.mode === 'local'
  await assertConfirmed(db, operatorSessionOf(request), { now: clock(), isLocal })
}

/** The desk's own pages alone: a browser adds the cookie to what any page sends. */
function createSessionCheck(context: OperatorContext) {
  const { db, clock } = context
  const checks = [createHostCheck(deskSiteOf(context)), createOriginCheck(deskSiteOf(context))]
  return async (request: FastifyRequest, token: string): Promise<DeskSession> => {
    for (const check of checks) {
      const refusal = check(request)
      if (refusal) throw refusal
    }
    const now = clock()
    const session = await findSession(db, 'lender', token, now)
    if (!session) throw new Refusal('session_required', 'Sign in to the desk.')
    if (session.mustAddPasskey && !request.routeOptions.config.isBeforePasskey) {
      throw new Refusal('passkey_required', 'Add a passkey first.')
    }
    if (isAttended(request)) await prolongSession(db, session, now)
    return session
  }
}

export function operatorOf(request: FastifyRequest): Operator {
  if (!request.operator) throw new Error('a route was reached without an operator')
  return request.operator
}

/** Refuses `session_required` for a token, which has nothing to sign out of. */
export function operatorSessionOf(request: FastifyRequest): DeskSession {
  if (request.operatorSession) return request.operatorSession
  throw new Refusal('session_required', 'A token is no session: sign in to the desk.')
}

export function actingOperatorOf(request: FastifyRequest, now: Date): ActingOperator {
  return {
    actor: { kind: 'operator', ...operatorOf(request) },
    ...{ now, requestId: request.id, heldSince: request.operatorHeldSince },
  }
}
