import { hash, randomUUID } from 'node:crypto'
import { LENDER, type PersonKey, peopleOf } from '../../../src/db/sql/people-tables.ts'
import * as actions from '../../../src/domain/console/action-queries.ts'
import * as notifications from '../../../src/domain/console/notification-queries.ts'
import * as asked from '../../../src/domain/mails/asked-address-queries.ts'
import * as accountMails from '../../../src/domain/mails/mail-queries.ts'
import * as mails from '../../../src/domain/webhooks/failure-mail-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const personOf = ({ tenantId }: Sample) => `per_${tenantId.slice(-23)}001`

/** A uuid of the crash day. */
const mailOf = (text: string) =>
  hash('md5', text).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')

const keysOf = (sample: Sample): PersonKey[] => [
  { ...peopleOf(sample.tenantId), personId: personOf(sample) },
  { ...LENDER, personId: `opr_${'1'.padStart(26, '0')}` },
]

export const CONSOLE_CALLS = [
  queriesFile('domain/console/notification-queries.ts', notifications, {
    selectFailureMails: (tx, sample) =>
      notifications.selectFailureMails(tx, sample.tenantId, personOf(sample)),
    updateFailureMails: (tx, sample) =>
      notifications.updateFailureMails(tx, sample.tenantId, personOf(sample), true),
  }),
  queriesFile('domain/webhooks/failure-mail-queries.ts', mails, {
    selectRecipients: (tx, { tenantId }) => mails.selectRecipients(tx, tenantId),
    lockRecipient: (tx, sample) => mails.lockRecipient(tx, sample.tenantId, personOf(sample)),
    collectNotices: (tx, sample) =>
      mails.collectNotices(tx, sample.tenantId, [
        {
          ...{ noticeId: randomUUID(), personId: personOf(sample), webhookId: 'whk_1' },
          ...{ failedAttempts: 50, deadLetters: 0, isDisabled: false, now: sample.now },
        },
      ]),
    lockCollected: (tx, sample) => mails.lockCollected(tx, sample.tenantId, personOf(sample)),
    selectReserved: (tx, sample) =>
      mails.selectReserved(tx, sample.tenantId, personOf(sample), sample.past),
    reserveCollected: (tx, { tenantId, now, ...sample }) => {
      const personId = personOf({ ...sample, tenantId, now })
      const collected = { tenantId, personId, webhookIds: ['whk_1', 'whk_2'] }
      return mails.reserveCollected(tx, collected, randomUUID(), now)
    },
    selectUnsent: (tx, sample) => mails.selectUnsent(tx, sample.tenantId, personOf(sample)),
    updateSent: (tx, sample) => {
      const mail = { personId: personOf(sample), mailId: mailOf(`${personOf(sample)}3`) }
      return mails.updateSent(tx, sample.tenantId, mail, sample.soon)
    },
    deleteUnsent: (tx, sample) => mails.deleteUnsent(tx, sample.tenantId, personOf(sample)),
  }),
  queriesFile('domain/mails/mail-queries.ts', accountMails, {
    async selectAddress(tx, sample) {
      for (const key of keysOf(sample)) await accountMails.selectAddress(tx, key)
    },
    async updateAddressConfirmed(tx, sample) {
      const personId = `per_${sample.tenantId.slice(-23)}002`
      const key = { ...peopleOf(sample.tenantId), personId }
      await accountMails.updateAddressConfirmed(tx, key, `${personId}@example.com`)
      const [, lender = key] = keysOf(sample)
      await accountMails.updateAddressConfirmed(tx, lender, 'operator1@lender.example')
    },
    async insertAccountMail(tx, { now, ...sample }) {
      const mail = { kind: 'passkey_added', subjectId: undefined, now }
      for (const key of keysOf({ ...sample, now })) {
        await accountMails.insertAccountMail(tx, key, { ...mail, mailId: randomUUID() })
      }
    },
    selectAccountMail: (tx, sample) =>
      accountMails.selectAccountMail(tx, sample.tenantId, mailOf(`${personOf(sample)}1`)),
    updateAccountMailSent: (tx, sample) =>
      accountMails.updateAccountMailSent(
        ...([tx, sample.tenantId, mailOf(`${personOf(sample)}1`), sample.soon] as const),
      ),
    claimLenderMails: (tx, { soon }) =>
      accountMails.claimLenderMails(tx, { now: soon, again: soon, limit: 10 }),
    settleLenderMail: (tx, { soon }) => accountMails.settleLenderMail(tx, mailOf('1'), soon),
  }),
  queriesFile('domain/mails/asked-address-queries.ts', asked, {
    lockAsker: (tx, { tenantId }) => asked.lockAsker(tx, tenantId),
    selectAskedAt: (tx, { tenantId, past }) =>
      asked.selectAskedAt(tx, tenantId, { after: past, limit: 10 }),
    async upsertAskedAddress(tx, { tenantId: askedBy, now, past, ...sample }) {
      const address = `${personOf({ ...sample, tenantId: askedBy, now, past })}@example.com`
      await asked.upsertAskedAddress(tx, { address, askedBy, now }, past)
    },
  }),
  queriesFile('domain/console/action-queries.ts', actions, {
    insertAction: (tx, sample) =>
      actions.insertAction(tx, {
        ...{ tenantId: sample.tenantId, actionId: 'act_new', personId: personOf(sample) },
        ...{ action: 'sign_in', subject: undefined, before: undefined, after: undefined },
        ...{ keyId: undefined, requestId: undefined, actedAt: sample.now },
      }),
    selectKeyMakers: (tx, { tenantId }) => actions.selectKeyMakers(tx, tenantId),
    selectInvitationsSince: (tx, { tenantId, past }) =>
      actions.selectInvitationsSince(tx, tenantId, past, 10),
    selectActions: (tx, { tenantId }) =>
      actions.selectActions(tx, tenantId, { before: undefined, limit: 101 }),
  }),
]
