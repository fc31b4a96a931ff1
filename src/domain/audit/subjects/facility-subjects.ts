import type { Subjects } from '../subject-queries.ts'
import { all, by, changed, integer, ofPage, tenant, text, written } from './subject-parts.ts'

const FACILITY_TABLES = [
  'facilities',
  'draws',
  'repayments',
  'refunds',
  'journal',
  'principal_movements',
  'facility_corrections',
  'facility_pauses',
  'margin_warnings',
  'margin_raises',
  'margin_receipts',
  'margin_calls',
  'margin_sales',
  'margin_decisions',
]

const OF_FACILITY = [
  all('draws'),
  all('repayments'),
  all('refunds'),
  all('confirmed_transfers'),
  ...ofPage(['tenant_id', 'facility_id'], FACILITY_TABLES),
  `confirmed_transfers AS MATERIALIZED (
     SELECT t.* FROM confirmed_transfers t JOIN repayments USING (tenant_id, repayment_id))`,
]

const FACILITY_KEY = [tenant, text('facility_id')]

export const FACILITIES: Subjects = {
  name: 'facility',
  key: FACILITY_KEY,
  sources: [
    { ...changed('facilities', 'facility_id'), ...by('facility_id') },
    changed('draws', 'facility_id'),
    changed('repayments', 'facility_id'),
    changed('refunds', 'facility_id'),
    changed('margin_warnings', 'facility_id'),
    changed('margin_calls', 'facility_id'),
    changed('margin_sales', 'facility_id'),
    written('journal', 'facility_id'),
    written('principal_movements', 'facility_id'),
    written('margin_decisions', 'facility_id'),
    {
      table: 'confirmed_transfers JOIN repayments USING (tenant_id, repayment_id)',
      key: ['tenant_id', 'facility_id'],
      mark: 'written_at',
    },
  ],
  within: OF_FACILITY,
}

export const UNDER_WAY: Subjects = {
  name: 'under-way',
  key: FACILITY_KEY,
  sources: [
    ['draws', `status = 'PENDING'`, 'draw_id'] as const,
    ['repayments', `status = 'REPORTED'`, 'facility_id'] as const,
    ['refunds', `status = 'PENDING'`, 'refund_id'] as const,
    ['facilities', `state IN ('PENDING', 'CLOSING')`, 'facility_id'] as const,
    ['margin_calls', `status IN ('PENDING', 'SELLING')`, 'facility_id'] as const,
  ].map(([table, where, id]) => ({ table, key: ['tenant_id', 'facility_id'], where, ...by(id) })),
  within: OF_FACILITY,
}

/** As they are now, and as events bind them or the next event will. */
export const RECORDS: Subjects = {
  name: 'records',
  key: FACILITY_KEY,
  sources: [
    { table: 'facilities', key: ['tenant_id', 'facility_id'], ...by('facility_id') },
    written('journal', 'facility_id'),
    written('margin_decisions', 'facility_id'),
  ],
  within: [
    `recorded AS MATERIALIZED (SELECT p.*, r.* FROM page p CROSS JOIN LATERAL (
       SELECT record_of(j) AS record, j.written_at FROM journal j
       WHERE j.tenant_id = p.tenant_id AND j.facility_id = p.facility_id
       UNION ALL
       SELECT record_of(d, facts_hash(v.facts)), d.written_at FROM margin_decisions d
       LEFT JOIN margin_evaluations v USING (tenant_id, evaluation_id, month)
       WHERE d.tenant_id = p.tenant_id AND d.facility_id = p.facility_id) r)`,
    `bound AS MATERIALIZED (SELECT p.*, r.* FROM page p CROSS JOIN LATERAL (
       SELECT unnest(e.records) AS record FROM events e
       WHERE e.tenant_id = p.tenant_id AND e.facility_id = p.facility_id AND e.records IS NOT NULL
       UNION ALL
       SELECT u.record FROM unbound_records u
       WHERE u.tenant_id = p.tenant_id AND u.facility_id = p.facility_id) r)`,
  ],
}

const DECISION_KEY = [tenant, text('facility_id'), integer('warning_number'), integer('number')]

export const DECISIONS: Subjects = {
  name: 'decision',
  key: DECISION_KEY,
  sources: [
    {
      ...written('margin_decisions', 'facility_id', 'warning_number', 'number'),
      order: DECISION_KEY,
    },
  ],
  within: ofPage(['tenant_id', 'facility_id', 'warning_number', 'number'], ['margin_decisions']),
}
