import { type Break, delivery, OTHER_BORROWER, OTHER_TENANT, update } from './breaks.ts'

/** What others name: the table that it is in, and its id. */
const OWNED: [table: string, id: string][] = [
  ['borrowers', 'borrower_id'],
  ['signatures', 'signature_id'],
  ['facilities', 'facility_id'],
  ['draws', 'draw_id'],
  ['repayments', 'repayment_id'],
  ['refunds', 'refund_id'],
  ['webhooks', 'webhook_id'],
]

const OTHER_EVENT = `(SELECT event_id FROM events WHERE tenant_id = ${OTHER_TENANT} LIMIT 1)`

/** Ways to break I6 and I7, what is whose, and what nobody may read. */
export const TENANT_BREAKS: readonly Break[] = [
  [
    'rows-of-their-tenant',
    'a facility names a borrower of another tenant',
    [update('facilities', `borrower_id = ${OTHER_BORROWER}`)],
    /named in facilities.borrower_id/,
  ],
  ...OWNED.map(
    ([table, id]): Break => [
      'rows-of-their-tenant',
      `work names one of the ${table} of another tenant`,
      [
        `INSERT INTO outbox (tenant_id, topic, subject_id, due_at)
         SELECT ${OTHER_TENANT}, 'look-at', 'a ' || ${id}, now() FROM ${table}
         WHERE tenant_id <> ${OTHER_TENANT} LIMIT 1`,
      ],
      /named in outbox.subject_id/,
    ],
  ),
  [
    'rows-of-their-tenant',
    'a delivery is of an event of another tenant',
    [delivery(`event_id = ${OTHER_EVENT}`, 'true')],
    /named in deliveries.event_id/,
  ],
  [
    'events-of-their-tenant',
    'an event tells of a borrower of another tenant',
    [
      `UPDATE events SET body = jsonb_set(body::jsonb, '{data,borrower_id}',
        to_jsonb(${OTHER_BORROWER}))::text WHERE type = 'facility.decisioned'`,
    ],
    /tells of bor_/,
  ],
  [
    'answers-of-their-tenant',
    'a stored answer tells of a borrower of another tenant',
    [
      `UPDATE idempotency_records SET body = jsonb_build_object('borrower_id', ${OTHER_BORROWER})::text`,
    ],
    /tells of bor_/,
  ],
  [
    'answers-of-their-tenant',
    'a stored answer tells of an event of another tenant',
    [`UPDATE idempotency_records SET body = jsonb_build_object('event_id', ${OTHER_EVENT})::text`],
    /tells of evt_/,
  ],
  [
    'sealed-secrets',
    'a secret lies open',
    [
      `INSERT INTO signing_secrets SELECT tenant_id, 'sec_1', 'whsec_open', now() FROM tenants LIMIT 1`,
    ],
    /not sealed/,
  ],
  [
    'sealed-secrets',
    'a stored answer holds a secret',
    [`UPDATE idempotency_records SET body = '{"secret": "whsec_open"}'`],
    /answer to \S+ holds a signing secret/,
  ],
  [
    'sealed-secrets',
    'an event holds a secret',
    [`UPDATE events SET body = body || 'whsec_open' WHERE type = 'facility.closed'`],
    /evt_\w+ holds a secret/,
  ],
  [
    'sealed-secrets',
    'an event holds a private key',
    [
      `UPDATE events SET body = body || '-----BEGIN PRIVATE KEY-----' WHERE type = 'facility.closed'`,
    ],
    /evt_\w+ holds a secret/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an error names a signer',
    [`UPDATE outbox SET last_error = 'refused Ada Lovelace'`],
    /names a signer/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an event names a signer',
    [`UPDATE events SET body = body || '203.0.113.9' WHERE type = 'borrower.eligible'`],
    /names a signer/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an error holds a secret',
    [`UPDATE outbox SET last_error = 'refused whsec_open'`],
    /names a signer or a secret/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an error names a signer by mail',
    [`UPDATE outbox SET last_error = 'refused ' || (SELECT email FROM signatures LIMIT 1)`],
    /names a signer/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an event names a signer by name',
    [`UPDATE events SET body = body || 'Ada Lovelace' WHERE type = 'borrower.eligible'`],
    /names a signer/,
  ],
  [
    'no-signers-in-events-and-errors',
    'an event names a signer by mail',
    [
      `UPDATE events SET body = body || (SELECT email FROM signatures LIMIT 1) WHERE type = 'borrower.eligible'`,
    ],
    /names a signer/,
  ],
]
