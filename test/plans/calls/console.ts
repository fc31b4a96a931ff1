import { hash } from 'node:crypto'
import * as actions from '../../../src/domain/console/action-queries.ts'
import * as notifications from '../../../src/domain/console/notification-queries.ts'
import * as people from '../../../src/domain/console/people-queries.ts'
import * as passkeys from '../../../src/domain/console/sign-in/passkey-queries.ts'
import * as sessions from '../../../src/domain/console/sign-in/session-queries.ts'
import * as mails from '../../../src/domain/webhooks/failure-mail-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const personOf = ({ tenantId }: Sample) => `per_${tenantId.slice(-23)}001`
/** Not known to the OIDC provider yet. */
const unboundOf = ({ tenantId }: Sample) => `per_${tenantId.slice(-23)}002`
const sessionOf = (sample: Sample) => `ses_${personOf(sample).slice(-25)}1`
/** Begun with an invitation: a passkey is to be added. */
const invitedOf = (sample: Sample) => `ses_${personOf(sample).slice(-25)}3`
const passkeyOf = (sample: Sample) => `psk_${personOf(sample).slice(-26)}`
const hashOf = (text: string) => hash('sha256', text, 'buffer')

export const CONSOLE_CALLS = [
  queriesFile('domain/console/people-queries.ts', people, {
    insertPerson: (tx, { tenantId, now }) =>
      people.insertPerson(tx, {
        ...{ tenantId, personId: 'per_new', email: 'new@example.com', name: 'New' },
        ...{ role: 'viewer', createdAt: now },
      }),
    selectPersonByEmail: (tx, sample) =>
      people.selectPersonByEmail(tx, sample.tenantId, `${personOf(sample)}@example.com`),
    insertInvitation: (tx, sample) =>
      people.insertInvitation(tx, {
        ...{ tenantId: sample.tenantId, invitationId: 'inv_new', personId: personOf(sample) },
        ...{ kind: 'invitation', tokenHash: hashOf('new') },
        ...{ createdAt: sample.now, expiresAt: sample.soon },
      }),
    takeInvitation: (tx, sample) =>
      people.takeInvitation(tx, sample.tenantId, hashOf(personOf(sample)), sample.now),
    deleteInvitations: (tx, sample) =>
      people.deleteInvitations(tx, sample.tenantId, personOf(sample)),
    selectPeople: (tx, { tenantId }) => people.selectPeople(tx, tenantId),
    lockPerson: (tx, sample) => people.lockPerson(tx, sample.tenantId, personOf(sample)),
    countAdmins: (tx, { tenantId }) => people.countAdmins(tx, tenantId),
    selectPersonBySubject: (tx, sample) =>
      people.selectPersonBySubject(tx, `subject ${personOf(sample)}`, undefined),
    selectUnboundByEmail: (tx, sample) =>
      people.selectUnboundByEmail(tx, `${unboundOf(sample)}@example.com`, undefined),
    updateSubject: (tx, sample) =>
      people.updateSubject(tx, sample.tenantId, unboundOf(sample), 'new'),
    countPeople: (tx, { tenantId }) => people.countPeople(tx, tenantId),
    updateRole: (tx, sample) => people.updateRole(tx, sample.tenantId, personOf(sample), 'viewer'),
    updatePersonRemoved: (tx, sample) =>
      people.updatePersonRemoved(tx, sample.tenantId, personOf(sample), sample.now),
  }),
  queriesFile('domain/console/notification-queries.ts', notifications, {
    selectFailureMails: (tx, sample) =>
      notifications.selectFailureMails(tx, sample.tenantId, personOf(sample)),
    updateFailureMails: (tx, sample) =>
      notifications.updateFailureMails(tx, sample.tenantId, personOf(sample), true),
  }),
  queriesFile('domain/webhooks/failure-mail-queries.ts', mails, {
    selectRecipients: (tx, { tenantId }) => mails.selectRecipients(tx, tenantId),
    selectRecipient: (tx, sample) => mails.selectRecipient(tx, sample.tenantId, personOf(sample)),
  }),
  queriesFile('domain/console/sign-in/session-queries.ts', sessions, {
    insertSession: (tx, sample) =>
      sessions.insertSession(tx, {
        ...{ tenantId: sample.tenantId, sessionId: 'ses_new', personId: personOf(sample) },
        ...{ tokenHash: hashOf('new'), signedInBy: 'passkey', mustAddPasskey: false },
        createdAt: sample.now,
      }),
    selectOpenSession: (tx, sample) =>
      sessions.selectOpenSession(tx, sample.tenantId, hashOf(`${personOf(sample)}1`)),
    selectOpenSessions: (tx, sample) =>
      sessions.selectOpenSessions(tx, [
        { tenantId: sample.tenantId, hash: hashOf(`${personOf(sample)}1`) },
        { tenantId: sample.tenantId, hash: hashOf('invented') },
      ]),
    isSessionOpen: (tx, sample) => sessions.isSessionOpen(tx, sample.tenantId, sessionOf(sample)),
    updateSessionSeen: (tx, sample) =>
      sessions.updateSessionSeen(tx, sample.tenantId, sessionOf(sample), sample.soon),
    updateSessionEnded: (tx, sample) =>
      sessions.updateSessionEnded(tx, sample.tenantId, sessionOf(sample), sample.now),
    updateSessionsEnded: (tx, sample) =>
      sessions.updateSessionsEnded(tx, sample.tenantId, personOf(sample), sample.now),
    updatePasskeyAdded: (tx, sample) =>
      sessions.updatePasskeyAdded(tx, sample.tenantId, invitedOf(sample)),
  }),
  queriesFile('domain/console/sign-in/passkey-queries.ts', passkeys, {
    countPasskeysOf: (tx, sample) =>
      passkeys.countPasskeysOf(tx, sample.tenantId, personOf(sample)),
    selectPasskeys: (tx, sample) => passkeys.selectPasskeys(tx, sample.tenantId, personOf(sample)),
    selectPasskeyByCredential: (tx, sample) =>
      passkeys.selectPasskeyByCredential(tx, sample.tenantId, hashOf(personOf(sample))),
    insertPasskey: (tx, sample) =>
      passkeys.insertPasskey(tx, {
        ...{ tenantId: sample.tenantId, passkeyId: 'psk_new', personId: personOf(sample) },
        ...{ credentialId: hashOf('new'), publicKey: hashOf('new'), counter: 0 },
        ...{ transports: [], name: 'new', createdAt: sample.now },
      }),
    updatePasskeyUsed: (tx, sample) =>
      passkeys.updatePasskeyUsed(tx, sample.tenantId, passkeyOf(sample), {
        ...{ from: 0n, to: 1n, now: sample.now },
      }),
    deletePasskey: (tx, sample) =>
      passkeys.deletePasskey(tx, sample.tenantId, personOf(sample), passkeyOf(sample)),
    deletePasskeys: (tx, sample) => passkeys.deletePasskeys(tx, sample.tenantId, personOf(sample)),
  }),
  queriesFile('domain/console/action-queries.ts', actions, {
    insertAction: (tx, sample) =>
      actions.insertAction(tx, {
        ...{ tenantId: sample.tenantId, actionId: 'act_new', personId: personOf(sample) },
        ...{ action: 'sign_in', subject: undefined, before: undefined, after: undefined },
        ...{ keyId: undefined, requestId: undefined, actedAt: sample.now },
      }),
    selectKeyMakers: (tx, { tenantId }) => actions.selectKeyMakers(tx, tenantId),
    selectActions: (tx, { tenantId }) =>
      actions.selectActions(tx, tenantId, { before: undefined, limit: 101 }),
  }),
]
