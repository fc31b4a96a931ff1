import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The table that has the ids of one prefix, and what each of its rows names. */
type Place = {
  table: string
  id: string
  /** `facility_id`, if its rows have one. */
  facility?: string
  borrower?: string
  /** In words, after the kind. */
  about: RawBuilder<string | null>
  /** The resource of a request. */
  resource?: string
  /** The column by which the table is parted: the instant of the id. */
  partedBy?: string
}

const lower = (column: string) => sql<string>`lower(o.${sql.ref(column)})`

export const PLACES = {
  bor: {
    table: 'borrowers',
    id: 'borrower_id',
    borrower: 'borrower_id',
    about: sql`o.external_id`,
  },
  sig: {
    table: 'signatures',
    id: 'signature_id',
    borrower: 'borrower_id',
    about: sql`o.contract_type`,
  },
  chk: {
    table: 'compliance_checks',
    id: 'check_id',
    borrower: 'borrower_id',
    about: sql`o.kind || ' ' || o.status`,
  },
  fac: {
    table: 'facilities',
    id: 'facility_id',
    facility: 'facility_id',
    borrower: 'borrower_id',
    about: lower('state'),
  },
  drw: { table: 'draws', id: 'draw_id', facility: 'facility_id', about: lower('status') },
  rep: { table: 'repayments', id: 'repayment_id', facility: 'facility_id', about: lower('status') },
  rfd: { table: 'refunds', id: 'refund_id', facility: 'facility_id', about: lower('status') },
  cor: {
    table: 'facility_corrections',
    id: 'correction_id',
    facility: 'facility_id',
    about: sql`o.kind`,
  },
  pau: { table: 'facility_pauses', id: 'pause_id', facility: 'facility_id', about: sql`o.kind` },
  key: { table: 'api_keys', id: 'key_id', about: sql`o.label` },
  per: { table: 'console_people', id: 'person_id', about: sql`o.role` },
  whk: { table: 'webhooks', id: 'webhook_id', about: sql`o.state` },
  evt: {
    ...{ table: 'events', id: 'event_id', facility: 'facility_id', borrower: 'borrower_id' },
    ...{ about: sql`o.type`, partedBy: 'recorded_at' },
  },
  req: {
    ...{ table: 'request_log', id: 'request_id', resource: 'resource_id' },
    partedBy: 'received_at',
    about: sql`concat(o.method, ' ', o.path, ', ', o.status, ' ' || o.code)`,
  },
} satisfies Readonly<Record<string, Place>>

export type PlacedRow = {
  tenant_id: string
  facility_id: string | null
  borrower_id: string | null
  resource_id: string | null
  about: string | null
}

/** The row with an id that was made at this instant, of any tenant. */
export async function selectPlaced(
  db: Db,
  { table, id: column, facility, borrower, resource, about, partedBy }: Place,
  id: string,
  madeAt: Date,
): Promise<PlacedRow | undefined> {
  // @across tenants: an operator has an id and not the tenant.
  // @plan reads tenants, facility_corrections, facility_pauses: one probe for each; the last two are few and have no index by id.
  const ref = (name: string | undefined) =>
    name === undefined ? sql`NULL::text` : sql`o.${sql.ref(name)}`
  const inPart = partedBy === undefined ? sql`` : sql`AND o.${sql.ref(partedBy)} = ${madeAt}`
  const { rows } = await sql<PlacedRow>`
    SELECT o.tenant_id, ${ref(facility)} AS facility_id, ${ref(borrower)} AS borrower_id,
      ${ref(resource)} AS resource_id, ${about} AS about
    FROM tenants t JOIN ${sql.table(table)} o ON o.tenant_id = t.tenant_id
    WHERE o.${sql.ref(column)} = ${id} ${inPart} LIMIT 1`.execute(db)
  return rows[0]
}

/** Tenants whose name begins so, in any case, the newest first. */
export async function selectTenantsNamed(
  db: Db,
  name: string,
  limit: number,
): Promise<{ tenant_id: string; name: string }[]> {
  // @across tenants: operators have a name.
  const { rows } = await sql<{ tenant_id: string; name: string }>`
    SELECT tenant_id, name FROM tenants WHERE starts_with(lower(name), lower(${name}))
    ORDER BY tenant_id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** The repayment that a transfer pays. */
export async function selectTransfer(
  db: Db,
  transferId: string,
): Promise<{ tenant_id: string; repayment_id: string } | undefined> {
  // @across tenants: a transfer pays once in the stack, and any tenant's repayment may have it.
  return await db
    .selectFrom('transfer_claims')
    .select(['tenant_id', 'repayment_id'])
    .where('transfer_id', '=', transferId)
    .executeTakeFirst()
}

/** The repayments that were once reported under a reference, of any tenant. */
export async function selectByReference(
  db: Db,
  folded: string,
): Promise<{ tenant_id: string; repayment_id: string }[]> {
  // @across tenants: an operator has what the bank names and not the tenant.
  // @plan reads tenants: one probe for each.
  const { rows } = await sql<{ tenant_id: string; repayment_id: string }>`
    SELECT r.tenant_id, r.repayment_id
    FROM tenants t JOIN repayment_references r ON r.tenant_id = t.tenant_id
    WHERE r.folded = ${folded}`.execute(db)
  return rows
}

export async function isSubjectOfActs(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('operator_actions')
    .select('number')
    .where('subject_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Acts of operators that a request of theirs did, which were written between the instants. */
export async function selectActsOfRequest(
  db: Db,
  requestId: string,
  written: { from: Date; to: Date },
): Promise<{ number: bigint; action: string; actor: string }[]> {
  // @plan reads operator_actions: those of a few minutes.
  return await db
    .selectFrom('operator_actions')
    .select(['number', 'action', 'actor'])
    .where('request_id', '=', requestId)
    .where('written_at', '>=', written.from)
    .where('written_at', '<=', written.to)
    .orderBy('number')
    .execute()
}
