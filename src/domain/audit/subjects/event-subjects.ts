import type { Subjects } from '../subject-queries.ts'
import {
  all,
  by,
  changed,
  integer,
  ofPage,
  rowsOf,
  tenant,
  text,
  written,
} from './subject-parts.ts'

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

const VERSION_COLUMNS = 'tenant_id, resource_type, resource_id, resource_version, type'

const EVENTS_OF_RESOURCE = `events AS MATERIALIZED (SELECT t.* FROM page p CROSS JOIN LATERAL (
     SELECT ${VERSION_COLUMNS} FROM events t WHERE t.tenant_id = p.tenant_id
       AND t.resource_type = p.resource_type AND t.resource_id = p.resource_id OFFSET 0) t)`

export const RESOURCES: Subjects = {
  name: 'resource',
  key: [tenant, text('resource_type'), text('resource_id')],
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
    kind('webhooks', 'webhook', 'webhook_id'),
    numbered('margin_warnings', 'margin_warning'),
    numbered('margin_calls', 'margin_call'),
  ],
  within: [
    ...ofPage(['tenant_id', 'resource_type', 'resource_id'], ['resource_versions']),
    EVENTS_OF_RESOURCE,
    ofKind('borrowers', 'borrower', 'borrower_id'),
    ofKind('facilities', 'facility', 'facility_id'),
    ofKind('draws', 'draw', 'draw_id'),
    ofKind('repayments', 'repayment', 'repayment_id'),
    ofKind('webhooks', 'webhook', 'webhook_id'),
    ofNumberedKind('margin_warnings', 'margin_warning'),
    ofNumberedKind('margin_calls', 'margin_call'),
  ],
}

const EVENT_KEY = [
  tenant,
  text('event_id'),
  { name: 'recorded_at', type: 'timestamp with time zone' },
]

export const EVENTS: Subjects = {
  name: 'event',
  key: EVENT_KEY,
  sources: [{ ...written('events', 'event_id', 'recorded_at'), order: EVENT_KEY }],
  within: [all('events'), ...ofPage(['tenant_id', 'event_id', 'recorded_at'], ['events'])],
}
