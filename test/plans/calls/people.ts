import { hash } from 'node:crypto'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import type { Tx } from '../../../src/db/database.ts'
import { LENDER, peopleOf } from '../../../src/db/sql/people-tables.ts'
import * as invitations from '../../../src/domain/people/links/invitation-queries.ts'
import * as notices from '../../../src/domain/people/links/notice-queries.ts'
import * as replacements from '../../../src/domain/people/links/replacement-queries.ts'
import * as people from '../../../src/domain/people/people-queries.ts'
import type { People, PersonKey } from '../../../src/domain/people/person.ts'
import * as purging from '../../../src/domain/people/purge-queries.ts'
import * as challenges from '../../../src/domain/people/sign-in/challenge-queries.ts'
import * as passkeys from '../../../src/domain/people/sign-in/passkey-queries.ts'
import * as sessions from '../../../src/domain/people/sign-in/session-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Call, Sample } from '../sample.ts'

const hashOf = (text: string) => hash('sha256', text, 'buffer')
const later = ({ soon }: Sample) => addMs(soon, 30 * DAY_MS)

/** One person of an audience, with what they have. */
type Given = Sample & {
  people: People
  key: PersonKey
  newcomer: PersonKey
  /** Not known to the OIDC provider yet. */
  unbound: PersonKey
  email: string
  subject: string
  invitation: Buffer
  session: { id: string; hash: Buffer }
  /** Begun with an invitation: a passkey is to be added. */
  invitedSessionId: string
  passkey: { id: string; credential: Buffer }
}

function ofTenant(sample: Sample): Given {
  const of = peopleOf(sample.tenantId)
  const idOf = (n: string) => `per_${sample.tenantId.slice(-23)}${n}`
  const id = idOf('001')
  const sessionOf = (n: number) => `ses_${id.slice(-25)}${n}`
  return {
    ...sample,
    ...{ people: of, key: { ...of, personId: id }, newcomer: { ...of, personId: 'per_new' } },
    unbound: { ...of, personId: idOf('002') },
    ...{ email: `${id}@example.com`, subject: `subject ${id}`, invitation: hashOf(id) },
    ...{ session: { id: sessionOf(1), hash: hashOf(`${id}1`) }, invitedSessionId: sessionOf(3) },
    passkey: { id: `psk_${id.slice(-26)}`, credential: hashOf(id) },
  }
}

function ofLender(sample: Sample): Given {
  const keyOf = (n: number): PersonKey => ({
    ...LENDER,
    personId: `opr_${String(n).padStart(26, '0')}`,
  })
  const sessionId = 'ses_00000000000000000000000001'
  return {
    ...sample,
    ...{ people: LENDER, key: keyOf(1), newcomer: { ...LENDER, personId: 'opr_new' } },
    ...{ unbound: keyOf(2), email: 'operator1@lender.example', subject: 'subject 1' },
    invitation: hashOf('operator invitation 1'),
    ...{ session: { id: sessionId, hash: hashOf('operator session 1') } },
    invitedSessionId: sessionId,
    passkey: {
      ...{ id: 'psk_00000000000000000000000050', credential: hashOf('operator passkey 50') },
    },
  }
}

/** The same statement over both sets of tables, one after the other. */
const both =
  (run: (tx: Tx, given: Given) => Promise<unknown>): Call =>
  async (tx, sample) => {
    await run(tx, ofTenant(sample))
    await run(tx, ofLender(sample))
  }

const DOMAIN = 'domain/people'

const OPERATOR = 'opr_00000000000000000000000001'
/** A link that the operator has opened. */
const OPENED = 'inv_00000000000000000000000100'

const sinceOf = ({ now }: Sample) => ({ after: addMs(now, -2 * DAY_MS), now })

export const PEOPLE_CALLS = [
  queriesFile(`${DOMAIN}/people-queries.ts`, people, {
    insertPerson: both((tx, { newcomer, now }) =>
      people.insertPerson(tx, newcomer, {
        ...{ email: 'new@example.com', name: 'New', role: 'viewer', createdAt: now },
      }),
    ),
    selectPersonByEmail: both((tx, given) =>
      people.selectPersonByEmail(tx, given.people, given.email),
    ),
    selectPerson: both((tx, { key }) => people.selectPerson(tx, key)),
    selectPeople: both((tx, given) => people.selectPeople(tx, given.people)),
    lockPeople: both((tx, given) => people.lockPeople(tx, given.people)),
    lockPerson: both((tx, { key }) => people.lockPerson(tx, key)),
    shareRole: both((tx, { key }) => people.shareRole(tx, key)),
    updateRole: both((tx, { key }) => people.updateRole(tx, key, 'admin')),
    updatePersonRemoved: both((tx, { key, now }) => people.updatePersonRemoved(tx, key, now)),
    updateSubject: both((tx, { unbound, now }) => people.updateSubject(tx, unbound, 'new', now)),
    selectBinding: both((tx, { key }) => people.selectBinding(tx, key)),
    selectHasCredentials: both((tx, { key, now }) => people.selectHasCredentials(tx, key, now)),
    selectPersonByIdentity: async (tx, sample) => {
      const [mine, lenders] = [ofTenant(sample), ofLender(sample)]
      const { now } = sample
      const anywhere = { audience: 'tenant', tenantId: undefined } as const
      await people.selectPersonByIdentity(tx, anywhere, { subject: mine.subject }, now)
      const mineUnbound = { unboundEmail: `${mine.unbound.personId}@example.com` }
      await people.selectPersonByIdentity(tx, anywhere, mineUnbound, now)
      await people.selectPersonByIdentity(tx, LENDER, { subject: lenders.subject }, now)
      const lendersUnbound = { unboundEmail: 'operator2@lender.example' }
      await people.selectPersonByIdentity(tx, LENDER, lendersUnbound, now)
    },
  }),
  queriesFile(`${DOMAIN}/links/invitation-queries.ts`, invitations, {
    insertInvitation: both((tx, { key, now, soon }) =>
      invitations.insertInvitation(tx, key, {
        ...{ invitationId: 'inv_new', kind: 'invitation', tokenHash: hashOf('new') },
        isTrusted: false,
        ...{ createdAt: now, expiresAt: soon },
      }),
    ),
    takeInvitation: both((tx, given) =>
      invitations.takeInvitation(tx, given.people, given.invitation, given.now),
    ),
    deleteInvitations: both((tx, { key }) => invitations.deleteInvitations(tx, key)),
  }),
  queriesFile(`${DOMAIN}/sign-in/session-queries.ts`, sessions, {
    insertSession: both((tx, { key, now }) =>
      sessions.insertSession(tx, key, {
        ...{ sessionId: 'ses_new', tokenHash: hashOf('new'), signedInBy: 'passkey' },
        ...{ mustAddPasskey: false, createdAt: now },
        ...{ heldSince: now, provenAt: undefined, endsAt: undefined },
      }),
    ),
    selectOpenSession: both((tx, given) =>
      sessions.selectOpenSession(tx, given.people, given.session.hash),
    ),
    selectOpenSessions: (tx, sample) => {
      const of = peopleOf(sample.tenantId)
      return sessions.selectOpenSessions(tx, [
        { people: of, hash: ofTenant(sample).session.hash },
        { people: of, hash: hashOf('invented') },
      ])
    },
    selectSessionEnd: both((tx, given) =>
      sessions.selectSessionEnd(tx, given.people, given.session.id),
    ),
    updateSessionSeen: both((tx, given) =>
      sessions.updateSessionSeen(tx, given.people, given.session.id, given.soon),
    ),
    updateSessionEnded: both((tx, given) =>
      sessions.updateSessionEnded(tx, given.people, given.session.id, given.now),
    ),
    updateSessionsEnded: both((tx, { key, now }) => sessions.updateSessionsEnded(tx, key, now)),
    updateSessionConfirmed: both((tx, given) =>
      sessions.updateSessionConfirmed(tx, given.people, given.session.id, {
        ...{ now: given.now, heldSince: given.now },
      }),
    ),
    updatePasskeyAdded: both((tx, given) =>
      sessions.updatePasskeyAdded(tx, given.people, given.invitedSessionId),
    ),
  }),
  queriesFile(`${DOMAIN}/sign-in/passkey-queries.ts`, passkeys, {
    selectPasskeyCount: both((tx, { key }) => passkeys.selectPasskeyCount(tx, key)),
    selectPasskeys: both((tx, { key, now }) => passkeys.selectPasskeys(tx, key, now)),
    selectPasskeyByCredential: both((tx, { key, passkey, now }) =>
      passkeys.selectPasskeyByCredential(tx, key, passkey.credential, now),
    ),
    insertPasskey: both((tx, { key, now }) =>
      passkeys.insertPasskey(tx, key, {
        ...{ passkeyId: 'psk_new', credentialId: hashOf('new'), publicKey: hashOf('new') },
        ...{ counter: 0, transports: [], name: 'new', createdAt: now },
        ...{ heldSince: now, endsAt: undefined },
      }),
    ),
    updatePasskeyUsed: both((tx, { people: of, passkey, now }) =>
      passkeys.updatePasskeyUsed(tx, of, { passkeyId: passkey.id, from: 0n, to: 1n, now }),
    ),
    deletePasskey: both((tx, { key, passkey }) => passkeys.deletePasskey(tx, key, passkey.id)),
    deletePasskeys: both((tx, { key }) => passkeys.deletePasskeys(tx, key)),
  }),
  queriesFile(`${DOMAIN}/links/replacement-queries.ts`, replacements, {
    selectReplacements: both((tx, { key, now }) => replacements.selectReplacements(tx, key, now)),
    updateReplaces: both((tx, { key, now }) =>
      replacements.updateReplaces(tx, key, OPENED, addMs(now, DAY_MS)),
    ),
    updateAccessEnding: both((tx, { key, soon }) => replacements.updateAccessEnding(tx, key, soon)),
    restoreAccess: both((tx, { key, now }) =>
      replacements.restoreAccess(tx, key, { endsAt: now, now }),
    ),
  }),
  queriesFile(`${DOMAIN}/links/notice-queries.ts`, notices, {
    selectNotices: both((tx, { key, session, now }) =>
      notices.selectNotices(tx, key, { sessionId: session.id, before: now }),
    ),
    updateNoticesSeenIn: both((tx, { key, session, now }) =>
      notices.updateNoticesSeenIn(tx, key, session.id, now),
    ),
    updateNoticesSeen: both((tx, { key, now }) => notices.updateNoticesSeen(tx, key, now)),
    withdrawProposalsSince: (tx, sample) =>
      notices.withdrawProposalsSince(tx, OPERATOR, sinceOf(sample)),
  }),
  queriesFile(`${DOMAIN}/sign-in/challenge-queries.ts`, challenges, {
    insertChallenge: both((tx, { people: { audience }, soon }) =>
      challenges.insertChallenge(tx, audience, {
        ...{ challenge: hashOf('new'), purpose: 'sign_in', subject: '', expiresAt: soon },
      }),
    ),
    deleteChallenge: (tx, sample) =>
      challenges.deleteChallenge(tx, 'tenant', {
        challenge: hashOf(`per_${sample.tenantId.slice(-23)}001`),
        ...{ purpose: 'sign_in', subject: '', expiresAt: sample.now },
      }),
  }),
  queriesFile(`${DOMAIN}/purge-queries.ts`, purging, {
    deleteRowsBefore: async (tx, sample) => {
      await purging.deleteRowsBefore(tx, 'console_challenges', later(sample), 100)
      await purging.deleteRowsBefore(tx, 'operator_invitations', later(sample), 100)
      await purging.deleteRowsBefore(tx, 'operator_sessions', sample.now, 100)
      await purging.deleteRowsBefore(tx, 'operator_mails', sample.past, 100)
      await purging.deleteRowsBefore(tx, 'asked_addresses', sample.past, 100)
    },
  }),
]
