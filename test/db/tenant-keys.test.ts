import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseForFile } from '../support/stores/database.ts'

// What sharding by tenant asks of a schema: with a tenant's rows on one server, whatever must be
// unique, and whatever refers to something, can be decided by that server alone.

/** Tables that belong to no tenant, and why. Each would be on every server, or on one. */
const WITHOUT_TENANT: Record<string, string> = {
  residency_policy: 'the operator’s policy, the same for every tenant',
  margin_policy_versions: 'the operator’s terms, the same for every tenant',
  margin_policy_withdrawals: 'which of them never took effect',
  price_rounds: 'what the market pays, the same for every tenant',
  price_feed: 'how far rounds and their evaluation have come; one row',
  audits: 'when the invariants were last checked; one row',
  write_probe: 'whether the disk takes a row; one row',
  worker_heartbeat: 'when a worker was last there; one row',
  processes: 'what runs and what it sees; a row a process',
  stack: 'which stack the database belongs to; one row',
  receipt_keys: 'what the stack signs receipts with, whichever tenant they are of',
  erasure_key: 'what digests of erased references are made with, whichever tenant they are of',
  asked_addresses: 'an address is asked once a day, whichever tenant has it',
  operators: 'people of the lender, who have every tenant',
  operator_actions: 'what they did, in one order',
  operator_tokens: 'what those people prove themselves with',
  operator_invitations: 'by which those people come to the desk',
  operator_sessions: 'of those people in the desk',
  operator_passkeys: 'what those people sign in with',
  operator_challenges: 'what those passkeys are to sign',
  operator_mails: 'what those people are mailed about their accounts',
  operator_answers: 'what those people’s requests were answered',
  approvals: 'acts of operators, some about no tenant, that wait for a second one',
  operator_trail: 'how far that order has come; one row',
  console_challenges: 'what a passkey is to sign; before a sign-in no tenant is known',
  kysely_migration: 'which migrations have run',
}

/** Tables that are unique among all tenants, spread by what must be unique, and why. */
const AMONG_TENANTS: Record<string, string> = {
  transfer_claims: 'a transfer pays once in the stack, whichever tenant reports it',
}

/** Tables that lead to a tenant, in one place for all of them. */
const BEFORE_TENANT = ['absent_tenants', 'api_key_owners', 'tenant_list']

/** Indexes that do not begin with the tenant, none of which makes anything unique, and why. */
const ACROSS_TENANTS: Record<string, string> = {
  borrowers_by_external_id: 'operators find a tenant’s own id without its tenant',
  facilities_amended: 'operators list what waits, of all tenants',
  facilities_by_external_id: 'operators find a tenant’s own id without its tenant',
  api_keys_expiring: 'swept by time, on each server by itself',
  idempotency_records_by_age: 'purged by age, on each server by itself',
  work_lanes: 'found by class, on each server by itself',
  work_waiting: 'swept by time, on each server by itself',
  provider_callbacks_received: 'purged by age, on each server by itself',
  journal_written: 'the audit reads what is new, on each server by itself',
  margin_decisions_written: 'the audit reads what is new, on each server by itself',
  sandbox_calls_by_age: 'purged by age, on each server by itself',
  recovery_paces_by_age: 'purged by age, on each server by itself',
  webhooks_deleted: 'purged by age, on each server by itself',
  console_people_by_email: 'the OIDC provider names a person alone; the tenant follows from it',
  console_people_by_subject: 'the same, from the second sign-in on',
  console_invitations_by_age: 'purged by age, on each server by itself',
  console_sessions_by_age: 'purged by age, on each server by itself',
  console_mails_by_age: 'purged by age, on each server by itself',
  failure_notices_by_age: 'purged by age, on each server by itself',
  borrowers_blocked: 'an operator reads all tenants in one order, each server by itself',
  compliance_checks_waiting: 'the same',
  facilities_waiting: 'the same',
  facility_pauses_holds_lying: 'the same',
  refunds_refused_first: 'the same',
  doubtful_calls_open: 'the same',
  breaks_open: 'the same',
  breaks_by_time: 'the same',
  margin_warnings_due: 'the same',
  margin_calls_live: 'the same',
  margin_calls_ended: 'the same',
  repayments_undecided_first: 'the same',
}

const database = databaseForFile()

async function ask<Row>(query: string): Promise<Row[]> {
  const { rows } = await sql.raw<Row>(query).execute(database.db)
  return rows
}

const OURS = `relnamespace = 'public'::regnamespace`

const isOfTenants = (table: string) =>
  !(table in WITHOUT_TENANT || table in AMONG_TENANTS || BEFORE_TENANT.includes(table))

async function findTables(): Promise<{ name: string; has_tenant: boolean }[]> {
  return await ask(`
    SELECT relname AS name,
           EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id'
                   AND a.attnotnull AND a.atttypid = 'text'::regtype) AS has_tenant
    FROM pg_class c WHERE ${OURS} AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`)
}

/** Indexes with the first of their columns, those of partitions aside, which have their parent's. */
async function findIndexes(): Promise<
  { index: string; table: string; first: string | null; is_unique: boolean }[]
> {
  return await ask(`
    SELECT i.relname AS index, t.relname AS table, a.attname AS first, indisunique AS is_unique
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_class t ON t.oid = x.indrelid
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
    WHERE t.${OURS} AND NOT t.relispartition ORDER BY 1`)
}

/** Rows that the audit finds by when they were changed, of all tenants together; and were written. */
const CHANGED = [
  'borrowers',
  'deliveries',
  'draws',
  'facilities',
  'margin_calls',
  'margin_sales',
  'margin_warnings',
  'refunds',
  'repayments',
  'signing_secrets',
  'webhooks',
]
const WRITTEN = [
  'confirmed_transfers',
  'delivery_attempts',
  'events',
  'idempotency_records',
  'principal_movements',
  'work',
]

test('every table names the tenant of its rows, except those that belong to no tenant', async () => {
  const tables = await findTables()
  expect(tables.length).toBeGreaterThan(30)
  const others = tables.filter(({ has_tenant }) => !has_tenant).map(({ name }) => name)
  expect(others.sort()).toEqual(Object.keys(WITHOUT_TENANT).sort())
})

test('every primary key and unique index begins with the tenant', async () => {
  const unique = (await findIndexes()).filter(
    ({ is_unique, table }) => is_unique && isOfTenants(table),
  )
  expect(unique.length).toBeGreaterThan(30)
  expect(unique.filter(({ first }) => first !== 'tenant_id')).toEqual([])
})

test('every table of tenants has a primary key', async () => {
  const withKey = await ask<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'p'`,
  )
  const names = withKey.map(({ name }) => name)
  const without = (await findTables()).filter(
    ({ name, has_tenant }) => has_tenant && !names.includes(name),
  )
  expect(without).toEqual([])
})

test('every foreign key goes from the tenant’s rows to the same tenant’s', async () => {
  const keys = await ask<{ name: string; source: string; target: string; table: string }>(`
    SELECT conname AS name, c.relname AS table, a.attname AS source, b.attname AS target
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND c.${OURS} AND NOT c.relispartition`)
  expect(keys.length).toBeGreaterThan(20)
  const astray = keys.filter(
    ({ source, target, table }) =>
      !(table in WITHOUT_TENANT) && (source !== 'tenant_id' || target !== 'tenant_id'),
  )
  expect(astray).toEqual([])
})

test('no column with a tenant may be NULL', async () => {
  const nullable = await ask(`
    SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.${OURS} AND a.attname = 'tenant_id' AND c.relkind IN ('r', 'p') AND NOT a.attnotnull`)
  expect(nullable).toEqual([])
})

test('an index that does not begin with the tenant is not unique, and is listed here', async () => {
  const across = (await findIndexes()).filter(
    ({ first, table }) => first !== 'tenant_id' && isOfTenants(table),
  )
  const known = [
    ...Object.keys(ACROSS_TENANTS),
    ...CHANGED.map((table) => `${table}_changed`),
    ...WRITTEN.map((table) => `${table}_written`),
  ]
  expect(across.map(({ index }) => index).sort()).toEqual(known.sort())
  expect(across.filter(({ is_unique }) => is_unique)).toEqual([])
})

test('no number comes from a sequence that tenants would share', async () => {
  expect(await ask(`SELECT relname FROM pg_class WHERE ${OURS} AND relkind = 'S'`)).toEqual([])
})

test('triggers protect the journal and its closed months, mark changed rows, and do nothing else', async () => {
  const triggers = await ask<{ name: string; table: string }>(`
    SELECT DISTINCT tgname AS name,
      regexp_replace(tgrelid::regclass::text, '_[0-9]{4}_[0-9]{2}$', '') AS table
    FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`)
  expect(triggers).toEqual([
    { name: 'journal_month_open', table: 'journal' },
    { name: 'journal_no_truncate', table: 'journal' },
    ...CHANGED.map((table) => ({ name: 'mark_change', table })),
  ])
  const bodies = await ask<{ body: string }>(
    `SELECT prosrc AS body FROM pg_proc WHERE proname = 'mark_change'`,
  )
  expect(bodies.map(({ body }) => body.replace(/\s+/g, ' ').trim())).toEqual([
    'BEGIN NEW.changed_at := now(); RETURN NEW; END',
  ])
})

test('no rule rewrites a statement, except those that protect the journal', async () => {
  const rules = await ask<{ table: string }>(`
    SELECT DISTINCT substring(ev_class::regclass::text FROM '^[a-z]+') AS table FROM pg_rewrite r
    JOIN pg_class c ON c.oid = r.ev_class WHERE c.${OURS}`)
  expect(rules).toEqual([{ table: 'journal' }])
})

test('a table that is partitioned by time has the tenant before the time in its key', async () => {
  const keys = await ask<{ table: string; columns: string[] }>(`
    SELECT c.relname AS table, array_agg(a.attname::text ORDER BY k.ordinality) AS columns
    FROM pg_partitioned_table p
    JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_constraint n ON n.conrelid = c.oid AND n.contype = 'p'
    CROSS JOIN unnest(n.conkey) WITH ORDINALITY k (attnum, ordinality)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
    GROUP BY c.relname ORDER BY 1`)
  const timeOf = {
    deliveries: 'recorded_at',
    delivery_attempts: 'recorded_at',
    events: 'recorded_at',
    facility_ltv_days: 'taken_at',
    facility_ltv_hours: 'taken_at',
    journal: 'month',
    margin_decisions: 'month',
    margin_evaluations: 'month',
    request_log: 'received_at',
  }
  const found = keys.map(({ table, columns }) => [table, columns[0], columns.at(-1)])
  expect(found).toEqual(Object.entries(timeOf).map(([table, time]) => [table, 'tenant_id', time]))
})
