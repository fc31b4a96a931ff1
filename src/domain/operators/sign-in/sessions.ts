import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'
import { endOfLife, isDueToBeSeen } from '../../sign-in/session-life.ts'
import { newToken, parseToken } from '../../sign-in/tokens.ts'
import { type ActingOperator, recordOperatorAction } from '../actions.ts'
import type { Operator } from '../operators.ts'
import {
  insertOperatorSession,
  selectOpenOperatorSession,
  updateOperatorSessionEnded,
  updateOperatorSessionSeen,
  updateOperatorSessionsEnded,
} from './session-queries.ts'

const PREFIX = 'ops'

export type OperatorSession = {
  id: string
  person: Operator
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  seenAt: Date
  /** At the latest; sooner when it is idle. */
  expiresAt: Date
}

export type SignIn = { operator: Operator; now: Date; requestId?: string | undefined }

/** Returns the token, which is stored nowhere. */
export async function openOperatorSession(
  tx: Tx,
  { operator, now, requestId }: SignIn,
  signedInBy: SignInMethod,
): Promise<string> {
  const { token, hash } = newToken(PREFIX)
  const sessionId = newId('ses')
  await insertOperatorSession(tx, {
    ...{ sessionId, operatorId: operator.id, tokenHash: hash, signedInBy },
    mustAddPasskey: signedInBy === 'invitation',
    createdAt: now,
  })
  const acting = { actor: { kind: 'operator' as const, ...operator }, now, requestId }
  await recordOperatorAction(tx, acting, {
    action: 'operators.sign_in',
    subject: { kind: 'operator', id: operator.id },
    after: { session_id: sessionId, signed_in_by: signedInBy },
  })
  return token
}

/** Undefined for a token that opens no session now. */
export async function findOperatorSession(
  db: Db,
  token: string,
  now: Date,
): Promise<OperatorSession | undefined> {
  const parsed = parseToken(token)
  if (parsed?.prefix !== PREFIX) return undefined
  const row = await selectOpenOperatorSession(db, parsed.hash)
  const expiresAt = row && endOfLife(row, now)
  if (!row || !expiresAt) return undefined
  return {
    id: row.session_id,
    person: { id: row.operator_id, email: row.email, name: row.name, role: row.role },
    signedInBy: row.signed_in_by,
    mustAddPasskey: row.must_add_passkey,
    seenAt: row.seen_at,
    expiresAt,
  }
}

/** Keeps it from idling out. Written at most once a minute. */
export async function prolongOperatorSession(
  db: Db,
  session: OperatorSession,
  now: Date,
): Promise<void> {
  if (isDueToBeSeen(session, now)) await updateOperatorSessionSeen(db, session.id, now)
}

/** Nothing is recorded of one that had ended before. */
export async function endOperatorSession(
  tx: Tx,
  acting: ActingOperator,
  { id, person }: Pick<OperatorSession, 'id' | 'person'>,
): Promise<void> {
  if (!(await updateOperatorSessionEnded(tx, id, acting.now))) return
  await recordOperatorAction(tx, acting, {
    action: 'operators.sign_out',
    subject: { kind: 'operator', id: person.id },
    after: { session_id: id },
  })
}

/** One's own, in every browser. */
export async function endOwnSessions(
  tx: Tx,
  acting: ActingOperator,
  operatorId: string,
): Promise<void> {
  const ended = await updateOperatorSessionsEnded(tx, operatorId, acting.now)
  await recordOperatorAction(tx, acting, {
    action: 'operators.sign_out',
    subject: { kind: 'operator', id: operatorId },
    after: { sessions_ended: ended },
  })
}
