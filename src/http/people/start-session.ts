import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import { LONGEST_MS } from '../../domain/people/sign-in/session-life.ts'
import { endSession, findSession, type SessionIn } from '../../domain/people/sign-in/sessions.ts'
import type { Door } from './door.ts'

export type SignInExchange = {
  request: FastifyRequest
  reply: FastifyReply
  /** The token of the session that the browser had; by default that of its cookie. */
  former?: string | undefined
}

/** Always a new session; the one that the browser had before ends. `open` returns its token. */
export async function startSession<A extends Audience>(
  { db, clock, audience, cookie }: Door<A>,
  { request, reply, former = cookie.read(request) }: SignInExchange,
  open: (
    tx: Tx,
    when: { now: Date; requestId: string },
    former: SessionIn[A] | undefined,
  ) => Promise<string>,
): Promise<SessionIn[A]> {
  const when = { now: clock(), requestId: request.id }
  const token = await inTransaction(db, async (tx) => {
    const session =
      former === undefined ? undefined : await findSession(tx, audience, former, when.now)
    if (session) await endSession(tx, session, when)
    return await open(tx, when, session)
  })
  const session = await findSession(db, audience, token, when.now)
  if (!session) throw new Refusal('session_required', 'You were removed just now.')
  cookie.set(reply, token, LONGEST_MS)
  return session
}
