import { CLOSED, delivery, openJournal, update } from './breaks.ts'

/** What seems wrong to a check and is not: the check that must not report it, and how, in SQL. */
type Permitted = readonly [check: string, how: string, statements: string[]]

/** Old months are dropped with all that is in them, and the rest holds without. */
const DROPPED = 'DELETE FROM events WHERE sequence <= 5'

/** As drop_month does. */
const ANCHORED = `INSERT INTO event_anchors (tenant_id, sequence, hash)
  SELECT tenant_id, sequence, hash FROM events WHERE sequence = 5`

const SEALED = [`UPDATE idempotency_records SET secret_id = 'sec_1', body = 'key.of-no-json'`]

/** Has the last 2xx of a webhook come so much after its failures. */
const lastSuccess = (seconds: number) =>
  `UPDATE delivery_attempts SET started_at = interval '${seconds} seconds' +
     (SELECT min(started_at) FROM delivery_attempts WHERE status = 500) WHERE status = 204`

/** Texts of a tenant's own choice that resemble a secret. */
const LIKE_SECRETS = ['reference', 'destination', 'label', 'url'].map((member): Permitted => {
  const body = JSON.stringify({ id: 'x', instructions: [{ [member]: 'whsec_x' }] })
  return [
    'sealed-secrets',
    `a tenant chooses a ${member} that begins like a secret`,
    [`UPDATE idempotency_records SET body = '${body}'`],
  ]
})

export const PERMITTED: readonly Permitted[] = [
  ['chained-events', 'the oldest months were dropped', [ANCHORED, DROPPED]],
  [
    'each-record-bound',
    'the events that bound old records were dropped',
    [
      ANCHORED,
      DROPPED,
      ...openJournal,
      `UPDATE journal SET written_at = written_at - interval '2 days'`,
      `UPDATE margin_decisions SET written_at = written_at - interval '2 days'`,
    ],
  ],
  [
    'due-in-time',
    'a lane is due before any of its deliveries',
    [`UPDATE lanes SET retry_at = 'epoch'`],
  ],
  ...[
    'TypeError',
    'error',
    'TypeError at domain/facilities/floors/floors.ts:80',
    'TypeError at claimDue@start-worker-DVwn68ds.js:812',
    'VendorFailure custodian status_5xx: custodian, setFloor: status_5xx (status 503)',
  ].map(
    (name): Permitted => [
      'no-signers-in-events-and-errors',
      `work has failed with ${name}`,
      [`UPDATE work SET last_error = '${name}'`],
    ],
  ),
  ...LIKE_SECRETS,
  [
    'sealed-secrets',
    'a text speaks of a secret and holds none',
    [`UPDATE idempotency_records SET body = '{"detail": "the whsec_ of a PRIVATE KEY"}'`],
  ],
  ['acknowledged-creations', 'an answer is sealed', SEALED],
  ['answers-of-their-tenant', 'an answer is sealed', SEALED],
  ['gapless-sequence', 'the first month was dropped', [DROPPED]],
  ['gapless-versions', 'the first month was dropped', [DROPPED]],
  ['each-transition-reported', 'the first month was dropped', [DROPPED]],
  ['each-transition-reported-once', 'the first month was dropped', [DROPPED]],
  [
    'each-transition-reported',
    'a floor was refused',
    [update('facilities', 'floor_sequence = floor_sequence + 1')],
  ],
  [
    'each-transition-reported',
    'a repayment expired, and was reported all the same',
    [
      `INSERT INTO resource_versions (tenant_id, resource_type, resource_id, version)
       SELECT tenant_id, 'repayment', repayment_id, 1 FROM repayments WHERE status = 'REPORTED'`,
    ],
  ],
  [
    'one-delivery-each',
    'a webhook ended before the last event that it wants',
    [
      `DELETE FROM deliveries WHERE sequence = (SELECT max(sequence) FROM deliveries
        WHERE state = 'cancelled') AND state = 'cancelled'`,
    ],
  ],
  [
    'states-as-attempted',
    'a webhook was disabled a moment ago',
    [`UPDATE webhooks SET state = 'disabled', disabled_at = now() - interval '9 minutes'`],
  ],
  [
    'states-as-attempted',
    'an attempt failed after its delivery was cancelled',
    [
      delivery(
        `state = 'cancelled', listed_as = 'cancelled', next_attempt_at = NULL, due_at = NULL, failures = 0`,
        `state = 'pending'`,
      ),
    ],
  ],
  [
    'states-as-attempted',
    'another attempt of a dead letter was asked for',
    [delivery('due_at = now(), retry_requested = true', `state = 'dead_lettered'`)],
  ],
  [
    'found-by-number',
    'a first attempt is under way',
    [
      delivery(
        `state = 'pending', listed_as = NULL, next_attempt_at = NULL, due_at = NULL`,
        `state = 'pending'`,
      ),
      `UPDATE lanes l SET lease = gen_random_uuid(), leased_until = now() + interval '1 minute',
         in_flight = ARRAY(SELECT sequence FROM deliveries d WHERE d.webhook_id = l.webhook_id
           AND d.state = 'pending' AND d.listed_as IS NULL)`,
    ],
  ],
  [
    'spaced-attempts',
    'an attempt was asked for',
    [
      `UPDATE delivery_attempts SET requested = true, started_at = started_at - interval '12 hours'
       WHERE number = 2`,
    ],
  ],
  [
    'failure-counter',
    'the attempts that it counts were dropped',
    [DROPPED, 'UPDATE lanes SET failures = 99'],
  ],
  [
    'failure-counter',
    'failures that ended half a minute after the last success were recorded before it',
    [
      lastSuccess(-30),
      `UPDATE lanes SET failures = 0 WHERE webhook_id IN (SELECT webhook_id FROM webhooks
         WHERE event_types = '{}')`,
    ],
  ],
  [
    'failure-counter',
    'failures that ended half a minute before the last success were recorded after it',
    [lastSuccess(30)],
  ],
  [
    'none-after-the-end',
    'another machine is late by half a second',
    [
      `UPDATE webhooks SET state = 'deleted', deleted_at = (SELECT max(started_at)
         FROM delivery_attempts) - interval '0.5 seconds'`,
    ],
  ],
  [
    'references-once',
    'what came in and what went out have the same reference',
    [update('repayments', `reference = 'wire-1'`), update('draws', `reference = 'wire-1'`)],
  ],
  [
    'nothing-forgotten',
    'an application waits for its portfolio',
    [
      update('facilities', `state = 'PENDING'`, `state = 'APPROVED'`),
      `INSERT INTO work (tenant_id, topic, clock, priority, subject_id, due_at)
       SELECT tenant_id, 'decide-facility', 'tenant', 1, facility_id, now() FROM facilities WHERE state = 'PENDING'`,
    ],
  ],
  [
    'settled-before-closing',
    'a payment arrived as the facility closed',
    [
      `UPDATE refunds SET status = 'PENDING', paid_at = NULL,
         created_at = created_at - interval '30 seconds' WHERE facility_id = ${CLOSED}`,
    ],
  ],
  [
    'only-stricter',
    'an outage put the deadline off',
    [
      `UPDATE margin_warnings SET extended_seconds = 3600,
         cure_deadline = cure_deadline + interval '1 hour'`,
    ],
  ],
]
