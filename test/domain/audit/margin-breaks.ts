import { type Break, copyRow, dropCheck } from './breaks.ts'

const ofEscalated = `facility_id = (SELECT facility_id FROM margin_warnings
  WHERE status = 'ESCALATED')`

/** Ways to break I8, the ladder. */
export const MARGIN_BREAKS: readonly Break[] = [
  [
    'receipts-of-sales',
    'the receipt of a sale is missing',
    ['DELETE FROM margin_receipts'],
    /is completed without a receipt/,
  ],
  [
    'receipts-of-sales',
    'a receipt was altered',
    [`UPDATE margin_receipts SET body = replace(body, '"partial"', '"full"')`],
    /has a receipt with another hash/,
  ],
  [
    'held-while-holds-lie',
    'a facility is held and no hold lies on it',
    [`UPDATE facilities SET held_since = now(), times_held = 1 WHERE state = 'APPROVED'`],
    /has 0 holds that lie and is held since/,
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
    'one-at-a-time',
    'a warning is open beside a live call',
    [
      dropCheck('margin_warnings', 'CURED'),
      dropCheck('margin_warnings', 'ESCALATED'),
      dropCheck('margin_calls', 'COMPLETED'),
      `UPDATE margin_warnings SET status = 'OPEN' WHERE status = 'ESCALATED'`,
      `UPDATE margin_calls SET status = 'SELLING'`,
    ],
    /has 2 open warnings and live calls/,
  ],
  [
    'numbered-from-one',
    'a number is skipped',
    ['UPDATE margin_warnings SET number = number + 1'],
    /numbered 2/,
  ],
  [
    'numbered-from-one',
    'a call is skipped',
    ['UPDATE margin_calls SET number = number + 1'],
    /has 1 calls, numbered 2 to 2/,
  ],
  [
    'numbered-from-one',
    'a sale is skipped',
    ['UPDATE margin_sales SET number = number + 1'],
    /has 1 sales, numbered 2 to 2/,
  ],
  [
    'numbered-from-one',
    'a decision in between is skipped',
    [`UPDATE margin_decisions SET number = 4 WHERE kind = 'escalate'`],
    /has 3 decisions, numbered 1 to 4/,
  ],
  [
    'numbered-from-one',
    'decisions begin with none',
    [
      dropCheck('margin_decisions', 'number > 0'),
      `UPDATE margin_decisions SET number = 0 WHERE number = 1 AND ${ofEscalated}`,
    ],
    /has 3 decisions, numbered 0 to 3/,
  ],
  [
    'numbered-from-one',
    'two decisions have one number',
    [
      'ALTER TABLE margin_decisions DROP CONSTRAINT margin_decisions_pkey',
      `UPDATE margin_decisions SET number = 1 WHERE kind = 'worsen'`,
    ],
    /has 3 decisions, numbered 1 to 3/,
  ],
  [
    'ends-on-record',
    'a warning ended without a decision',
    [`DELETE FROM margin_decisions WHERE kind IN ('cure', 'escalate')`],
    /is CURED after raise/,
  ],
  [
    'ends-on-record',
    'a warning that has ended is open again',
    [
      dropCheck('margin_warnings', 'CURED'),
      dropCheck('margin_warnings', 'ESCALATED'),
      `UPDATE margin_warnings SET status = 'OPEN'`,
    ],
    /is OPEN after raise, cure$/m,
  ],
  [
    'ends-on-record',
    'a warning was escalated without a decision',
    [`DELETE FROM margin_decisions WHERE kind = 'escalate'`],
    /is ESCALATED after raise, worsen$/m,
  ],
  [
    'ends-on-record',
    'of a warning nothing was decided',
    ['DELETE FROM margin_decisions'],
    /is CURED after nothing/,
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
    'only-stricter',
    'a decision did not raise the tier',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts, '{decision,tier}', '1') WHERE kind = 'worsen'`,
      'UPDATE margin_warnings SET tier = 1',
    ],
    /step 2: tier 1 after 1/,
  ],
  [
    'only-stricter',
    'a decision put the deadline off',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts, '{ladder,warning,cureDeadline,$time}', '"2020-01-01T00:00:00.000Z"') WHERE kind = 'worsen'`,
    ],
    /after 2020-01-01/,
  ],
  [
    'no-sale-while-clear',
    'a facility with a clear floor was liquidated',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts,
         '{ladder,values,latestCents,$int}', '"99999999999"') WHERE kind = 'escalate'`,
    ],
    /owed \d+ over 99999999999/,
  ],
  [
    'no-sale-while-clear',
    'a facility with time left was liquidated',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(jsonb_set(facts,
         '{ladder,warning,windowDeadline,$time}', '"2999-01-01T00:00:00.000Z"'),
         '{decision,reason}', '"deadline"') WHERE kind = 'escalate'`,
    ],
    /escalated as deadline/,
  ],
  [
    'no-sale-while-clear',
    'a facility that was not critical was liquidated as critical',
    [
      `UPDATE margin_decisions SET facts = jsonb_set(facts, '{ladder,values,highCents,$int}', '"99999999999"') WHERE kind = 'escalate'`,
    ],
    /escalated as critical: .* at most 99999999999/,
  ],
  [
    'escalations-have-their-call',
    'a call vanished',
    ['DELETE FROM margin_calls'],
    /is ESCALATED and its call is missing/,
  ],
  [
    'escalations-have-their-call',
    'a call has no work',
    [dropCheck('margin_calls', 'COMPLETED'), `UPDATE margin_calls SET status = 'SELLING'`],
    /SELLING, which has no work/,
  ],
  [
    'escalations-have-their-call',
    'a call has no escalation',
    [
      dropCheck('margin_warnings', 'CURED'),
      dropCheck('margin_warnings', 'ESCALATED'),
      `UPDATE margin_warnings SET status = 'CURED' WHERE status = 'ESCALATED'`,
    ],
    /is not escalated and its call COMPLETED/,
  ],
  [
    'sales-of-begun-calls',
    'a call that never began has sold',
    ['UPDATE margin_calls SET started_at = NULL'],
    /has sold BTC/,
  ],
  [
    'sales-of-begun-calls',
    'an order outlasts its call',
    [dropCheck('margin_sales', 'FILLED'), `UPDATE margin_sales SET status = 'ORDERED'`],
    /has sold BTC as COMPLETED/,
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
  [
    'decided-as-recorded',
    'a decision is kept as another',
    [`UPDATE margin_decisions SET kind = 'raise' WHERE kind = 'worsen'`],
    /is kept as raise, decided worsen/,
  ],
  [
    'decided-as-recorded',
    'a record was lost',
    [`UPDATE margin_decisions SET facts = '{}' WHERE kind = 'escalate'`],
    /cannot be made again/,
  ],
]
