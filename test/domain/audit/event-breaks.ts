import { type Break, CLOSED, copyRow, dropEvent, OTHER_BORROWER, remove, update } from './breaks.ts'

const ofClosed = `resource_id = ${CLOSED}`

/** Ways to break I1 and I2, what was acknowledged and reported. */
export const EVENT_BREAKS: readonly Break[] = [
  ...['bor', 'fac', 'drw', 'rep', 'whk'].map(
    (kind): Break => [
      'acknowledged-creations',
      `a ${kind} was answered with 201 and lost`,
      [`UPDATE idempotency_records SET body = '{"id": "${kind}_lost"}'`],
      new RegExp(`${kind}_lost was acknowledged .* does not exist`),
    ],
  ),
  [
    'acknowledged-creations',
    'what was answered with 201 is of another tenant',
    [`UPDATE idempotency_records SET body = jsonb_build_object('id', ${OTHER_BORROWER})::text`],
    /bor_\w+ was acknowledged .* does not exist/,
  ],
  [
    'one-creation-a-key',
    'two keys claim the same creation',
    [copyRow('idempotency_records', '{"key": "00000000-0000-4000-8000-000000000000"}')],
    /under 2 keys/,
  ],
  [
    'gapless-sequence',
    'an event was lost',
    [dropEvent('facility.decisioned')],
    /holds number \d+ and not \d+/,
  ],
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
    /holds 2 events of number \d+/,
  ],
  ...['id', 'type', 'sequence', 'resource_version', 'resource,type', 'resource,id'].map(
    (member): Break => [
      'events-match-their-rows',
      `a body names another ${member}`,
      [
        `UPDATE events SET body = jsonb_set(body::jsonb, '{${member}}', '"another"')::text
         WHERE type = 'facility.closed'`,
      ],
      /evt_\w+ carries a text that is not its own/,
    ],
  ),
  [
    'gapless-versions',
    'a version is skipped',
    ['UPDATE resource_versions SET version = version + 1'],
    /is at/,
  ],
  [
    'gapless-versions',
    'a version is there twice',
    [`UPDATE events SET resource_version = 1 WHERE resource_version = 2 AND ${ofClosed}`],
    /has 4 events of versions 1 to 4, and is at 4/,
  ],
  [
    'gapless-versions',
    'a version in between was lost',
    [`DELETE FROM events WHERE resource_version = 2 AND ${ofClosed}`],
    /has 3 events of versions 1 to 4, and is at 4/,
  ],
  [
    'each-transition-reported',
    'a change was made without its event',
    [update('draws', `status = 'COMPLETED', completed_at = now()`, `status = 'PENDING'`)],
    /calls for 1 to 1/,
  ],
  [
    'each-transition-reported',
    'a change was taken back after its event',
    [update('draws', `status = 'PENDING', completed_at = NULL`, `status = 'COMPLETED'`)],
    /has had 1 events; its state calls for 0 to 0/,
  ],
  [
    'each-transition-reported-once',
    'an event of another kind was written',
    [`UPDATE events SET type = 'draw.failed' WHERE type = 'draw.completed'`],
    /draw.completed was reported 0 times/,
  ],
  [
    'each-transition-reported-once',
    'an event was written for a change that never happened',
    [`UPDATE events SET type = 'draw.failed' WHERE type = 'draw.completed'`],
    /draw.failed was reported 1 times; its state calls for 0 to 0/,
  ],
  [
    'events-of-something',
    'a borrower vanished after its event',
    [remove('borrowers', 'eligible')],
    /does not exist/,
  ],
]
