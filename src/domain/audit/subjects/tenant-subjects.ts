import type { Subjects } from '../subject-queries.ts'
import { all, by, changed, ofPage, tenant, text, written } from './subject-parts.ts'

export const BORROWERS: Subjects = {
  name: 'borrower',
  key: [tenant, text('borrower_id')],
  sources: [{ ...changed('borrowers', 'borrower_id'), ...by('borrower_id') }],
  within: ofPage(['tenant_id', 'borrower_id'], ['borrowers']),
}

export const DELIVERIES: Subjects = {
  name: 'delivery',
  key: [tenant, text('webhook_id'), text('event_id')],
  sources: [
    { ...changed('deliveries', 'webhook_id', 'event_id'), ...by('webhook_id', 'event_id') },
    { ...written('delivery_attempts', 'webhook_id', 'event_id'), ...by('webhook_id', 'event_id') },
  ],
  within: [
    all('delivery_attempts'),
    ...ofPage(['tenant_id', 'webhook_id', 'event_id'], ['deliveries', 'delivery_attempts']),
  ],
}

export const WEBHOOKS: Subjects = {
  name: 'webhook',
  key: [tenant, text('webhook_id')],
  sources: [
    { ...changed('webhooks', 'webhook_id'), ...by('webhook_id') },
    changed('deliveries', 'webhook_id'),
    written('delivery_attempts', 'webhook_id'),
  ],
  within: ofPage(['tenant_id', 'webhook_id'], ['webhooks']),
}

const ANSWER_KEY = [tenant, { name: 'key', type: 'uuid' }]

export const ANSWERS: Subjects = {
  name: 'answer',
  key: ANSWER_KEY,
  sources: [{ ...written('idempotency_records', 'key'), order: ANSWER_KEY }],
  within: [all('idempotency_records'), ...ofPage(['tenant_id', 'key'], ['idempotency_records'])],
}

export const SECRETS: Subjects = {
  name: 'secret',
  key: [tenant],
  sources: [{ ...changed('signing_secrets'), ...by() }],
  within: ofPage(['tenant_id'], ['signing_secrets']),
}

export const FAILING_WORK: Subjects = {
  name: 'failing-work',
  key: [tenant, text('topic'), text('subject_id')],
  sources: [
    {
      table: 'work',
      key: ['tenant_id', 'topic', 'subject_id'],
      where: 'last_error IS NOT NULL',
      ...by('topic', 'subject_id'),
    },
  ],
  within: ofPage(['tenant_id', 'topic', 'subject_id'], ['work']),
}
