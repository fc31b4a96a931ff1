import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'
import type { Audience } from '../../../db/sql/people-tables.ts'
import { lockPerson } from '../people-queries.ts'
import {
  keyOf,
  type Member,
  type People,
  type PeopleIn,
  type PersonKey,
  type TenantPeople,
  toPerson,
} from '../person.ts'
import { type Acting, actAs, recordSignInAct, type When } from '../record.ts'
import { newTokenOf, parseTokenOf } from '../tokens.ts'
import { endOfLife, isDueToBeSeen } from './session-life.ts'
import {
  insertSession,
  type SessionRow,
  selectOpenSession,
  selectSessionEnd,
  updateSessionEnded,
  updateSessionSeen,
  updateSessionsEnded,
} from './session-queries.ts'

export type Session<P extends People = People> = Member<P> & {
  id: string
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  seenAt: Date
  /** Since when the youngest credential that led to it is held. Undefined: since ever. */
  heldSince: Date | undefined
  /** When the person last proved again who they are, other than by a passkey. */
  provenAt: Date | undefined
  /** When a passkey was last given in it. */
  confirmedAt: Date | undefined
  /** A new link replaces it then. */
  endsAt: Date | undefined
  /** At the latest; sooner when it is idle. */
  expiresAt: Date
}

export type ConsoleSession = Session<TenantPeople> & {
  tenant: { id: string; name: string; isSuspended: boolean }
}

export type DeskSession = Session<PeopleIn<'lender'>>

export type SessionIn = { tenant: ConsoleSession; lender: DeskSession }

export type SignedIn = {
  signedInBy: SignInMethod
  heldSince: Date | undefined
  provenAt?: Date
  /** With the passkey by which they sign in. */
  endsAt?: Date | undefined
}

/** Returns the token, which is stored nowhere. */
export async function openSession(
  tx: Tx,
  member: Member,
  when: When,
  { signedInBy, heldSince, provenAt, endsAt }: SignedIn,
): Promise<string> {
  const { token, hash } = newTokenOf(member.people, 'session')
  const sessionId = newId('ses')
  await insertSession(tx, keyOf(member), {
    ...{ sessionId, tokenHash: hash, signedInBy, createdAt: when.now },
    mustAddPasskey: signedInBy === 'invitation',
    ...{ heldSince, provenAt, endsAt },
  })
  const act = { act: 'signIn' as const, sessionId, signedInBy }
  await recordSignInAct(tx, actAs(member, when), member.person.id, act)
  return token
}

/** Undefined for a token that opens no session now. */
export async function findSession<A extends Audience>(
  db: Db,
  audience: A,
  token: string,
  now: Date,
): Promise<SessionIn[A] | undefined> {
  const parsed = parseTokenOf(audience, 'session', token)
  const row = parsed && (await selectOpenSession<People>(db, parsed.people, parsed.hash))
  return row && (toSession(parsed.people, row, now) as SessionIn[A] | undefined)
}

/** Undefined for one that has ended by its age or was idle. */
export function toConsoleSession(
  row: SessionRow<TenantPeople>,
  now: Date,
): ConsoleSession | undefined {
  return toSession({ audience: 'tenant', tenantId: row.tenant_id }, row, now) as
    | ConsoleSession
    | undefined
}

function toSession(people: People, row: SessionRow<People>, now: Date): Session | undefined {
  const expiresAt = endOfLife(row, now)
  return expiresAt && { ...toOwner(people, row), ...describe(row, expiresAt) }
}

function describe(row: SessionRow<People>, expiresAt: Date) {
  return {
    id: row.session_id,
    person: toPerson(row),
    signedInBy: row.signed_in_by,
    mustAddPasskey: row.must_add_passkey,
    seenAt: row.seen_at,
    heldSince: row.held_since ?? undefined,
    provenAt: row.proven_at ?? undefined,
    confirmedAt: row.confirmed_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    expiresAt,
  }
}

/** A tenant's with the tenant, as the row has it. */
function toOwner(people: People, row: SessionRow<People>) {
  if (people.audience === 'lender') return { people }
  const of = row as SessionRow<TenantPeople>
  const isSuspended = of.suspended_at !== null
  return { people, tenant: { id: of.tenant_id, name: of.tenant_name, isSuspended } }
}

/** No link is opened for its person before the commit. Returns when one replaces the session. Refuses
 * `session_required` for a session that has ended. */
export async function lockOpenSession(tx: Tx, session: Session): Promise<Date | undefined> {
  const key = keyOf(session)
  await lockPerson(tx, key)
  const open = await selectSessionEnd(tx, key, session.id)
  if (!open) throw new Refusal('session_required', 'The session has ended.')
  return open.ends_at ?? undefined
}

/** Keeps it from idling out. Written at most once a minute. */
export async function prolongSession(db: Db, session: Session, now: Date): Promise<void> {
  if (isDueToBeSeen(session, now)) await updateSessionSeen(db, session.people, session.id, now)
}

/** Nothing is recorded of one that had ended before. */
export async function endSession(
  tx: Tx,
  session: Pick<Session, 'id' | 'people' | 'person'>,
  when: When,
): Promise<void> {
  const { id: sessionId, people, person } = session
  if (!(await updateSessionEnded(tx, people, sessionId, when.now))) return
  await recordSignInAct(tx, actAs(session, when), person.id, { act: 'signOut', sessionId })
}

/** Ends a person's sessions on every device. Returns how many were open. */
export async function endSessions(tx: Tx, acting: Acting, key: PersonKey): Promise<number> {
  const sessionsEnded = await updateSessionsEnded(tx, key, acting.now)
  await recordSignInAct(tx, acting, key.personId, { act: 'signOutEverywhere', sessionsEnded })
  return sessionsEnded
}
