import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { grantAppRole } from '../../../src/db/migrate/app-role.ts'
import { dropMonths, makeMonths } from '../../../src/db/migrate/months.ts'
import { createDatabaseCli } from '../../cli/database-cli.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let owned: AsyncDisposableStack
let database: TestDatabase
let app: Db
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  database = owned.use(await createTestDatabase({ isDirect: true }))
  // A copy of a database has its tables' rights, and not those of the database itself.
  await createDatabaseCli(database.url).show(['migrate', '--app-role', inject('appRole')])
  app = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  owned.defer(() => app.destroy())
})
afterAll(() => owned.disposeAsync())

const DENIED = '42501'
const run = (statement: string, as = app) => sql.raw(statement).execute(as)

/** What the role may do with which tables, and why no more. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  // The operator's to write, and what migrations have done.
  SELECT: ['event_anchors', 'journal_lines', 'kysely_migration', 'stack'],
  // Tried by each probe of writing, and undone.
  INSERT: ['write_probe'],
  // The clock is set ahead on a sandbox; operators suspend through their API.
  'INSERT, SELECT, UPDATE (clock_offset_ms), UPDATE (closed_at), UPDATE (suspended_at), UPDATE (suspension_reason)':
    ['tenants'],
  // Operators publish and retire through their API.
  'INSERT, SELECT, UPDATE (retired_at), UPDATE (superseded_at)': ['documents'],
  // The console registers and revokes keys, and changes no other part of one.
  'INSERT, SELECT, UPDATE (expiry_warned_at), UPDATE (last_used_at), UPDATE (revoked_at)': [
    'api_keys',
  ],
  'INSERT, SELECT, UPDATE (confirmed_email), UPDATE (failure_mails), UPDATE (notices_seen_at), UPDATE (oidc_bound_at), UPDATE (oidc_ends_at), UPDATE (oidc_subject), UPDATE (removed_at), UPDATE (role)':
    ['console_people'],
  'INSERT, SELECT, UPDATE (confirmed_email), UPDATE (notices_seen_at), UPDATE (oidc_bound_at), UPDATE (oidc_ends_at), UPDATE (oidc_subject), UPDATE (removed_at), UPDATE (role)':
    ['operators'],
  'DELETE, INSERT, SELECT, UPDATE (sent_at)': ['console_mails'],
  'DELETE, INSERT, SELECT, UPDATE (due_at), UPDATE (sent_at)': ['operator_mails'],
  'DELETE, INSERT, SELECT, UPDATE (replaces_at), UPDATE (used_at)': [
    'console_invitations',
    'operator_invitations',
  ],
  'INSERT, SELECT, UPDATE (ends_at), UPDATE (held_since), UPDATE (revoked_at)': ['operator_tokens'],
  // Decided, and never altered: the second operator confirms what the first has proposed.
  'INSERT, SELECT, UPDATE (decided_at), UPDATE (decided_by), UPDATE (decision_reason), UPDATE (status)':
    ['approvals'],
  'DELETE, INSERT, SELECT, UPDATE (confirmed_at), UPDATE (ended_at), UPDATE (ends_at), UPDATE (held_since), UPDATE (must_add_passkey), UPDATE (notices_seen_at), UPDATE (seen_at)':
    ['console_sessions', 'operator_sessions'],
  'DELETE, INSERT, SELECT, UPDATE (counter), UPDATE (ends_at), UPDATE (last_used_at)': [
    'console_passkeys',
    'operator_passkeys',
  ],
  // Sealed again, and destroyed.
  'INSERT, SELECT, UPDATE (erased_at), UPDATE (sealed_key)': ['borrower_keys'],
  // Rotated and sealed again by the operator's command.
  'INSERT, SELECT, UPDATE (retired_at), UPDATE (sealed)': ['receipt_keys'],
  // Made by the first erasure, and sealed again by the operator's command.
  'INSERT, SELECT, UPDATE (sealed)': ['erasure_key'],
  // Made with the tenant or by a migration.
  'SELECT, UPDATE': ['audits', 'operator_trail', 'price_feed'],
  // Never altered.
  'INSERT, SELECT': [
    'api_key_owners',
    'closed_months',
    'confirmed_transfers',
    'console_actions',
    'delivery_attempts',
    'events',
    'facility_ltv_days',
    'facility_ltv_hours',
    'journal',
    'journal_entries',
    'listed_transfers',
    'margin_decisions',
    'margin_evaluations',
    'margin_notices',
    'margin_policy_versions',
    'margin_policy_withdrawals',
    'margin_raises',
    'margin_receipts',
    'operator_actions',
    'principal_movements',
    'reconciled_days',
    'refund_redirects',
    'repayment_references',
    'request_log',
    'signatures',
    'tenant_list',
    'transfer_claims',
  ],
  // Kept for good.
  'INSERT, SELECT, UPDATE': [
    'borrowers',
    'compliance_checks',
    'deliveries',
    'doubtful_calls',
    'draws',
    'facilities',
    'facility_corrections',
    'facility_pauses',
    'ltv_rounds',
    'margin_calls',
    'margin_sales',
    'margin_warnings',
    'portfolio_sources',
    'portfolios',
    'position_inquiries',
    'reconciliation_breaks',
    'reconciliations',
    'refunds',
    'repayments',
    'residency_policy',
    'resource_versions',
    'sandbox_liens',
    'signing_secrets',
    'tenant_counters',
    'worker_heartbeat',
    'write_off_readings',
  ],
  // Never altered, and forgotten with age. A row is locked by the right to update some column of it.
  'DELETE, INSERT, SELECT': [
    'absent_tenants',
    'console_challenges',
    'operator_answers',
    'operator_challenges',
    'price_rounds',
    'provider_callbacks',
    'unbound_records',
  ],
  'DELETE, INSERT, SELECT, UPDATE (body), UPDATE (recorded_at)': ['idempotency_records'],
  // Emptied as it is done.
  'DELETE, INSERT, SELECT, UPDATE': [
    'asked_addresses',
    'clock_advances',
    'custodian_positions',
    'failure_notices',
    'lanes',
    'processes',
    'recovery_paces',
    'sandbox_calls',
    'sandbox_holdings',
    'sandbox_price_history',
    'sandbox_providers',
    'sandbox_transfers',
    'webhook_recoveries',
    'webhooks',
    'work',
  ],
}

/** All that was granted to the role or to everybody on whatever the schema holds, partitions too. */
async function selectRights(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ rights: string; names: string[] }>`
    SELECT rights, array_agg(relname::text ORDER BY relname) AS names
    FROM (
      SELECT relname, string_agg(DISTINCT "right", ', ' ORDER BY "right") AS rights
      FROM (
        SELECT relname, relnamespace, grantee, privilege_type AS "right"
        FROM pg_class CROSS JOIN aclexplode(relacl)
        UNION ALL
        SELECT relname, relnamespace, grantee, privilege_type || ' (' || attname || ')'
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid CROSS JOIN aclexplode(attacl)
      ) AS granted
      -- Citus has views in the schema.
      WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'citus%' AND grantee IN (0, ${inject('appRole')}::regrole)
      GROUP BY relname
    ) AS each GROUP BY rights`.execute(database.db)
  return Object.fromEntries(rows.map(({ rights, names }) => [rights, names]))
}

test.each([
  ['make a table', 'CREATE TABLE mine (id int)'],
  ['make a table for the session', 'CREATE TEMPORARY TABLE mine (id int)'],
  ['make a function', "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
  ['alter a table', 'ALTER TABLE webhooks ADD COLUMN extra text'],
  ['drop a table', 'DROP TABLE journal'],
  ['drop a rule of the journal', 'DROP RULE journal_no_update ON journal'],
  ['empty a table', 'TRUNCATE work'],
  ['make an index', 'CREATE INDEX mine ON webhooks (label)'],
  ['give rights away', 'ALTER TABLE journal OWNER TO CURRENT_USER'],
  ['make a role', 'CREATE ROLE another'],
  ['copy from a program', "COPY work FROM PROGRAM 'true'"],
  ['change its own role', 'ALTER ROLE CURRENT_USER SUPERUSER'],
  ['replace the function of the partitions', 'DROP FUNCTION make_month'],
  ['replace the function of the days', 'DROP FUNCTION make_span'],
])('the role of the API and the worker cannot %s', async (_, statement) => {
  await expect(run(statement)).rejects.toMatchObject({ code: DENIED })
})

test.each([
  'journal',
  'events',
  'delivery_attempts',
  'principal_movements',
  'signatures',
  'margin_decisions',
  'margin_evaluations',
  'repayment_references',
  'confirmed_transfers',
  'transfer_claims',
])('the role of the API and the worker cannot update, delete or lock rows of %s', async (table) => {
  for (const statement of [
    `UPDATE ${table} SET tenant_id = tenant_id`,
    `DELETE FROM ${table}`,
    `SELECT * FROM ${table} WHERE tenant_id = 'ten_1' FOR UPDATE`,
  ]) {
    await expect(run(statement)).rejects.toMatchObject({ code: DENIED })
  }
})

test('sessions of the role have a limit for locks, statements and idle transactions, however they connect', async () => {
  const client = new pg.Client({ connectionString: database.appUrl })
  await client.connect()
  const show = async (name: string) => (await client.query(`SHOW ${name}`)).rows[0][name]
  expect(await show('lock_timeout')).toBe('2s')
  expect(await show('statement_timeout')).toBe('10s')
  expect(await show('idle_in_transaction_session_timeout')).toBe('10s')
  await client.end()
})

test('the role has the rights that it needs on each table, and no other right on anything', async () => {
  expect(await selectRights()).toEqual(RIGHTS)
})

test('the role makes future months and drops old ones through the function alone', async () => {
  const months = async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = 'events'::regclass ORDER BY 1`.execute(app)
    return rows.map(({ name }) => name)
  }
  const [oldest = '', ...rest] = await months()
  const today = addMs(new Date(), 31 * DAY_MS)
  await makeMonths(app, today, new Date())
  await dropMonths(app, new Date())
  expect(await months()).not.toContain(oldest)
  expect((await months()).length).toBe(rest.length + 1)
  await expect(run(`DROP TABLE ${rest[0]}`)).rejects.toMatchObject({ code: DENIED })
  // Neither a wrong clock nor a wrong wish takes the log of now away.
  const kept = await months()
  await run("SELECT drop_month('infinity')")
  expect(await months()).toEqual(kept)
})

const nameRole = () => `role_${randomBytes(6).toString('hex')}`

async function makeRole(password: string) {
  const name = nameRole()
  owned.defer(async () => {
    await run(`DROP OWNED BY ${name}`, database.db)
    await run(`DROP ROLE ${name}`, database.db)
  })
  const cli = createDatabaseCli(database.url)
  const migrate = (given: string) =>
    cli.show(['migrate', '--app-role', name], { env: { APP_ROLE_PASSWORD: given } })
  expect(await migrate(password)).toBe(
    `Nothing to apply. ${name} may do what the API and the worker do.\n`,
  )
  return { name, migrate }
}

async function canLogIn(username: string, password: string): Promise<boolean> {
  const url = Object.assign(new URL(database.url), { username, password })
  const db = createDatabase({ connectionString: url.href, maxConnections: 1 })
  try {
    await db.selectFrom('journal').select('entry_id').execute()
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: '28P01' })
    return false
  } finally {
    await db.destroy()
  }
}

test('migrate --app-role makes the role with its password, and gives it a new one on the next run', async () => {
  const { name, migrate } = await makeRole("it's first")
  expect(await canLogIn(name, "it's first")).toBe(true)
  await migrate('second')
  expect(await canLogIn(name, 'second')).toBe(true)
  expect(await canLogIn(name, "it's first")).toBe(false)
})

test('migrate --app-role revokes every other right that the role was given', async () => {
  const { name, migrate } = await makeRole('secret')
  await run(`GRANT ALL ON journal, event_anchors TO ${name}`, database.db)
  await migrate('secret')
  const { rows } = await sql<{ may: boolean }>`
    SELECT has_table_privilege(${name}, 'journal', 'UPDATE')
        OR has_table_privilege(${name}, 'event_anchors', 'INSERT') AS may`.execute(database.db)
  expect(rows).toEqual([{ may: false }])
})

test('migrate --app-role of an older build keeps what a newer one has granted', async () => {
  const { name, migrate } = await makeRole('secret')
  await run('CREATE TABLE newer_notes (id integer)', database.db)
  await run(
    `GRANT ALL ON newer_notes TO ${name}; REVOKE ALL ON borrowers FROM ${name}`,
    database.db,
  )
  await run("INSERT INTO kysely_migration VALUES ('9999-newer', '', '0022-audit')", database.db)
  await migrate('secret')
  await run("DELETE FROM kysely_migration WHERE name = '9999-newer'", database.db)
  const { rows } = await sql<{ newer: boolean; own: boolean }>`
    SELECT has_table_privilege(${name}, 'newer_notes', 'INSERT') AS newer,
           has_table_privilege(${name}, 'borrowers', 'SELECT') AS own`.execute(database.db)
  expect(rows).toEqual([{ newer: true, own: true }])
  await run('DROP TABLE newer_notes', database.db)
})

test('migrate --app-role refuses a role that is missing, one with rights it cannot revoke, and one misspelt', async () => {
  const cli = createDatabaseCli(database.url)
  const name = nameRole()
  expect(await cli.fail(['migrate', '--app-role', name])).toEqual({
    code: 'not_found',
    message: `There is no role ${name}: create it, or set APP_ROLE_PASSWORD to have it made.`,
  })
  const owner = new URL(database.url).username
  expect(await cli.fail(['migrate', '--app-role', owner])).toEqual({
    code: 'validation_failed',
    message: `The role ${owner} is a superuser: give the service a role of its own.`,
  })
  expect(await cli.fail(['migrate', '--app-role', 'a;b'])).toMatchObject({ code: 'usage' })
})

test('two databases of one server may make a role and grant to it at once', async () => {
  await using other = await createTestDatabase({ isDirect: true })
  const databases = [database, other]
  for (let round = 0; round < 8; round += 1) {
    const role = { name: `role_${randomBytes(6).toString('hex')}`, password: 'secret' }
    // The first round makes the role, and the second changes what there is.
    for (let again = 0; again < 2; again += 1) {
      await Promise.all(databases.map(({ db }) => grantAppRole(db, role)))
    }
    for (const { db } of databases) await run(`DROP OWNED BY ${role.name}`, db)
    await run(`DROP ROLE ${role.name}`, database.db)
  }
})
