import { hash } from 'node:crypto'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import * as answers from '../../../src/domain/operators/answer-queries.ts'
import * as invitations from '../../../src/domain/operators/sign-in/invitation-queries.ts'
import * as passkeys from '../../../src/domain/operators/sign-in/passkey-queries.ts'
import * as sessions from '../../../src/domain/operators/sign-in/session-queries.ts'
import * as challenges from '../../../src/domain/sign-in/challenge-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const OPERATOR = 'opr_00000000000000000000000001'
const SESSION = 'ses_00000000000000000000000001'
const PASSKEY = 'psk_00000000000000000000000050'
const KEY = '00000000-0000-4000-8000-000000000050'
const hashOf = (text: string) => hash('sha256', text, 'buffer')
const later = ({ soon }: Sample) => addMs(soon, 30 * DAY_MS)

export const SIGN_IN_CALLS = [
  queriesFile('domain/sign-in/challenge-queries.ts', challenges, {
    insertChallenge: (tx, { soon }) =>
      challenges.insertChallenge(tx, 'console_challenges', {
        ...{ challenge: hashOf('new'), purpose: 'sign_in', subject: '', expiresAt: soon },
      }),
    deleteChallenge: (tx, { now, tenantId }) =>
      challenges.deleteChallenge(tx, 'console_challenges', {
        challenge: hashOf(`per_${tenantId.slice(-23)}001`),
        ...{ purpose: 'sign_in', subject: '', expiresAt: now },
      }),
    deleteChallengesBefore: (tx, sample) =>
      challenges.deleteChallengesBefore(tx, 'console_challenges', {
        ...{ before: later(sample), limit: 100 },
      }),
  }),
  queriesFile('domain/operators/sign-in/session-queries.ts', sessions, {
    insertOperatorSession: (tx, { now }) =>
      sessions.insertOperatorSession(tx, {
        ...{ sessionId: 'ses_new', operatorId: OPERATOR, tokenHash: hashOf('new') },
        ...{ signedInBy: 'passkey', mustAddPasskey: false, createdAt: now },
      }),
    selectOpenOperatorSession: (tx) =>
      sessions.selectOpenOperatorSession(tx, hashOf('operator session 1')),
    isOperatorSessionOpen: (tx) => sessions.isOperatorSessionOpen(tx, SESSION),
    updateOperatorSessionSeen: (tx, { soon }) =>
      sessions.updateOperatorSessionSeen(tx, SESSION, soon),
    updateOperatorSessionEnded: (tx, { now }) =>
      sessions.updateOperatorSessionEnded(tx, SESSION, now),
    updateOperatorSessionsEnded: (tx, { now }) =>
      sessions.updateOperatorSessionsEnded(tx, OPERATOR, now),
    updateOperatorPasskeyAdded: (tx) => sessions.updateOperatorPasskeyAdded(tx, SESSION),
    deleteOperatorSessionsBefore: (tx, { now }) =>
      sessions.deleteOperatorSessionsBefore(tx, now, 100),
  }),
  queriesFile('domain/operators/sign-in/passkey-queries.ts', passkeys, {
    countOperatorPasskeys: (tx) => passkeys.countOperatorPasskeys(tx, OPERATOR),
    selectOperatorPasskeys: (tx) => passkeys.selectOperatorPasskeys(tx, OPERATOR),
    selectOperatorPasskey: (tx) => passkeys.selectOperatorPasskey(tx, hashOf('operator passkey 1')),
    insertOperatorPasskey: (tx, { now }) =>
      passkeys.insertOperatorPasskey(tx, OPERATOR, {
        ...{ passkeyId: 'psk_new', credentialId: hashOf('new'), publicKey: hashOf('new') },
        ...{ counter: 0, transports: [], name: 'new', createdAt: now },
      }),
    updateOperatorPasskeyUsed: (tx, { now }) =>
      passkeys.updateOperatorPasskeyUsed(tx, { passkeyId: PASSKEY, from: 0n, to: 1n, now }),
    deleteOperatorPasskey: (tx) => passkeys.deleteOperatorPasskey(tx, OPERATOR, PASSKEY),
    deleteOperatorPasskeys: (tx) => passkeys.deleteOperatorPasskeys(tx, OPERATOR),
  }),
  queriesFile('domain/operators/sign-in/invitation-queries.ts', invitations, {
    insertOperatorInvitation: (tx, { now, soon }) =>
      invitations.insertOperatorInvitation(tx, {
        ...{ invitationId: 'inv_new', operatorId: OPERATOR, kind: 'invitation' },
        ...{ tokenHash: hashOf('new'), createdAt: now, expiresAt: soon },
      }),
    takeOperatorInvitation: (tx, { now }) =>
      invitations.takeOperatorInvitation(tx, hashOf('operator invitation 1'), now),
    deleteOperatorInvitations: (tx) => invitations.deleteOperatorInvitations(tx, OPERATOR),
    deleteOperatorInvitationsBefore: (tx, sample) =>
      invitations.deleteOperatorInvitationsBefore(tx, later(sample), 100),
  }),
  queriesFile('domain/operators/answer-queries.ts', answers, {
    tryLockAnswer: (tx) => answers.tryLockAnswer(tx, OPERATOR, KEY),
    selectAnswer: (tx) => answers.selectAnswer(tx, OPERATOR, KEY),
    insertAnswer: (tx, { now }) =>
      answers.insertAnswer(
        tx,
        { operatorId: OPERATOR, key: '00000000-0000-4000-8000-ffffffffffff', recordedAt: now },
        { fingerprint: hashOf('new'), status: 200, body: '{}' },
      ),
    deleteAnswersBefore: (tx, sample) => answers.deleteAnswersBefore(tx, later(sample), 100),
  }),
]
