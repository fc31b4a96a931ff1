import { type RawBuilder, sql } from 'kysely'
import type { PersonalKind } from '../../core/personal-text.ts'

export type SealedTable = {
  table: string
  key: readonly string[]
  /** `digest`: it is compared and never shown. */
  columns: Readonly<Record<string, PersonalKind | 'digest'>>
  /** Joins `t` to the row that names its borrower, and that row's alias. */
  via?: RawBuilder<unknown>
  owner: 't' | 'f'
  /** Rows of which a column may be clear. */
  unless?: Readonly<Record<string, string>>
}

const OF_FACILITY = sql`JOIN facilities f ON f.tenant_id = t.tenant_id
  AND f.facility_id = t.facility_id`
const through = (table: string, column: string) => sql`
  JOIN ${sql.table(table)} r ON r.tenant_id = t.tenant_id
    AND ${sql.ref(`r.${column}`)} = ${sql.ref(`t.${column}`)}
  JOIN facilities f ON f.tenant_id = t.tenant_id AND f.facility_id = r.facility_id`

/** These columns identify a person. docs/personal-data.md has the same list. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'signatures',
    key: ['signature_id'],
    columns: { full_name: 'name', email: 'email', ip_address: 'ip_address' },
    owner: 't',
  },
  {
    table: 'compliance_checks',
    key: ['check_id'],
    columns: { subject: 'digest', note: 'note' },
    owner: 't',
  },
  { table: 'borrowers', key: ['borrower_id'], columns: { blocked_reason: 'note' }, owner: 't' },
  {
    table: 'draws',
    key: ['draw_id'],
    columns: { destination: 'destination' },
    via: OF_FACILITY,
    owner: 'f',
  },
  {
    table: 'refunds',
    key: ['refund_id'],
    columns: { destination: 'destination' },
    via: OF_FACILITY,
    owner: 'f',
  },
  {
    table: 'refund_redirects',
    key: ['refund_id', 'number'],
    columns: { from_destination: 'destination', to_destination: 'destination', reason: 'note' },
    via: through('refunds', 'refund_id'),
    owner: 'f',
  },
  {
    table: 'facility_pauses',
    key: ['facility_id', 'pause_id'],
    columns: { reason: 'note' },
    via: OF_FACILITY,
    owner: 'f',
  },
  {
    table: 'margin_notices',
    key: ['event_id', 'number'],
    columns: { reference: 'reference' },
    via: through('margin_raises', 'event_id'),
    owner: 'f',
  },
  {
    table: 'reconciliation_breaks',
    key: ['break_id'],
    columns: { note: 'note', resolution: 'note' },
    via: OF_FACILITY,
    owner: 'f',
    unless: {
      note: 'facility_id IS NULL',
      resolution: `facility_id IS NULL OR resolved_by = 'reconciliation'`,
    },
  },
]

const SEALED = String.raw`'^person\.[A-Za-z0-9+/]{38,}={0,2}$'`

/** Returns the condition of the table's check: each column is sealed, or its exception applies. */
export function sealedClauses({ columns, unless }: SealedTable): string {
  const clauses = Object.keys(columns).map((column) => {
    const exception = unless?.[column]
    return `(${exception ? `${exception} OR ` : ''}${column} ~ ${SEALED})`
  })
  return clauses.join(' AND ')
}
