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

/** Ways to break I6 and I7: tenants kept separate, and secrets kept secret. */
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
        `INSERT INTO work (tenant_id, topic, clock, priority, subject_id, due_at)
         SELECT ${OTHER_TENANT}, 'push-floor', 'real', 5, 'a ' || ${id}, now() FROM ${table}
         WHERE tenant_id <> ${OTHER_TENANT} LIMIT 1`,
      ],
      /named in work.subject_id/,
    ],
  ),
  [
    'rows-of-their-tenant',
    'a delivery is of an event of another tenant',
    [delivery(`event_id = ${OTHER_EVENT}`, 'true')],
    /named in deliveries.event_id/,
  ],
  [
    'latest-facility-of-its-borrower',
    'the latest facility does not exist',
    [`UPDATE borrowers SET latest_facility_id = 'fac_gone' WHERE latest_facility_id IS NOT NULL`],
    /bor_\w+ has fac_gone as its latest facility/,
  ],
  [
    'latest-facility-of-its-borrower',
    'the latest facility is that of another borrower',
    [
      `UPDATE borrowers SET latest_facility_id = (SELECT facility_id FROM facilities LIMIT 1)
       WHERE tenant_id = ${OTHER_TENANT}`,
    ],
    /bor_\w+ has fac_\w+ as its latest facility/,
  ],
  [
    'events-of-their-tenant',
    'an event names a borrower of another tenant',
    [
      `UPDATE events SET body = jsonb_set(body::jsonb, '{data,borrower_id}',
        to_jsonb(${OTHER_BORROWER}))::text WHERE type = 'facility.decisioned'`,
    ],
    /names bor_/,
  ],
  [
    'answers-of-their-tenant',
    'a stored answer names a borrower of another tenant',
    [
      `UPDATE idempotency_records SET body = jsonb_build_object('borrower_id', ${OTHER_BORROWER})::text`,
    ],
    /names bor_/,
  ],
  [
    'answers-of-their-tenant',
    'a stored answer names an event of another tenant',
    [`UPDATE idempotency_records SET body = jsonb_build_object('event_id', ${OTHER_EVENT})::text`],
    /names evt_/,
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
    [say('facility.closed', 'whsec_open')],
    /evt_\w+ holds a secret/,
  ],
  [
    'sealed-secrets',
    'an event holds a secret in a list',
    [
      `UPDATE events SET body = jsonb_set(body::jsonb, '{data,leaked}', '["whsec_open"]')::text
       WHERE type = 'facility.closed'`,
    ],
    /evt_\w+ holds a secret/,
  ],
  [
    'sealed-secrets',
    'a text that is no JSON holds a secret',
    [`UPDATE events SET body = body || 'whsec_open' WHERE type = 'facility.closed'`],
    /evt_\w+ holds a secret/,
  ],
  [
    'sealed-secrets',
    'an event holds a private key',
    [say('facility.closed', '-----BEGIN PRIVATE KEY-----')],
    /evt_\w+ holds a secret/,
  ],
  ...['refused Ada Lovelace', 'Ada Lovelace', 'ada@example.com', '203.0.113.9', 'whsec_open'].map(
    (text): Break => [
      'no-signers-in-events-and-errors',
      `an error contains "${text}"`,
      [`UPDATE work SET last_error = '${text}'`],
      /keeps an error that may hold data/,
    ],
  ),
  [
    'no-signers-in-events-and-errors',
    'an event holds a name',
    [say('borrower.eligible', 'Ada Lovelace')],
    /may name a signer/,
  ],
]

function say(type: string, text: string): string {
  return `UPDATE events SET body = jsonb_set(body::jsonb, '{data,leaked}', to_jsonb('${text}'::text))::text
    WHERE type = '${type}'`
}
