import { addMs } from '../../../core/time.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { keyOf } from '../person.ts'
import { actAs, recordSignInAct, type When } from '../record.ts'
import { lockOpenSession, type Session } from '../sign-in/sessions.ts'
import { deleteInvitations } from './invitation-queries.ts'
import { SETTLED_MS } from './invitations.ts'
import {
  selectNotices,
  updateNoticesSeen,
  updateNoticesSeenIn,
  withdrawProposalsSince,
} from './notice-queries.ts'
import { restoreAccess } from './replacement-queries.ts'

/** What was done to a person's account. */
export type Notice = {
  action: string
  /** The operator that it concerns; undefined for oneself, and in the console. */
  about: string | undefined
  by: string | undefined
  at: Date
}

/** A page of what was done since the person last looked in the session, newest first, `before` an instant
 * if given; `more`: how many are older than these. */
export async function listNotices(
  db: Db,
  session: Session,
  before?: Date,
): Promise<{ notices: Notice[]; more: number }> {
  const rows = await selectNotices(db, keyOf(session), { sessionId: session.id, before })
  const notices = rows.map(({ action, about, by, at }) => ({
    ...{ action, at, about: about ?? undefined },
    by: by ?? undefined,
  }))
  return { notices, more: Number(rows[0]?.count ?? 0) - rows.length }
}

/** What was done until then is not shown in the session again. It is not in the person's others either
 * once the credential that led to it was held for a day: a stranger hides nothing from the person. */
export async function markNoticesSeen(
  tx: Tx,
  session: Session,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  const key = keyOf(session)
  const seen = until < now ? until : now
  await updateNoticesSeenIn(tx, key, session.id, seen)
  const { heldSince } = session
  if (!heldSince || heldSince <= addMs(now, -SETTLED_MS)) await updateNoticesSeen(tx, key, seen)
}

/** "It was not me": links that no one has opened end. From a session that a new link is to replace, what
 * came by the link ends too, proposals that were made meanwhile included, and what the person had stays.
 * Refuses `session_required`. */
export async function refuseLink(tx: Tx, session: Session, when: When): Promise<void> {
  const key = keyOf(session)
  const { now } = when
  const endsAt = await lockOpenSession(tx, session)
  await deleteInvitations(tx, key)
  if (endsAt) {
    await restoreAccess(tx, key, { endsAt, now })
    // Else one of the lender's people could still be two: with a proposal of the link.
    const made = { after: addMs(endsAt, -SETTLED_MS), now }
    if (key.audience === 'lender') await withdrawProposalsSince(tx, key.personId, made)
  }
  const { id } = session.person
  await recordSignInAct(tx, actAs(session, when), id, { act: 'refuseLink' })
}
