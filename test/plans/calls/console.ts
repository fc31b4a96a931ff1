import * as actions from '../../../src/domain/console/action-queries.ts'
import * as notifications from '../../../src/domain/console/notification-queries.ts'
import * as mails from '../../../src/domain/webhooks/failure-mail-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const personOf = ({ tenantId }: Sample) => `per_${tenantId.slice(-23)}001`

export const CONSOLE_CALLS = [
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
