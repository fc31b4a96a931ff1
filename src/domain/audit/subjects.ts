import { OPT_IN_TYPES } from '../events/event-types.ts'
import type { Subjects } from './subject-queries.ts'

/** Types of events that only a webhook that names them receives. */
export const NAMED_ALONE: readonly string[] = OPT_IN_TYPES

const tenant = { name: 'tenant_id', type: 'text' }
const text = (name: string) => ({ name, type: 'text' })
const changed = (table: string, ...key: string[]) => ({
  table,
  key: ['tenant_id', ...key],
  mark: 'changed_at',
})
const written = (table: string, ...key: string[]) => ({
  table,
  key: ['tenant_id', ...key],
  mark: 'written_at',
})
const by = (...columns: string[]) => ({ order: [tenant, ...columns.map(text)] })
const integer = (name: string) => ({ name, type: 'integer' })

/** OFFSET 0 keeps the index lookup by key, and MATERIALIZED makes it happen once. */
const rowsOf = (table: string, condition: string, columns = '*') =>
  `${table} AS MATERIALIZED (SELECT r.* FROM page p CROSS JOIN LATERAL (
     SELECT ${columns} FROM ${table} t WHERE t.tenant_id = p.tenant_id AND ${condition} OFFSET 0) r)`

const ofPage = (keys: readonly string[], tables: readonly string[]) => {
  const condition = keys.map((key) => `t.${key} = p.${key}`).join(' AND ')
  return tables.map((table) => rowsOf(table, condition))
}

/** All rows of a table that a page otherwise narrows. */
const all = (table: string) => `all_${table} AS NOT MATERIALIZED (SELECT * FROM ${table})`

const FACILITY_TABLES = [
  'facilities',
  'draws',
  'repayments',
  'refunds',
  'journal',
  'principal_movements',
  'margin_warnings',
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
  page: 200,
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
  page: 200,
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
  page: 200,
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

const ofKind = (table: string, kind: string, id: string) =>
  rowsOf(table, `p.resource_type = '${kind}' AND t.${id} = p.resource_id`)

/** The resource's id is the facility's and a number. */
const ofNumberedKind = (table: string, kind: string) =>
  rowsOf(
    table,
    `p.resource_type = '${kind}' AND t.facility_id = split_part(p.resource_id, '/', 1)
     AND t.number = CASE WHEN p.resource_type = '${kind}'
       THEN split_part(p.resource_id, '/', 2)::integer END`,
  )

const numbered = (table: string, kind: string) => ({
  ...changed(table, `'${kind}'`, `facility_id || '/' || number`),
  order: [tenant, text('facility_id'), integer('number')],
})

const kind = (table: string, name: string, id: string) => ({
  ...changed(table, `'${name}'`, id),
  ...by(id),
})

export const RESOURCES: Subjects = {
  name: 'resource',
  key: [tenant, text('resource_type'), text('resource_id')],
  page: 200,
  sources: [
    written('events', 'resource_type', 'resource_id'),
    {
      table: 'resource_versions',
      key: ['tenant_id', 'resource_type', 'resource_id'],
      ...by('resource_type', 'resource_id'),
    },
    kind('borrowers', 'borrower', 'borrower_id'),
    kind('facilities', 'facility', 'facility_id'),
    kind('draws', 'draw', 'draw_id'),
    kind('repayments', 'repayment', 'repayment_id'),
    numbered('margin_warnings', 'margin_warning'),
    numbered('margin_calls', 'margin_call'),
  ],
  within: [
    ...ofPage(['tenant_id', 'resource_type', 'resource_id'], ['resource_versions']),
    rowsOf(
      'events',
      't.resource_type = p.resource_type AND t.resource_id = p.resource_id',
      'tenant_id, resource_type, resource_id, resource_version, type',
    ),
    ofKind('borrowers', 'borrower', 'borrower_id'),
    ofKind('facilities', 'facility', 'facility_id'),
    ofKind('draws', 'draw', 'draw_id'),
    ofKind('repayments', 'repayment', 'repayment_id'),
    ofNumberedKind('margin_warnings', 'margin_warning'),
    ofNumberedKind('margin_calls', 'margin_call'),
  ],
}

const EVENT_KEY = [tenant, text('event_id'), { name: 'recorded_at', type: 'timestamptz' }]

export const EVENTS: Subjects = {
  name: 'event',
  key: EVENT_KEY,
  page: 500,
  sources: [{ ...written('events', 'event_id', 'recorded_at'), order: EVENT_KEY }],
  within: [all('events'), ...ofPage(['tenant_id', 'event_id', 'recorded_at'], ['events'])],
}

export const DELIVERIES: Subjects = {
  name: 'delivery',
  key: [tenant, text('webhook_id'), text('event_id')],
  page: 500,
  sources: [
    { ...changed('deliveries', 'webhook_id', 'event_id'), ...by('webhook_id', 'event_id') },
    { ...written('delivery_attempts', 'webhook_id', 'event_id'), ...by('webhook_id', 'event_id') },
  ],
  within: [
    all('delivery_attempts'),
    ...ofPage(['tenant_id', 'webhook_id', 'event_id'], ['deliveries', 'delivery_attempts']),
  ],
}

export const WEBHOOKS: Subjects = {
  name: 'webhook',
  key: [tenant, text('webhook_id')],
  page: 200,
  sources: [
    { ...changed('webhooks', 'webhook_id'), ...by('webhook_id') },
    changed('deliveries', 'webhook_id'),
    written('delivery_attempts', 'webhook_id'),
  ],
  within: ofPage(['tenant_id', 'webhook_id'], ['webhooks']),
}

const ANSWER_KEY = [tenant, { name: 'key', type: 'uuid' }]

export const ANSWERS: Subjects = {
  name: 'answer',
  key: ANSWER_KEY,
  page: 500,
  sources: [{ ...written('idempotency_records', 'key'), order: ANSWER_KEY }],
  within: [all('idempotency_records'), ...ofPage(['tenant_id', 'key'], ['idempotency_records'])],
}

export const SECRETS: Subjects = {
  name: 'secret',
  key: [tenant],
  page: 500,
  sources: [{ ...changed('signing_secrets'), ...by() }],
  within: ofPage(['tenant_id'], ['signing_secrets']),
}

export const FAILING_WORK: Subjects = {
  name: 'failing-work',
  key: [tenant, text('topic'), text('subject_id')],
  page: 500,
  sources: [
    {
      table: 'work',
      key: ['tenant_id', 'topic', 'subject_id'],
      where: 'last_error IS NOT NULL',
      ...by('topic', 'subject_id'),
    },
  ],
  within: ofPage(['tenant_id', 'topic', 'subject_id'], ['work']),
}

const DECISION_KEY = [tenant, text('facility_id'), integer('warning_number'), integer('number')]

export const DECISIONS: Subjects = {
  name: 'decision',
  key: DECISION_KEY,
  page: 200,
  sources: [
    {
      ...written('margin_decisions', 'facility_id', 'warning_number', 'number'),
      order: DECISION_KEY,
    },
  ],
  within: ofPage(['tenant_id', 'facility_id', 'warning_number', 'number'], ['margin_decisions']),
}
