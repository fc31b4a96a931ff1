import { type Break, CLOSED, copyRow, dropCheck, openJournal, remove, update } from './breaks.ts'

const ofClosed = `facility_id = ${CLOSED}`

/** What a closed facility may not have. */
const CLOSED_WRONGLY: [how: string, change: string, expected: RegExp][] = [
  ['owes', 'principal_cents = 5', /CLOSED \(repaid\) with principal 5/],
  ['has money reserved', 'reserved_cents = 5', /reserved 5/],
  ['owes interest', 'interest_paid_cents = interest_booked_cents - 1', /interest 1/],
  ['has a floor', 'custodian_floor_cents = 5', / 5 cents of floor/],
  ['was closed for no reason', 'close_reason = NULL', /is CLOSED \(\)/],
  ['was closed at no time', 'closed_at = NULL', /is CLOSED \(repaid\)/],
]

/** Ways to break I4 and I9, money and its end. */
export const MONEY_BREAKS: readonly Break[] = [
  [
    'balances-as-booked',
    'a balance was changed by hand',
    [update('facilities', 'principal_cents = principal_cents + 1', 'principal_cents > 0')],
    /principal is \d+ of USD as stored/,
  ],
  [
    'balances-as-booked',
    'more was recovered than was booked',
    [
      update(
        'facilities',
        'charged_off_principal_cents = 7, recovered_cents = 7',
        `state = 'CLOSED'`,
      ),
    ],
    /recovered is 7 of USD as stored/,
  ],
  [
    'balances-as-booked',
    'a repayment counts as a recovery of nothing that was charged off',
    [update('repayments', 'is_recovery = true', `status = 'APPLIED' AND principal_cents > 0`)],
    /recovered by repayments is [1-9]\d* of USD as stored/,
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
    'booked-once',
    'a payment in another asset was not booked',
    [
      `UPDATE repayments SET status = 'FAILED', failure_code = 'asset_mismatch' WHERE status = 'REPORTED'`,
    ],
    /repayment\/rep_\w+ is booked 0 times on fac_\w+; its state calls for 1/,
  ],
  [
    'booked-once',
    'a payment in another asset that never came is booked',
    [
      ...openJournal,
      update(
        'journal',
        `kind = 'misdelivery', entry_id = 'repayment/rep_unheard'`,
        `kind = 'draw'`,
      ),
    ],
    /rep_unheard is booked 1 times/,
  ],
  [
    'references-once',
    'one transfer pays twice',
    [`UPDATE repayments SET reference = 'wire-1'`],
    /reference of \d+ transfers/,
  ],
  [
    'references-once',
    'one transfer pays twice, under its reference in another case',
    [
      `UPDATE repayments SET reference = CASE WHEN status = 'REPORTED' THEN 'wire-é'
         ELSE 'WIRE-É' || ctid::text END`,
      update('repayments', `reference = 'WIRE-É'`, `status = 'APPLIED'`),
    ],
    /^wire-é is the reference of 2 transfers, rep_/m,
  ],
  [
    'references-once',
    'one transfer pays out two draws',
    [`UPDATE draws SET reference = 'wire-1'`],
    /^wire-1 is the reference of 5 transfers, drw_/m,
  ],
  [
    'references-once',
    'one transfer pays back twice',
    [`UPDATE refunds SET reference = 'wire-1'`],
    /^wire-1 is the reference of 2 transfers, rfd_/m,
  ],
  [
    'transfers-once',
    'one transfer is confirmed for every repayment',
    [
      'ALTER TABLE confirmed_transfers DROP CONSTRAINT confirmed_transfers_pkey',
      `UPDATE confirmed_transfers SET transfer_id = 'transfer-1'`,
    ],
    /^transfer-1 is confirmed for \d+ repayments, rep_/m,
  ],
  [
    'transfers-once',
    'a transfer is confirmed and claimed by another repayment',
    [`UPDATE transfer_claims SET repayment_id = 'rep_other'`],
    /is confirmed for rep_\w+ and not claimed by it/,
  ],
  [
    'transfers-once',
    'a repayment is applied that no transfer paid',
    [remove('confirmed_transfers')],
    /is APPLIED and confirmed by 0 transfers/,
  ],
  [
    'transfers-once',
    'what came in another asset is of no transfer',
    [
      `UPDATE repayments SET status = 'FAILED', failure_code = 'asset_mismatch' WHERE status = 'REPORTED'`,
    ],
    /is FAILED and confirmed by 0 transfers/,
  ],
  [
    'transfers-once',
    'a transfer arrived and its repayment waits for it',
    [
      `INSERT INTO confirmed_transfers (tenant_id, transfer_id, repayment_id)
       SELECT tenant_id, 'transfer-1', repayment_id FROM repayments WHERE status = 'REPORTED'`,
    ],
    /is REPORTED and confirmed by 1 transfers/,
  ],
  [
    'booked-once',
    'money that was not booked is in suspense',
    [update('repayments', 'suspended_units = 500, undecided_since = now()', `status = 'APPLIED'`)],
    /suspended\/rep_\w+ is booked 0 times/,
  ],
  [
    'owed-back-once',
    'what was in suspense was returned and not ordered',
    [
      update(
        'repayments',
        `suspended_units = 500, suspense_end = 'returned'`,
        `status = 'APPLIED'`,
      ),
    ],
    /has 500 units of suspense that were returned, and 0 were/,
  ],
  [
    'owed-back-once',
    'what is owed back was not ordered',
    ['DELETE FROM refunds'],
    /0 refunds of 0 cents/,
  ],
  [
    'owed-back-once',
    'what is owed back was ordered twice, once for nothing',
    [
      'ALTER TABLE refunds DROP CONSTRAINT refunds_tenant_id_source_id_key',
      copyRow('refunds', '{"refund_id": "rfd_other", "cents": 0, "ordered_cents": null}'),
    ],
    /2 refunds of/,
  ],
  [
    'nothing-forgotten',
    'a draw was forgotten',
    [`DELETE FROM work WHERE topic = 'release-draw'`],
    /drw_\w+ is PENDING and has no work/,
  ],
  [
    'nothing-forgotten',
    'a repayment was forgotten',
    [`DELETE FROM work WHERE topic = 'confirm-repayment'`],
    /rep_\w+ is REPORTED and has no work/,
  ],
  [
    'nothing-forgotten',
    'a refund was forgotten',
    [update('refunds', `status = 'PENDING', paid_at = NULL`)],
    /rfd_\w+ is PENDING and has no work/,
  ],
  [
    'nothing-forgotten',
    'an application was forgotten',
    [update('facilities', `state = 'PENDING'`, `state = 'APPROVED'`)],
    /fac_\w+ is PENDING and has no work/,
  ],
  [
    'nothing-forgotten',
    'a closing was forgotten',
    [update('facilities', `state = 'CLOSING'`, `state = 'APPROVED'`)],
    /fac_\w+ is CLOSING and has no work/,
  ],
  ...CLOSED_WRONGLY.map(
    ([how, change, expected]): Break => [
      'closed-owes-nothing',
      `a closed facility ${how}`,
      [dropCheck('facilities', 'CLOSED'), update('facilities', change, `state = 'CLOSED'`)],
      expected,
    ],
  ),
  [
    'closed-owes-nothing',
    'a draw of a closed facility is under way',
    [`UPDATE draws SET status = 'PENDING', completed_at = NULL WHERE ${ofClosed}`],
    / 1 draws and 0 calls or warnings under way/,
  ],
  [
    'closed-owes-nothing',
    'a call of a closed facility is live',
    [
      dropCheck('margin_calls', 'COMPLETED'),
      `UPDATE margin_calls SET status = 'PENDING', facility_id = ${CLOSED}`,
    ],
    / 0 draws and 1 calls or warnings under way/,
  ],
  [
    'closed-owes-nothing',
    'a warning of a closed facility is open',
    [
      dropCheck('margin_warnings', 'CURED'),
      `UPDATE margin_warnings SET status = 'OPEN', facility_id = ${CLOSED} WHERE status = 'CURED'`,
    ],
    / 0 draws and 1 calls or warnings under way/,
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
    'charged-off-after-a-call',
    'a sale left a debt that was not charged off',
    [`UPDATE margin_calls SET outcome = 'deficit', facility_id = ${CLOSED}`],
    /closed as repaid/,
  ],
  [
    'charged-off-after-a-call',
    'a sale left a debt, and the facility goes on',
    [`UPDATE margin_calls SET outcome = 'deficit'`],
    /is not closed, which its books/,
  ],
  [
    'charged-off-after-a-call',
    'a facility that was used is closed as cancelled',
    [update('facilities', `close_reason = 'cancelled'`, `state = 'CLOSED'`)],
    /closed as cancelled/,
  ],
  [
    'settled-before-closing',
    'it was closed before what it owed was paid',
    [`UPDATE refunds SET status = 'PENDING', paid_at = NULL, created_at = '2026-01-01'`],
    /is not paid/,
  ],
]
