import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Violation } from './check.ts'
import { sqlCheck, type ViolationRow } from './sql-check-queries.ts'

/** Where the things are whose ids others name. */
const OWNERS: Readonly<Record<string, string>> = {
  borrower_id: 'borrowers',
  signature_id: 'signatures',
  facility_id: 'facilities',
  draw_id: 'draws',
  repayment_id: 'repayments',
  refund_id: 'refunds',
  webhook_id: 'webhooks',
  event_id: 'events',
}

const ownersIn = (column: string, table: string) =>
  sql`SELECT ${sql.ref(column)} AS id, tenant_id FROM ${sql.table(table)}`

/** Whose each thing is, events aside: few places name one, and there are very many. */
const owned = sql.join(
  Object.entries(OWNERS)
    .filter(([, table]) => table !== 'events')
    .map(([column, table]) => ownersIn(column, table)),
  sql` UNION ALL `,
)

/** Every column that may hold such an id, of every table that has a tenant: new ones come by themselves. */
export async function selectIdColumns(tx: Tx): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.table_name AS table, c.column_name AS column
    FROM information_schema.columns c
    JOIN information_schema.columns t ON t.table_schema = c.table_schema
      AND t.table_name = c.table_name AND t.column_name = 'tenant_id'
    JOIN pg_class r ON r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
      AND r.relkind IN ('r', 'p') AND NOT r.relispartition
    WHERE c.table_schema = current_schema() AND c.data_type = 'text'
      AND c.column_name LIKE '%\_id' AND c.column_name <> 'tenant_id'
    ORDER BY 1, 2`.execute(tx)
  return rows
}

/** Rows of one table whose column names something of another tenant, by itself or with more text. */
export async function selectForeignIds(
  tx: Tx,
  { table, column }: { table: string; column: string },
  limit: number,
): Promise<Violation[]> {
  // @plan reads everything: every row of the table names something.
  const named = sql.ref(`r.${column}`)
  const owner = OWNERS[column]
  const owners = owner === undefined ? owned : ownersIn(column, owner)
  // A column of no one kind may say more than the id: 'draw/drw_…'.
  const id = owner === undefined ? sql`substring(${named} FROM '[a-z]{3}_[0-9a-z]{26}')` : named
  const { rows } = await sql<ViolationRow>`
    SELECT r.tenant_id, ${named} AS subject,
      ${`is named in ${table}.${column} and belongs to `} || o.tenant_id AS detail
    FROM ${sql.table(table)} r
    JOIN (${owners}) o ON o.id = ${id}
    WHERE o.tenant_id <> r.tenant_id LIMIT ${limit}`.execute(tx)
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    subject: row.subject,
    detail: row.detail,
  }))
}

/** Members of stored texts whose names say that they hold an id: free text may say anything. */
const ID_MEMBERS =
  'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "(^|_)id$").value'

const foreignIn = (source: RawBuilder<unknown>, owners: RawBuilder<unknown>) => sql`
  SELECT s.tenant_id, s.subject, 'tells of ' || o.id || ' of ' || o.tenant_id AS detail
  FROM (${source}) s
  CROSS JOIN LATERAL jsonb_path_query(s.said, ${ID_MEMBERS}::jsonpath) AS named (id)
  JOIN (${owners}) o ON o.id = substring(named.id #>> '{}' FROM '[a-z]{3}_[0-9a-z]{26}')
  WHERE o.tenant_id <> s.tenant_id`

const SECRET = '%whsec\\_%'

/** Whole values of members, but for what tenants themselves choose: they may write anything. */
const OWN_TEXTS =
  'lax $.** ? (@.type() == "object").keyvalue() ? (!(@.key like_regex "^(reference|destination|label|url)$")).value[*] ? (@.type() == "string")'

/** Whole values of all members. */
const TEXTS = 'strict $.** ? (@.type() == "string")'

/** A text that is no JSON has no members to compare: there the secret's beginning is enough. */
const holdsSecret = (body: RawBuilder<unknown>) => sql`
  CASE WHEN NOT (${body} LIKE ${SECRET} OR ${body} LIKE '%PRIVATE KEY%') THEN false
  WHEN ${body} IS NOT JSON THEN true
  ELSE EXISTS (
    SELECT FROM jsonb_path_query(${body}::jsonb, ${OWN_TEXTS}::jsonpath) AS member (value)
    WHERE value #>> '{}' ~ '^(whsec_|-----BEGIN [A-Z ]*PRIVATE KEY)') END`

/** What is stored of a failure (domain/work/failure.ts): names, codes and a place in the sources. */
const ERROR_FORMS = [
  '[A-Za-z][A-Za-z0-9]{0,63}( [A-Z][A-Z0-9_]{2,40})?',
  'Refusal [a-z_]+',
  'database error [0-9A-Z]{5}( [(][a-z0-9_]+[)])?',
  'NotConfigured: no [a-z ]+ is configured',
  'VendorFailure [a-z]+ [a-z0-9_]+: [a-z]+, [A-Za-z _-]+: [a-z0-9_]+( [(]status [0-9]+[)])?',
]
const ERROR_TEXT = `^(${ERROR_FORMS.join('|')})( at [A-Za-z0-9_./-]+[.]ts:[0-9]+)?$`

/** I6 in what was told, and I7 in what is stored. */
export const TENANT_CHECKS = [
  // @plan reads everything: a full audit checks every row there is.
  sqlCheck('I6', 'events-of-their-tenant', () =>
    foreignIn(sql`SELECT tenant_id, event_id AS subject, body::jsonb AS said FROM events`, owned),
  ),
  sqlCheck('I6', 'answers-of-their-tenant', () =>
    foreignIn(
      sql`
      SELECT tenant_id, 'answer to ' || key AS subject,
        CASE WHEN body IS JSON THEN body::jsonb END AS said
      FROM idempotency_records WHERE secret_id IS NULL AND body <> ''`,
      sql`${owned} UNION ALL ${ownersIn('event_id', 'events')}`,
    ),
  ),
  sqlCheck(
    'I7',
    'sealed-secrets',
    () => sql`
      SELECT tenant_id, secret_id AS subject, 'is a signing secret that is not sealed' AS detail
      FROM signing_secrets WHERE sealed LIKE ${SECRET}
      UNION ALL
      SELECT tenant_id, 'answer to ' || key, 'holds a signing secret'
      FROM idempotency_records WHERE ${holdsSecret(sql`body`)}
      UNION ALL
      SELECT tenant_id, event_id, 'holds a secret'
      FROM events WHERE ${holdsSecret(sql`body`)}`,
  ),
  // Members are compared whole, so that a signer named by a letter is found in nothing; and what the
  // row itself says of the event is not compared, so that one named like the event's type is neither.
  sqlCheck(
    'I7',
    'no-signers-in-events-and-errors',
    () => sql`
      SELECT tenant_id, topic || ' ' || subject_id AS subject,
        'keeps an error that may hold data' AS detail
      FROM work WHERE last_error !~ ${ERROR_TEXT}
      UNION ALL
      SELECT e.tenant_id, e.event_id, 'names a signer'
      FROM events e WHERE e.type = 'borrower.eligible' AND EXISTS (
        SELECT FROM jsonb_path_query(e.body::jsonb, ${TEXTS}::jsonpath) AS member (value)
        JOIN signatures s ON s.tenant_id = e.tenant_id AND s.borrower_id = e.resource_id
          AND value #>> '{}' IN (s.email, s.full_name, s.ip_address)
        WHERE value #>> '{}' NOT IN (e.event_id, e.type, e.resource_type, e.resource_id,
          to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
  ),
]
