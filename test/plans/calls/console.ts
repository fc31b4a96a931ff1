import { hash } from 'node:crypto'
import * as actions from '../../../src/domain/console/action-queries.ts'
import * as passkeys from '../../../src/domain/console/passkey-queries.ts'
import * as people from '../../../src/domain/console/people-queries.ts'
import * as sessions from '../../../src/domain/console/session-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const personOf = ({ tenantId }: Sample) => `per_${tenantId.slice(-23)}001`
const sessionOf = (sample: Sample) => `ses_${personOf(sample).slice(-25)}1`
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
  }),
  queriesFile('domain/console/session-queries.ts', sessions, {
    insertSession: (tx, sample) =>
      sessions.insertSession(tx, {
        ...{ tenantId: sample.tenantId, sessionId: 'ses_new', personId: personOf(sample) },
        ...{ tokenHash: hashOf('new'), signedInBy: 'passkey', mustAddPasskey: false },
        createdAt: sample.now,
      }),
    selectOpenSession: (tx, sample) =>
      sessions.selectOpenSession(tx, sample.tenantId, hashOf(`${personOf(sample)}1`)),
    updateSessionSeen: (tx, sample) =>
      sessions.updateSessionSeen(tx, sample.tenantId, sessionOf(sample), sample.soon),
    updateSessionEnded: (tx, sample) =>
      sessions.updateSessionEnded(tx, sample.tenantId, sessionOf(sample), sample.now),
    updateSessionsEnded: (tx, sample) =>
      sessions.updateSessionsEnded(tx, sample.tenantId, personOf(sample), sample.now),
  }),
  queriesFile('domain/console/passkey-queries.ts', passkeys, {
    countPasskeysOf: (tx, sample) =>
      passkeys.countPasskeysOf(tx, sample.tenantId, personOf(sample)),
  }),
  queriesFile('domain/console/action-queries.ts', actions, {
    insertAction: (tx, sample) =>
      actions.insertAction(tx, {
        ...{ tenantId: sample.tenantId, actionId: 'act_new', personId: personOf(sample) },
        ...{ action: 'sign_in', subject: undefined, before: undefined, after: undefined },
        ...{ requestId: undefined, actedAt: sample.now },
      }),
  }),
]
