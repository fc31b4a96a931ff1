import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'
import type { TenantMove } from '../../../db/schema/tenants.ts'
import { createBatches } from '../../auth/batches.ts'
import { endOfLife, isDueToBeSeen } from '../../sign-in/session-life.ts'
import { newToken } from '../../sign-in/tokens.ts'
import { type Actor, recordAction } from '../actions.ts'
import type { Role } from '../roles.ts'
import {
  insertSession,
  selectOpenSession,
  selectOpenSessions,
  updateSessionEnded,
  updateSessionSeen,
  updateSessionsEnded,
} from './session-queries.ts'
import { parseTenantToken, type TenantToken } from './tenant-tokens.ts'

const BATCH_PAUSE_MS = 100
const MAX_BATCH = 1_000

export type ConsoleSession = {
  id: string
  tenant: { id: string; name: string; isSuspended: boolean; move: TenantMove | undefined }
  person: { id: string; email: string; name: string; role: Role }
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  seenAt: Date
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

/** Undefined for a token that opens no session now. */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
): Promise<ConsoleSession | undefined> {
  const parsed = parseTenantToken(token)
  const row = parsed && (await selectOpenSession(db, parsed.tenantId, parsed.hash))
  return toSession(row, now)
}

/** As `findSession`. `isExhausted`: the source has failed too often. */
export type FindSession = (
  token: string,
  now: Date,
  isExhausted: () => Promise<boolean>,
) => Promise<ConsoleSession | undefined>

/** Tokens from exhausted sources share a query every 100 ms: invented ones cost no more, and people
 * behind the same address stay signed in. */
export function createSessionLookup(db: Db): FindSession {
  const findTogether = createBatches<SessionRow>({
    load: (tokens) => loadSessions(db, tokens),
    pauseMs: BATCH_PAUSE_MS,
    maxBatch: MAX_BATCH,
  })
  return async (token, now, isExhausted) => {
    if (!parseTenantToken(token)) return undefined
    if (!(await isExhausted())) return await findSession(db, token, now)
    return toSession(await findTogether(token), now)
  }
}

/** Those of the tokens that open a session now. */
export async function findOpenTokens(
  db: Db,
  tokens: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const found = [...(await loadSessions(db, tokens))]
  return new Set(found.flatMap(([token, row]) => (toSession(row, now) ? [token] : [])))
}

async function loadSessions(db: Db, tokens: readonly string[]): Promise<Map<string, SessionRow>> {
  const rows = await selectOpenSessions(db, tokens.map(parseTenantToken).filter(isParsed))
  const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
  return new Map(tokens.flatMap((token) => entryOf(token, found)))
}

const isParsed = (parsed: TenantToken | undefined): parsed is TenantToken => parsed !== undefined

function entryOf(token: string, found: ReadonlyMap<string, SessionRow>): [string, SessionRow][] {
  const row = found.get(parseTenantToken(token)?.hash.toString('hex') ?? '')
  return row ? [[token, row]] : []
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof selectOpenSession>>>

function toSession(row: SessionRow | undefined, now: Date): ConsoleSession | undefined {
  const expiresAt = row && endOfLife(row, now)
  if (!expiresAt) return undefined
  return {
    id: row.session_id,
    tenant: {
      id: row.tenant_id,
      name: row.tenant_name,
      isSuspended: row.suspended_at !== null,
      move: row.move ?? undefined,
    },
    person: { id: row.person_id, email: row.email, name: row.name, role: row.role },
    signedInBy: row.signed_in_by,
    mustAddPasskey: row.must_add_passkey,
    seenAt: row.seen_at,
    expiresAt,
  }
}

/** Keeps it from idling out. Written at most once a minute. */
export async function prolongSession(db: Db, session: ConsoleSession, now: Date): Promise<void> {
  if (!isDueToBeSeen(session, now)) return
  await updateSessionSeen(db, session.tenant.id, session.id, now)
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
