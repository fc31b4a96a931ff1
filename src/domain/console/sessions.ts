import { newId } from '../../core/ids.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SignInMethod } from '../../db/schema/console.ts'
import { type Actor, recordAction } from './actions.ts'
import type { Role } from './roles.ts'
import {
  insertSession,
  selectOpenSession,
  updateSessionEnded,
  updateSessionSeen,
  updateSessionsEnded,
} from './session-queries.ts'
import { newToken, parseToken } from './tokens.ts'

export const IDLE_MS = 12 * HOUR_MS
export const LONGEST_MS = 7 * DAY_MS
const SEEN_EVERY_MS = MINUTE_MS

export type ConsoleSession = {
  id: string
  tenant: { id: string; name: string }
  person: { id: string; email: string; name: string; role: Role }
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  /** At the latest; sooner when it is idle. */
  expiresAt: Date
}

/** Returns the token, which is stored nowhere. */
export async function openSession(
  tx: Tx,
  actor: Actor & { personId: string },
  signedInBy: SignInMethod,
): Promise<string> {
  const { tenantId, personId, now } = actor
  const { token, hash } = newToken(tenantId)
  const sessionId = newId('ses')
  await insertSession(tx, {
    ...{ tenantId, sessionId, personId, signedInBy },
    tokenHash: hash,
    mustAddPasskey: signedInBy === 'invitation',
    createdAt: now,
  })
  await recordAction(tx, actor, {
    action: 'signIn',
    subject: sessionId,
    after: { signed_in_by: signedInBy },
  })
  return token
}

/** Undefined for a token that opens no session now. Keeps it from idling out. */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
): Promise<ConsoleSession | undefined> {
  const row = await selectUnexpired(db, token, now)
  if (!row) return undefined
  if (now.getTime() - row.seen_at.getTime() >= SEEN_EVERY_MS) {
    await updateSessionSeen(db, row.tenant_id, row.session_id, now)
  }
  return {
    id: row.session_id,
    tenant: { id: row.tenant_id, name: row.tenant_name },
    person: { id: row.person_id, email: row.email, name: row.name, role: row.role },
    signedInBy: row.signed_in_by,
    mustAddPasskey: row.must_add_passkey,
    expiresAt: addMs(row.created_at, LONGEST_MS),
  }
}

/** For what stays open by itself: does not keep the session from idling out. */
export async function isSessionOpen(db: Db, token: string, now: Date): Promise<boolean> {
  return (await selectUnexpired(db, token, now)) !== undefined
}

async function selectUnexpired(db: Db, token: string, now: Date) {
  const parsed = parseToken(token)
  const row = parsed && (await selectOpenSession(db, parsed.tenantId, parsed.hash))
  if (!row) return undefined
  const isOver = now >= addMs(row.seen_at, IDLE_MS) || now >= addMs(row.created_at, LONGEST_MS)
  return isOver ? undefined : row
}

export async function endSession(tx: Tx, actor: Actor, sessionId: string): Promise<void> {
  await updateSessionEnded(tx, actor.tenantId, sessionId, actor.now)
  await recordAction(tx, actor, { action: 'signOut', subject: sessionId })
}

/** Of one person, on every device. */
export async function endSessions(tx: Tx, actor: Actor, personId: string): Promise<number> {
  const ended = await updateSessionsEnded(tx, actor.tenantId, personId, actor.now)
  await recordAction(tx, actor, {
    action: 'signOutEverywhere',
    subject: personId,
    after: { sessions_ended: ended },
  })
  return ended
}
