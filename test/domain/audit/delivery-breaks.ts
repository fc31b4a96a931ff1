import { type Break, copyRow, delivery, dropCheck } from './breaks.ts'

/** Ways to break I3 and I5, deliveries and their attempts. */
export const DELIVERY_BREAKS: readonly Break[] = [
  [
    'one-delivery-each',
    'the last delivery of a webhook that lasts was lost',
    [`DELETE FROM deliveries WHERE sequence = (SELECT max(sequence) FROM deliveries)`],
    /has no delivery/,
  ],
  [
    'one-delivery-each',
    'a webhook that has ended lacks one from before its last',
    [
      `DELETE FROM deliveries WHERE event_type = 'draw.completed' AND state = 'cancelled' AND sequence = (SELECT min(sequence) FROM deliveries WHERE state = 'cancelled')`,
    ],
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
    'deliveries-of-events',
    'a delivery has another number than its event',
    [delivery('sequence = sequence + 1000', 'true')],
    /is not to have it/,
  ],
  [
    'deliveries-of-events',
    'a delivery is of another kind than its event',
    [delivery(`event_type = 'draw.failed'`, 'true')],
    /is not to have it/,
  ],
  [
    'deliveries-of-events',
    'a webhook gets an event from before it was registered',
    [`UPDATE webhooks SET registered_sequence = 1 WHERE event_types = '{}'`],
    /is not to have it/,
  ],
  [
    'none-twice',
    'a delivery is there twice',
    [copyRow('deliveries', '{"recorded_at": "2026-12-05T00:00:00Z"}')],
    /has 2 deliveries/,
  ],
  [
    'due-in-time',
    'a lane is due after one of its deliveries',
    [`UPDATE lanes SET retry_at = now() + interval '1 year'`],
    /is due at/,
  ],
  [
    'due-in-time',
    'a lane with a retry is never due',
    ['UPDATE lanes SET retry_at = NULL'],
    /is due at/,
  ],
  ['due-in-time', 'a webhook has lost its lane', ['DELETE FROM lanes'], /is due at/],
  [
    'found-by-number',
    'a lane has passed a delivery by',
    [
      delivery(
        `state = 'pending', listed_as = NULL, next_attempt_at = NULL, due_at = NULL, attempts = 0,
         failures = 0`,
        `state = 'pending'`,
      ),
      `DELETE FROM delivery_attempts a USING deliveries d WHERE a.webhook_id = d.webhook_id
         AND a.event_id = d.event_id AND d.state = 'pending' AND d.listed_as IS NULL`,
    ],
    /whose lane is beyond it/,
  ],
  [
    'states-as-attempted',
    'it is marked delivered without a success',
    [delivery(`state = 'delivered', listed_as = 'delivered'`, `state = 'dead_lettered'`)],
    /is delivered .* 0 successes/,
  ],
  [
    'states-as-attempted',
    'a webhook that was disabled a while ago has pending deliveries',
    [`UPDATE webhooks SET state = 'disabled', disabled_at = now() - interval '11 minutes'`],
    /is pending/,
  ],
  [
    'states-as-attempted',
    'it was delivered and is marked cancelled',
    [delivery(`state = 'cancelled', listed_as = 'cancelled'`, `state = 'delivered'`)],
    /is cancelled .* 1 successes/,
  ],
  [
    'states-as-attempted',
    'a dead letter was not tried to the end of the schedule',
    [
      delivery(
        `state = 'dead_lettered', listed_as = 'dead_lettered', next_attempt_at = NULL, due_at = NULL`,
        `state = 'pending'`,
      ),
    ],
    /is dead_lettered .* after 1 failures/,
  ],
  [
    'states-as-attempted',
    'a webhook that was deleted a while ago has pending deliveries',
    [`UPDATE webhooks SET state = 'deleted', deleted_at = now() - interval '11 minutes'`],
    /is pending/,
  ],
  [
    'states-as-attempted',
    'a delivery that has used the schedule up is still pending',
    [
      delivery(
        `state = 'pending', listed_as = 'pending', next_attempt_at = now(), due_at = now()`,
        `state = 'dead_lettered'`,
      ),
    ],
    /is pending .* after 6 failures/,
  ],
  [
    'states-as-attempted',
    'a failure is not counted',
    [delivery('failures = 0', `state = 'pending'`)],
    /is pending .* after 1 failures/,
  ],
  [
    'states-as-attempted',
    'a cancelled delivery counts failures that never were',
    [delivery('failures = 3', `state = 'cancelled'`)],
    /is cancelled .* after 0 failures/,
  ],
  [
    'states-as-attempted',
    'a delivery that is done is due all the same',
    [delivery('due_at = now()', `state = 'delivered'`)],
    /is delivered/,
  ],
  [
    'numbered-attempts',
    'an attempt is missing',
    ['DELETE FROM delivery_attempts WHERE number = 3'],
    /counts 6 attempts/,
  ],
  [
    'numbered-attempts',
    'an attempt skipped a number',
    [`UPDATE delivery_attempts SET number = 7 WHERE number = 6`],
    /numbered 1 to 7/,
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
    ['UPDATE lanes SET failures = 99'],
    /counts 99 failures/,
  ],
  [
    'failure-counter',
    'the counter has lost failures',
    ['UPDATE lanes SET failures = 0'],
    /counts 0 failures/,
  ],
  [
    'failure-counter',
    'the counter went beyond the last failure that disables',
    [
      dropCheck('lanes', 'failures'),
      'DELETE FROM events WHERE sequence = 1',
      'UPDATE lanes SET failures = 101',
    ],
    /counts 101 failures/,
  ],
  [
    'failure-counter',
    'a webhook was disabled at no time',
    [`UPDATE webhooks SET state = 'disabled' WHERE state = 'active'`],
    /whk_\w+ counts/,
  ],
  [
    'none-after-the-end',
    'an attempt began after the webhook was deleted',
    [`UPDATE webhooks SET deleted_at = now() - interval '1 day', state = 'deleted'`],
    /after that had ended/,
  ],
  [
    'none-after-the-end',
    'an attempt began after the webhook was disabled',
    [`UPDATE webhooks SET disabled_at = now() - interval '1 day', state = 'disabled'`],
    /after that had ended/,
  ],
]
