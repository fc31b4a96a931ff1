/** A way to break an invariant: the check that must see it, what happened, in SQL, and what is told. */
export type Break = readonly [check: string, how: string, statements: string[], told: RegExp]

const one = (table: string, where = 'true') => `(SELECT ctid FROM ${table} WHERE ${where} LIMIT 1)`

const update = (table: string, change: string, where?: string) =>
  `UPDATE ${table} SET ${change} WHERE ctid = ${one(table, where)}`

const remove = (table: string, where?: string) =>
  `DELETE FROM ${table} WHERE ctid = ${one(table, where)}`

/** Rows of partitioned tables have no ctid of their own: by key. */
const dropEvent = (type: string) =>
  `DELETE FROM events WHERE event_id = (SELECT event_id FROM events WHERE type = '${type}' LIMIT 1)`

const dropCheck = (table: string, like: string) => `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass
    AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%${like}%'
  LOOP EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', name); END LOOP; END $$`

const OTHER_BORROWER = `(SELECT borrower_id FROM borrowers WHERE tenant_id <> (SELECT tenant_id
  FROM facilities LIMIT 1) LIMIT 1)`

const openJournal = [
  'ALTER TABLE journal DISABLE RULE journal_no_update',
  'ALTER TABLE journal DISABLE RULE journal_no_delete',
]

const delivery = (change: string, where: string) =>
  `UPDATE deliveries SET ${change} WHERE (webhook_id, event_id) =
    (SELECT webhook_id, event_id FROM deliveries WHERE ${where} LIMIT 1)`

const copyRow = (table: string, change: string, where = 'true') =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || '${change}')).*
    FROM (SELECT * FROM ${table} WHERE ${where} LIMIT 1) t`

export const BREAKS: readonly Break[] = [
  [
    'acknowledged-creations',
    'what was answered with 201 was lost',
    [
      `DELETE FROM facilities WHERE facility_id = (SELECT body::jsonb ->> 'id' FROM idempotency_records)`,
    ],
    /does not exist/,
  ],
  [
    'one-creation-a-key',
    'two keys claim the same creation',
    [copyRow('idempotency_records', '{"key": "00000000-0000-4000-8000-000000000000"}')],
    /under 2 keys/,
  ],
  ['gapless-sequence', 'an event was lost', [dropEvent('facility.decisioned')], /holds \d+ events/],
  [
    'gapless-sequence',
    'the counter ran ahead',
    ['UPDATE tenant_counters SET last_sequence = last_sequence + 1'],
    /were given/,
  ],
  [
    'gapless-sequence',
    'a number was given twice',
    [`UPDATE events SET sequence = sequence - 1 WHERE type = 'facility.closed'`],
    /with \d+ numbers/,
  ],
  [
    'events-say-what-they-are',
    'a body was swapped',
    [`UPDATE events SET body = '{"id": "evt_other"}' WHERE type = 'facility.closed'`],
    /not its own/,
  ],
  [
    'gapless-versions',
    'a version is skipped',
    ['UPDATE resource_versions SET version = version + 1'],
    /is at/,
  ],
  [
    'each-transition-told',
    'a change was made without its event',
    [update('draws', `status = 'COMPLETED', completed_at = now()`, `status = 'PENDING'`)],
    /calls for 1 to 1/,
  ],
  [
    'each-transition-told-once',
    'an event of another kind was told',
    [`UPDATE events SET type = 'draw.failed' WHERE type = 'draw.completed'`],
    /draw.completed was told 0 times/,
  ],
  [
    'events-of-something',
    'a borrower vanished after its event',
    [remove('borrowers', 'eligible')],
    /does not exist/,
  ],
  [
    'one-delivery-each',
    'a delivery was lost',
    [`DELETE FROM deliveries WHERE state = 'delivered'`],
    /has no delivery/,
  ],
  [
    'deliveries-of-events',
    'a delivery has no event',
    [delivery(`event_id = 'evt_unheard'`, 'true')],
    /is not to have it/,
  ],
  [
    'deliveries-of-events',
    'a webhook gets what it does not want',
    [`UPDATE webhooks SET event_types = '{draw.failed}' WHERE state = 'active'`],
    /is not to have it/,
  ],
  [
    'none-twice',
    'a delivery is there twice',
    [copyRow('deliveries', '{"recorded_at": "2026-12-05T00:00:00Z"}')],
    /has 2 deliveries/,
  ],
  [
    'states-as-attempted',
    'it is marked delivered without a success',
    [delivery(`state = 'delivered', next_attempt_at = NULL`, `state = 'dead_lettered'`)],
    /is delivered .* 0 successes/,
  ],
  [
    'states-as-attempted',
    'a webhook that was disabled a while ago has pending deliveries',
    [`UPDATE webhooks SET state = 'disabled', disabled_at = now() - interval '11 minutes'`],
    /is pending/,
  ],
  [
    'numbered-attempts',
    'an attempt is missing',
    ['DELETE FROM delivery_attempts WHERE number = 3'],
    /counts 6 attempts/,
  ],
  [
    'attempts-of-deliveries',
    'an attempt belongs to no delivery',
    [`UPDATE delivery_attempts SET event_id = 'evt_unheard' WHERE number = 6`],
    /has no delivery/,
  ],
  [
    'spaced-attempts',
    'an attempt came too early',
    [`UPDATE delivery_attempts SET started_at = started_at - interval '12 hours' WHERE number = 2`],
    /too early, as number 2/,
  ],
  [
    'failure-counter',
    'the counter is too high',
    ['UPDATE webhooks SET consecutive_failed_attempts = 99'],
    /counts 99 failures/,
  ],
  [
    'failure-counter',
    'the counter has lost failures',
    ['UPDATE webhooks SET consecutive_failed_attempts = 0'],
    /counts 0 failures/,
  ],
  [
    'none-after-the-end',
    'an attempt began after the webhook was deleted',
    [`UPDATE webhooks SET deleted_at = now() - interval '1 day', state = 'deleted'`],
    /after that had ended/,
  ],
  [
    'balances-as-booked',
    'a balance was changed by hand',
    [update('facilities', 'principal_cents = principal_cents + 1', 'principal_cents > 0')],
    /principal is \d+ of USD as stored/,
  ],
  [
    'balanced-entries',
    'an entry does not sum to zero',
    [
      ...openJournal,
      'ALTER TABLE journal DROP CONSTRAINT journal_balanced',
      update('journal', 'amounts[1] = amounts[1] + 1'),
    ],
    /does not sum to zero/,
  ],
  [
    'booked-once',
    'a payment was not booked',
    [...openJournal, `DELETE FROM journal WHERE kind = 'repayment'`],
    /is booked 0 times/,
  ],
  [
    'booked-once',
    'what was never paid is booked',
    [...openJournal, update('journal', `entry_id = 'draw/drw_unheard'`, `kind = 'draw'`)],
    /calls for 0/,
  ],
  [
    'references-once',
    'one transfer pays twice',
    ['DROP INDEX repayments_reference', `UPDATE repayments SET reference = 'wire-1'`],
    /reference of \d+ transfers/,
  ],
  [
    'owed-back-once',
    'what is owed back was not ordered',
    ['DELETE FROM refunds'],
    /0 refunds of 0 cents/,
  ],
  [
    'nothing-forgotten',
    'the outbox was emptied',
    ['DELETE FROM outbox'],
    /PENDING and nobody[\s\S]*REPORTED and nobody/,
  ],
  [
    'nothing-forgotten',
    'an application and a closing were forgotten',
    [
      'DELETE FROM outbox',
      'DELETE FROM deadlines',
      'DROP INDEX facilities_one_live',
      update('facilities', `state = 'PENDING'`, `state = 'APPROVED'`),
      update('facilities', `state = 'CLOSING'`, `state = 'APPROVED'`),
      update('refunds', `status = 'PENDING', paid_at = NULL`),
    ],
    /CLOSING and nobody/,
  ],
  [
    'closed-owes-nothing',
    'a closed facility owes',
    [
      dropCheck('facilities', 'CLOSED'),
      update('facilities', 'principal_cents = 5', `state = 'CLOSED'`),
    ],
    /CLOSED \(repaid\) with principal 5/,
  ],
  [
    'lien-released',
    'a facility was closed before its lien was released',
    [update('facilities', 'floor_sequence = floor_sequence + 1', `state = 'CLOSED'`)],
    /has acknowledged \d+ of \d+ changes/,
  ],
  [
    'lien-released',
    'the custodian holds on to a closed facility',
    [
      `INSERT INTO sandbox_liens SELECT tenant_id, facility_id, 1, 500 FROM facilities
       WHERE state = 'CLOSED' LIMIT 1`,
    ],
    /holds 500 cents/,
  ],
  [
    'charged-off-after-a-call',
    'a debt was charged off without a sale',
    [update('facilities', `close_reason = 'charged_off'`, `state = 'CLOSED'`)],
    /closed as charged_off/,
  ],
  [
    'settled-before-closing',
    'it was closed before what it owed was paid',
    [`UPDATE refunds SET status = 'PENDING', paid_at = NULL, created_at = '2026-01-01'`],
    /is not paid/,
  ],
  [
    'rows-of-their-tenant',
    'a facility names a borrower of another tenant',
    [update('facilities', `borrower_id = ${OTHER_BORROWER}`)],
    /named in facilities.borrower_id/,
  ],
  [
    'rows-of-their-tenant',
    'work names a borrower of another tenant',
    [update('outbox', `subject_id = ${OTHER_BORROWER}`)],
    /named in outbox.subject_id/,
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
    'sealed-secrets',
    'a secret lies open',
    [
      `INSERT INTO signing_secrets SELECT tenant_id, 'sec_1', 'whsec_open', now() FROM tenants LIMIT 1`,
    ],
    /not sealed/,
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
    'one-at-a-time',
    'a warning is open beside another',
    [
      'DROP INDEX margin_warnings_one_open',
      dropCheck('margin_warnings', 'CURED'),
      dropCheck('margin_warnings', 'ESCALATED'),
      `UPDATE margin_warnings SET status = 'OPEN'`,
      copyRow('margin_warnings', '{"number": 9}'),
    ],
    /has 2 open warnings/,
  ],
  [
    'numbered-from-one',
    'a number is skipped',
    ['UPDATE margin_warnings SET number = number + 1'],
    /numbered 2/,
  ],
  [
    'ends-on-record',
    'a warning ended without a decision',
    [`DELETE FROM margin_decisions WHERE kind IN ('cure', 'escalate')`],
    /is CURED after raise/,
  ],
  [
    'only-stricter',
    'a tier fell',
    ['UPDATE margin_warnings SET tier = 1 WHERE tier = 3'],
    /stands at tier 1/,
  ],
  [
    'only-stricter',
    'a deadline rose',
    [`UPDATE margin_warnings SET cure_deadline = cure_deadline + interval '1 hour'`],
    /stands at tier/,
  ],
  [
    'nobody-sold-who-is-clear',
    'somebody was sold whose floor was clear',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts,
         '{ladder,values,latestCents,$int}', '"99999999999"') WHERE kind = 'escalate'`,
    ],
    /owed \d+ over 99999999999/,
  ],
  [
    'nobody-sold-who-is-clear',
    'somebody was sold who had time left',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(jsonb_set(facts,
         '{ladder,warning,windowDeadline,$time}', '"2999-01-01T00:00:00.000Z"'),
         '{decision,reason}', '"deadline"') WHERE kind = 'escalate'`,
    ],
    /escalated as deadline/,
  ],
  [
    'escalations-have-their-call',
    'a call vanished',
    ['DELETE FROM margin_calls'],
    /is ESCALATED and its call is missing/,
  ],
  [
    'escalations-have-their-call',
    'nobody is at work on a call',
    [dropCheck('margin_calls', 'COMPLETED'), `UPDATE margin_calls SET status = 'SELLING'`],
    /SELLING, with nobody/,
  ],
  [
    'sales-of-begun-calls',
    'a call that never began has sold',
    ['UPDATE margin_calls SET started_at = NULL'],
    /has sold BTC/,
  ],
  [
    'decided-as-recorded',
    'a record was altered',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts, '{ladder,debt,principalCents,$int}', '"1"')
       WHERE kind = 'escalate'`,
    ],
    /its record makes it/,
  ],
]
