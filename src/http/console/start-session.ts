import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import {
  type ConsoleSession,
  endSession,
  findSession,
} from '../../domain/console/sign-in/sessions.ts'
import { LONGEST_MS } from '../../domain/sign-in/session-life.ts'
import { CONSOLE_COOKIE } from '../browser/cookies.ts'
import type { RouteContext } from '../route-context.ts'

export type SessionMark = { tenantId: string; personId: string; sessionId: string }

export type SignInExchange = {
  request: FastifyRequest
  reply: FastifyReply
  /** The session that the browser had; by default that of its cookie. */
  former?: SessionMark | undefined
}

/** Always a new session; the one that the browser had before ends. `open` returns its token. */
export async function startSession(
  context: RouteContext,
  { request, reply, former: given }: SignInExchange,
  open: (tx: Tx) => Promise<string>,
): Promise<ConsoleSession> {
  const { db, clock } = context
  const now = clock()
  const former = given ?? (await findFormer(context, request))
  const token = await inTransaction(db, async (tx) => {
    if (former) {
      const { sessionId, ...person } = former
      await endSession(tx, { ...person, requestId: request.id, now }, sessionId)
    }
    return await open(tx)
  })
  const session = await findSession(db, token, now)
  if (!session) throw new Refusal('session_required', 'You were removed from the people just now.')
  CONSOLE_COOKIE.set(reply, token, LONGEST_MS)
  return session
}

/** The session of the cookie that the browser brings. */
export async function findFormer(
  { db, clock }: RouteContext,
  request: FastifyRequest,
): Promise<SessionMark | undefined> {
  const token = CONSOLE_COOKIE.read(request)
  const session = token === undefined ? undefined : await findSession(db, token, clock())
  if (!session) return undefined
  return { tenantId: session.tenant.id, personId: session.person.id, sessionId: session.id }
}
