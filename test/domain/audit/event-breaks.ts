import {
  type Break,
  CLOSED,
  copyRow,
  dropEvent,
  OTHER_BORROWER,
  openJournal,
  remove,
  update,
} from './breaks.ts'

const ofClosed = `resource_id = ${CLOSED}`

const NOT_ITS_TEXT = /evt_\w+ has number \d+ and a text that its hash was not made over/
const NOT_NEXT = /evt_\w+ has number \d+ and does not follow number \d+/

const CHAIN_BREAKS: readonly Break[] = [
  [
    'chained-events',
    'a body was changed',
    [`UPDATE events SET body = replace(body, 'approved', 'declined')`],
    NOT_ITS_TEXT,
  ],
  [
    'chained-events',
    'a body and its hash were changed',
    [
      `UPDATE events SET body = body || ' ', hash = event_hash(previous_hash, sequence, body || ' ')
       WHERE type = 'facility.decisioned'`,
    ],
    NOT_NEXT,
  ],
  ['chained-events', 'an event was deleted', [dropEvent('facility.decisioned')], NOT_NEXT],
  [
    'chained-events',
    'the oldest events were deleted, as if they had been dropped',
    ['DELETE FROM events WHERE sequence <= 5'],
    /has number 6 and does not follow number 5/,
  ],
  [
    'chained-events',
    'two events changed places',
    [
      `UPDATE events e SET body = o.body FROM events o
       WHERE e.tenant_id = o.tenant_id AND e.sequence IN (3, 4) AND o.sequence = 7 - e.sequence`,
    ],
    NOT_ITS_TEXT,
  ],
  [
    'chained-events',
    'the last event was changed, with its hash',
    [
      `UPDATE events e SET body = body || ' ', hash = event_hash(previous_hash, sequence, body || ' ')
       FROM tenant_counters c WHERE c.tenant_id = e.tenant_id AND c.last_sequence = e.sequence`,
    ],
    /has number \d+, the last, and not the last hash/,
  ],
]

const changed = (kind: string) =>
  new RegExp(`fac_\\w+ has ${kind} \\S+, which no event binds as it is`)

const lost = (kind: string) => new RegExp(`fac_\\w+ has no ${kind} \\S+ as event \\d+ bound it`)

const TAMPERINGS: readonly (readonly [how: string, kind: string, statements: string[]])[] = [
  [
    'the amounts of a journal entry were changed',
    'journal',
    [...openJournal, `UPDATE journal SET amounts = ARRAY[1, -1] WHERE kind = 'draw'`],
  ],
  [
    'the date of a journal entry was changed',
    'journal',
    [...openJournal, `UPDATE journal SET booked_at = booked_at - interval '1 day'`],
  ],
  [
    'the facts of a decision were changed',
    'decision',
    [`UPDATE margin_decisions SET facts = jsonb_set(facts, '{positions}', '[]')`],
  ],
  [
    'what decisions were made from together was changed',
    'decision',
    [`UPDATE margin_evaluations SET facts = jsonb_set(facts, '{rounds}', '[]')`],
  ],
]

const RECORD_BREAKS: readonly Break[] = [
  ...TAMPERINGS.flatMap(([how, kind, statements]): Break[] => [
    ['records-as-bound', how, statements, lost(kind)],
    ['each-record-bound', how, statements, changed(kind)],
  ]),
  [
    'records-as-bound',
    'a journal entry was deleted',
    [...openJournal, `DELETE FROM journal WHERE kind = 'draw'`],
    lost('journal'),
  ],
  [
    'records-as-bound',
    'a decision was deleted',
    [`DELETE FROM margin_decisions WHERE kind = 'raise'`],
    lost('decision'),
  ],
  [
    'records-as-bound',
    'what an event binds was changed with the record',
    [`UPDATE events SET records = '{}' WHERE records IS NOT NULL`],
    /evt_\w+ binds other records than its body states/,
  ],
  [
    'each-record-bound',
    'a journal entry was added',
    [copyRow('journal', '{"entry_id": "draw/forged"}')],
    /has journal draw\/forged, which no event binds as it is/,
  ],
  [
    'each-record-bound',
    'a decision was added',
    [copyRow('margin_decisions', '{"number": 77}')],
    /has decision \d+\/77, which no event binds as it is/,
  ],
]

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
  ...CHAIN_BREAKS,
  ...RECORD_BREAKS,
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
