import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ofTenant } from '../../db/sql/of-tenant.ts'
import { inScope, type TenantScope, tenantOf } from '../../db/tenant-scope.ts'
import type { Check, Scan, Violation } from './check.ts'
import { sqlCheck, sqlCheckOfParts } from './sql-check-queries.ts'
import { type Column, type Keys, pageOf, type Subjects } from './subject-queries.ts'
import { EVENTS } from './subjects/event-subjects.ts'
import { ANSWERS, BORROWERS, FAILING_WORK, SECRETS } from './subjects/tenant-subjects.ts'

const OWNERS: Readonly<Record<string, readonly [table: string, column: string]>> = {
  bor: ['borrowers', 'borrower_id'],
  sig: ['signatures', 'signature_id'],
  fac: ['facilities', 'facility_id'],
  drw: ['draws', 'draw_id'],
  rep: ['repayments', 'repayment_id'],
  rfd: ['refunds', 'refund_id'],
  whk: ['webhooks', 'webhook_id'],
  evt: ['events', 'event_id'],
}

/** That the row's own tenant does not have it; false of what no tenant could have. */
function isUnknown(id: RawBuilder<unknown>, tenantId: RawBuilder<unknown>) {
  const own = Object.entries(OWNERS).map(
    ([prefix, [table, column]]) => sql`WHEN ${sql.lit(prefix)} THEN EXISTS (
      SELECT FROM ${sql.table(table)} o
      WHERE o.tenant_id = ${tenantId} AND o.${sql.ref(column)} = ${id})`,
  )
  return sql`NOT CASE left(${id}, 3) ${sql.join(own, sql` `)} ELSE true END`
}

type Named = { tenant_id: string; subject: string; id: string }

/** The tenants that have what the ids name. */
export async function selectOwners(
  tx: Tx,
  ids: readonly string[],
): Promise<{ tenant_id: string; id: string }[]> {
  // @across tenants: an id that its row's tenant does not have is searched among all.
  // @plan reads everything: no index begins with the ids; they are few.
  const owners = Object.entries(OWNERS).map(
    ([prefix, [table, column]]) => sql`
      SELECT o.tenant_id, o.${sql.ref(column)} AS id FROM ${sql.table(table)} o
      WHERE o.${sql.ref(column)} = ANY (${ids.filter((id) => id.startsWith(prefix))}::text[])`,
  )
  const { rows } = await sql<{ tenant_id: string; id: string }>`${sql.join(
    owners,
    sql` UNION ALL `,
  )}`.execute(tx)
  return rows
}

async function findForeign(
  tx: Tx,
  named: readonly Named[],
): Promise<(Named & { owner: string })[]> {
  if (named.length === 0) return []
  const owners = await selectOwners(tx, [...new Set(named.map(({ id }) => id))])
  return named.flatMap((one) =>
    owners
      .filter(({ tenant_id: owner, id }) => id === one.id && owner !== one.tenant_id)
      .map(({ tenant_id: owner }) => ({ ...one, owner })),
  )
}

export type IdColumn = { table: string; column: string; subjects: Subjects }

/** Of tables that are kept by tenant: which tenant a key has is no tenant's row. */
export async function selectIdColumns(tx: Tx): Promise<IdColumn[]> {
  const { rows } = await sql<{ table: string; column: string; mark?: string; key: Column[] }>`
    SELECT r.relname AS table, c.attname AS column, m.attname AS mark, k.key
    FROM pg_class r
    JOIN pg_attribute c ON c.attrelid = r.oid AND c.atttypid = 'text'::regtype
      AND c.attname LIKE '%\_id' AND c.attname <> 'tenant_id'
    LEFT JOIN pg_attribute m ON m.attrelid = r.oid AND m.attname IN ('changed_at', 'written_at')
    JOIN LATERAL (
      SELECT json_agg(json_build_object('name', a.attname,
        'type', format_type(a.atttypid, NULL)) ORDER BY p.place) AS key
      FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS p (attnum, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = p.attnum
      WHERE i.indrelid = r.oid AND i.indisprimary
    ) k ON k.key #>> '{0,name}' = 'tenant_id'
    WHERE r.relnamespace = current_schema()::regnamespace AND r.relkind IN ('r', 'p')
      AND NOT r.relispartition AND has_table_privilege(r.oid, 'SELECT')
      -- A refused request is logged with what it named, another tenant's resource too.
      AND r.relname <> 'request_log'
    ORDER BY 1, 2`.execute(tx)
  return rows.map(({ table, column, mark, key }) => {
    const source = { table, key: key.map(({ name }) => name), ...(mark && { mark }), order: key }
    // Owners are searched among all rows.
    const subjects = { name: table, key, sources: [source], within: [] }
    return { table, column, subjects }
  })
}

export type PageKeys = { keys: Keys; tenantId: TenantScope; limit: number }

/** The column may hold only the id, or an id within text. */
export async function selectForeignIds(
  tx: Tx,
  { table, column, subjects }: IdColumn,
  { keys, tenantId, limit }: PageKeys,
): Promise<Violation[]> {
  // @plan reads everything: a page is read whole, and nothing of it returned where all is well.
  const statement = sql`
    WITH ${pageOf(subjects, keys)}
    SELECT r.tenant_id, r.named AS subject, r.id FROM (
      SELECT t.tenant_id, ${sql.ref(`t.${column}`)} AS named,
        coalesce(substring(${sql.ref(`t.${column}`)} FROM '[a-z]{3}_[0-9a-z]{26}'), '') AS id
      FROM ${sql.table(table)} t
      JOIN page USING (${sql.join(subjects.key.map(({ name }) => sql.ref(name)))})
      WHERE ${inScope(tenantId, 't.tenant_id')}
      OFFSET 0
    ) r
    WHERE ${isUnknown(sql`r.id`, tenantOf(tenantId, 'r.tenant_id'))}`
  const { rows } = await sql<Named>`${statement}`.execute(tx)
  return (await findForeign(tx, rows)).slice(0, limit).map((row) => ({
    tenantId: row.tenant_id,
    subject: row.subject,
    detail: `is named in ${table}.${column} and belongs to ${row.owner}`,
  }))
}

/** Members named like ids; free text may contain anything. */
const ID_MEMBERS =
  'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "(^|_)id$").value'

/** `source` has a `content` of JSON, which may name what belongs to another tenant. */
function foreignCheck(name: string, subjects: Subjects, source: RawBuilder<unknown>): Check {
  const find: Scan['find'] = async (tx, keys, { tenantId }, limit) => {
    const statement = sql`
      WITH ${pageOf(subjects, keys)}
      SELECT n.tenant_id, n.subject, n.id FROM (
        SELECT DISTINCT s.tenant_id, s.subject,
          substring(named.id #>> '{}' FROM '[a-z]{3}_[0-9a-z]{26}') AS id
        FROM (${source}) s
        CROSS JOIN LATERAL jsonb_path_query(s.content, ${ID_MEMBERS}::jsonpath) AS named (id)
      ) n
      WHERE ${isUnknown(sql`n.id`, tenantOf(tenantId, 'n.tenant_id'))}`
    const { rows } = await sql<Named>`${ofTenant(tx, tenantId, statement)}`.execute(tx)
    return (await findForeign(tx, rows)).slice(0, limit).map((row) => ({
      tenantId: row.tenant_id,
      subject: row.subject,
      detail: `names ${row.id} of ${row.owner}`,
    }))
  }
  return {
    invariant: 'I6',
    name,
    scans: () => [{ name: `${name}/${subjects.name}`, subjects, find }],
  }
}

const SECRET = '%whsec\\_%'

/** Tenants choose these values and may write anything. */
const OWN_TEXTS =
  'lax $.** ? (@.type() == "object").keyvalue() ? (!(@.key like_regex "^(reference|destination|label|url)$")).value[*] ? (@.type() == "string")'

const TEXTS = 'strict $.** ? (@.type() == "string")'

/** A text that is not JSON is searched for the start of the secret. */
const holdsSecret = (body: RawBuilder<unknown>) => sql`
  CASE WHEN NOT (${body} LIKE ${SECRET} OR ${body} LIKE '%PRIVATE KEY%') THEN false
  WHEN ${body} IS NOT JSON THEN true
  ELSE EXISTS (
    SELECT FROM jsonb_path_query(${body}::jsonb, ${OWN_TEXTS}::jsonpath) AS member (value)
    WHERE value #>> '{}' ~ '^(whsec_|-----BEGIN [A-Z ]*PRIVATE KEY)') END`

/** domain/work/failure.ts stores names, codes and a place in the sources. */
const ERROR_FORMS = [
  '[A-Za-z][A-Za-z0-9]{0,63}( [A-Z][A-Z0-9_]{2,40})?',
  'Refusal [a-z_]+',
  'database error [0-9A-Z]{5}( [(][a-z0-9_]+[)])?',
  'NotConfigured: no [a-z ]+ is configured',
  'VendorFailure [a-z]+ [a-z0-9_]+: [a-z]+, [A-Za-z _-]+: [a-z0-9_]+( [(]status [0-9]+[)])?',
]
const PLACE = '( at ([A-Za-z0-9_$.]+@)?[A-Za-z0-9_./-]+[.](ts|js):[0-9]+)?'
const ERROR_TEXT = `^(${ERROR_FORMS.join('|')})${PLACE}$`

export const TENANT_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  foreignCheck(
    'events-of-their-tenant',
    EVENTS,
    sql`SELECT tenant_id, event_id AS subject, body::jsonb AS content FROM events`,
  ),
  foreignCheck(
    'answers-of-their-tenant',
    ANSWERS,
    sql`SELECT tenant_id, 'answer to ' || key AS subject,
        CASE WHEN body IS JSON THEN body::jsonb END AS content
      FROM idempotency_records WHERE secret_id IS NULL AND body <> ''`,
  ),
  // In place of a foreign key: Citus distributes no two tables that refer to each other.
  sqlCheck(
    'I6',
    'latest-facility-of-its-borrower',
    BORROWERS,
    () => sql`
      SELECT b.tenant_id, b.borrower_id AS subject,
        'has ' || b.latest_facility_id || ' as its latest facility, which it does not have' AS detail
      FROM borrowers b
      WHERE b.latest_facility_id IS NOT NULL AND NOT EXISTS (SELECT FROM facilities f
        WHERE f.tenant_id = b.tenant_id AND f.facility_id = b.latest_facility_id
          AND f.borrower_id = b.borrower_id)`,
  ),
  sqlCheckOfParts('I7', 'sealed-secrets', [
    [
      SECRETS,
      () => sql`
        SELECT tenant_id, secret_id AS subject, 'is a signing secret that is not sealed' AS detail
        FROM signing_secrets WHERE sealed LIKE ${SECRET}`,
    ],
    [
      ANSWERS,
      () => sql`
        SELECT tenant_id, 'answer to ' || key AS subject, 'holds a signing secret' AS detail
        FROM idempotency_records WHERE ${holdsSecret(sql`body`)}`,
    ],
    [
      EVENTS,
      () => sql`
        SELECT tenant_id, event_id AS subject, 'holds a secret' AS detail
        FROM events WHERE ${holdsSecret(sql`body`)}`,
    ],
  ]),
  // Signers are sealed, so nothing but what the row itself states may be in the event.
  sqlCheckOfParts('I7', 'no-signers-in-events-and-errors', [
    [
      FAILING_WORK,
      () => sql`
        SELECT tenant_id, topic || ' ' || subject_id AS subject,
          'keeps an error that may hold data' AS detail
        FROM work WHERE last_error !~ ${ERROR_TEXT}`,
    ],
    [
      EVENTS,
      () => sql`
        SELECT e.tenant_id, e.event_id AS subject, 'has a text that may name a signer' AS detail
        FROM events e WHERE e.type = 'borrower.eligible' AND EXISTS (
          SELECT FROM jsonb_path_query(e.body::jsonb, ${TEXTS}::jsonpath) AS member (value)
          WHERE value #>> '{}' NOT IN (e.event_id, e.type, e.resource_type, e.resource_id,
            to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
    ],
  ]),
]
