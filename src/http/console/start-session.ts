import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import {
  type ConsoleSession,
  endSession,
  findSession,
  LONGEST_MS,
} from '../../domain/console/sessions.ts'
import type { RouteContext } from '../route-context.ts'
import { readSessionCookie, setSessionCookie } from './cookie.ts'

/** Always a new session; the one that the browser had before ends. `open` returns its token. */
export async function startSession(
  { db, clock }: RouteContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  open: (tx: Tx) => Promise<string>,
): Promise<ConsoleSession> {
  const now = clock()
  const former = readSessionCookie(request)
  const before = former === undefined ? undefined : await findSession(db, former, now)
  const token = await inTransaction(db, async (tx) => {
    if (before) {
      const { tenant, person } = before
      const actor = { tenantId: tenant.id, personId: person.id, requestId: request.id, now }
      await endSession(tx, actor, before.id)
    }
    return await open(tx)
  })
  const session = await findSession(db, token, now)
  if (!session) throw new Refusal('session_required', 'You were removed from the people just now.')
  setSessionCookie(reply, token, LONGEST_MS)
  return session
}
