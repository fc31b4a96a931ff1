import type { Db, Tx } from '../../db/database.ts'
import { deleteInvitations } from './invitation-queries.ts'
import { selectNotices, updateNoticesSeen } from './notice-queries.ts'
import { restorePasskeys } from './passkey-queries.ts'
import { lockPerson } from './people-queries.ts'
import { keyOf, type PersonKey } from './person.ts'
import { actAs, recordSignInAct, type When } from './record.ts'
import { restoreSessions } from './session-queries.ts'
import type { Session } from './sessions.ts'

/** What was done to a person's account since they last looked, oldest first. */
export type Notice = {
  action: string
  /** The operator whom it concerns; undefined for oneself, where a tenant's person is told. */
  about: string | undefined
  by: string | undefined
  at: Date
}

export async function listNotices(db: Db, key: PersonKey): Promise<Notice[]> {
  return (await selectNotices(db, key)).map(({ action, about, by, at }) => ({
    ...{ action, at, about: about ?? undefined },
    by: by ?? undefined,
  }))
}

/** What was done until then is not shown again. */
export async function markNoticesSeen(tx: Tx, key: PersonKey, until: Date): Promise<void> {
  await updateNoticesSeen(tx, key, until)
}

/** "It was not me": links that no one has opened end. From a session that a new link is to replace, what
 * came by the link ends too, and what the person had stays. */
export async function refuseLink(tx: Tx, session: Session, when: When): Promise<void> {
  const key = keyOf(session)
  await lockPerson(tx, key)
  await deleteInvitations(tx, key)
  if (session.endsAt) {
    await restorePasskeys(tx, key, when.now)
    await restoreSessions(tx, key, when.now)
  }
  const { id } = session.person
  await recordSignInAct(tx, actAs(session, when), id, { act: 'refuseLink' })
}
