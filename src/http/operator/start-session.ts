import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import {
  endOperatorSession,
  findOperatorSession,
  type OperatorSession,
} from '../../domain/operators/sign-in/sessions.ts'
import { LONGEST_MS } from '../../domain/sign-in/session-life.ts'
import { DESK_COOKIE } from '../browser/cookies.ts'
import type { OperatorContext } from './operator-context.ts'

export type SignInExchange = {
  request: FastifyRequest
  reply: FastifyReply
  /** The token of the session that the browser had; by default that of its cookie. */
  former?: string | undefined
}

/** Always a new session; the one that the browser had before ends. `open` returns its token. */
export async function startSession(
  { db, clock }: OperatorContext,
  { request, reply, former = DESK_COOKIE.read(request) }: SignInExchange,
  open: (tx: Tx) => Promise<string>,
): Promise<OperatorSession> {
  const now = clock()
  const token = await inTransaction(db, async (tx) => {
    const session = former === undefined ? undefined : await findOperatorSession(tx, former, now)
    if (session) {
      const actor = { kind: 'operator' as const, ...session.person }
      await endOperatorSession(tx, { actor, now, requestId: request.id }, session)
    }
    return await open(tx)
  })
  const session = await findOperatorSession(db, token, now)
  if (!session) throw new Refusal('session_required', 'You were removed just now.')
  DESK_COOKIE.set(reply, token, LONGEST_MS)
  return session
}
