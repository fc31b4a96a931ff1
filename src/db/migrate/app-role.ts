import { type RawBuilder, sql } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import { SESSION_LIMITS_MS } from '../connections/connection-pool.ts'
import { type Db, inTransaction, type Tx } from '../database.ts'
import { isLockTimeout, violatedConstraint } from '../errors.ts'
import type { Tables } from '../schema/tables.ts'
import { repeated } from '../transactions/repeated.ts'

const READ = 'SELECT'
const APPEND = 'SELECT, INSERT'
const WRITE = 'SELECT, INSERT, UPDATE'
const ALL = 'SELECT, INSERT, UPDATE, DELETE'

/** Only what API and worker do. */
const PRIVILEGES: Readonly<Record<keyof Tables, string>> = {
  stack: READ,
  write_probe: 'INSERT',
  tenants: `${APPEND}, UPDATE (clock_offset_ms, suspended_at, suspension_reason, closed_at)`,
  tenant_list: APPEND,
  tenant_counters: 'SELECT, INSERT, UPDATE',
  // The console registers and revokes keys.
  api_keys: 'SELECT, INSERT, UPDATE (revoked_at, last_used_at, expiry_warned_at)',
  api_key_owners: APPEND,
  absent_tenants: 'SELECT, INSERT, DELETE',
  // DELETE locks first, which needs the right to update some column. Of an erased borrower the body loses ids.
  idempotency_records: 'SELECT, INSERT, DELETE, UPDATE (recorded_at, body)',
  work: ALL,
  resource_versions: WRITE,
  signing_secrets: WRITE,
  webhooks: ALL,
  webhook_recoveries: ALL,
  recovery_paces: ALL,
  lanes: ALL,
  events: APPEND,
  event_anchors: READ,
  unbound_records: 'SELECT, INSERT, DELETE',
  deliveries: WRITE,
  delivery_attempts: APPEND,
  documents: `${APPEND}, UPDATE (superseded_at, retired_at)`,
  // What operators confirm through their API.
  residency_policy: WRITE,
  borrowers: WRITE,
  borrower_keys: `${APPEND}, UPDATE (sealed_key, erased_at)`,
  // A new encryption key seals it again.
  erasure_key: `${APPEND}, UPDATE (sealed)`,
  signatures: APPEND,
  compliance_checks: WRITE,
  portfolios: WRITE,
  portfolio_sources: WRITE,
  custodian_positions: ALL,
  price_rounds: 'SELECT, INSERT, DELETE',
  price_feed: 'SELECT, UPDATE',
  audits: 'SELECT, UPDATE',
  worker_heartbeat: WRITE,
  processes: ALL,
  provider_callbacks: 'SELECT, INSERT, DELETE',
  sandbox_price_history: ALL,
  sandbox_providers: ALL,
  sandbox_calls: ALL,
  sandbox_holdings: ALL,
  sandbox_liens: WRITE,
  // The sandbox's breaks leave a transfer out.
  sandbox_transfers: ALL,
  clock_advances: ALL,
  facilities: WRITE,
  position_inquiries: WRITE,
  principal_movements: APPEND,
  facility_pauses: WRITE,
  facility_corrections: WRITE,
  write_off_readings: WRITE,
  draws: WRITE,
  repayments: WRITE,
  repayment_references: APPEND,
  confirmed_transfers: APPEND,
  transfer_claims: APPEND,
  refunds: WRITE,
  refund_redirects: APPEND,
  doubtful_calls: WRITE,
  reconciliations: WRITE,
  listed_transfers: APPEND,
  reconciled_days: APPEND,
  reconciliation_breaks: WRITE,
  journal: APPEND,
  journal_entries: APPEND,
  journal_lines: READ,
  closed_months: APPEND,
  margin_warnings: WRITE,
  margin_raises: APPEND,
  margin_notices: APPEND,
  margin_calls: WRITE,
  margin_receipts: APPEND,
  receipt_keys: `${APPEND}, UPDATE (sealed, retired_at)`,
  margin_sales: WRITE,
  margin_evaluations: APPEND,
  margin_decisions: APPEND,
  margin_policy_versions: APPEND,
  margin_policy_withdrawals: APPEND,
  request_log: APPEND,
  facility_ltv_hours: APPEND,
  facility_ltv_days: APPEND,
  ltv_rounds: WRITE,
  console_people: `${APPEND}, UPDATE (role, oidc_subject, oidc_bound_at, oidc_ends_at, failure_mails, confirmed_email, notices_seen_at, removed_at)`,
  console_invitations: `${APPEND}, DELETE, UPDATE (used_at, replaces_at)`,
  console_sessions: `${APPEND}, DELETE, UPDATE (must_add_passkey, held_since, confirmed_at, notices_seen_at, ends_at, seen_at, ended_at)`,
  console_passkeys: `${APPEND}, DELETE, UPDATE (counter, last_used_at, ends_at)`,
  console_challenges: `${APPEND}, DELETE`,
  console_actions: APPEND,
  asked_addresses: ALL,
  console_mails: `${APPEND}, DELETE, UPDATE (sent_at)`,
  failure_notices: ALL,
  // Admins invite and remove operators, and make tokens, in the desk.
  operators: `${APPEND}, UPDATE (role, oidc_subject, oidc_bound_at, oidc_ends_at, confirmed_email, notices_seen_at, removed_at)`,
  operator_tokens: `${APPEND}, UPDATE (held_since, revoked_at, ends_at)`,
  operator_invitations: `${APPEND}, DELETE, UPDATE (used_at, replaces_at)`,
  operator_sessions: `${APPEND}, DELETE, UPDATE (must_add_passkey, held_since, confirmed_at, notices_seen_at, ends_at, seen_at, ended_at)`,
  operator_passkeys: `${APPEND}, DELETE, UPDATE (counter, last_used_at, ends_at)`,
  operator_challenges: `${APPEND}, DELETE`,
  operator_mails: `${APPEND}, DELETE, UPDATE (sent_at, due_at)`,
  operator_answers: `${APPEND}, DELETE`,
  operator_actions: APPEND,
  // What is proposed is never altered.
  approvals: `${APPEND}, UPDATE (status, decided_by, decided_at, decision_reason)`,
  operator_trail: 'SELECT, UPDATE',
}

export type AppRole = {
  name: string
  /** Sets the role's password; a missing role is created. */
  password: string | undefined
}

/** Run after every migration. No DDL, and no changes to journal and logs; the functions
 * that make and drop partitions run as their owner. `keepsOthers` keeps what a newer build has granted. Refuses
 * `validation_failed` for a role with too many rights. */
export async function grantAppRole(
  db: Db,
  role: AppRole,
  { keepsOthers = false }: { keepsOthers?: boolean } = {},
): Promise<void> {
  // Another database of the server may grant to the same role at once.
  await repeated(() => grantOnce(db, role, keepsOthers), isCatalogueConflict)
}

/** Of roles and their settings, which all databases of a server share, and advisory locks do not guard. Two
 * of a Citus cluster may each have locked them on a node and wait for the other. */
function isCatalogueConflict(error: unknown): boolean {
  const isChanged = error instanceof Error && error.message === 'tuple concurrently updated'
  const isMadeTwice = violatedConstraint(error) === 'pg_authid_rolname_index'
  return isChanged || isMadeTwice || isLockTimeout(error)
}

async function grantOnce(db: Db, role: AppRole, keepsOthers: boolean): Promise<void> {
  const name = sql.id(role.name)
  await inTransaction(db, async (tx) => {
    // Two runs at once would conflict on the same rows of the catalogue.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('grant_app_role', 0))`.execute(tx)
    await ensureRole(tx, role)
    await sql`GRANT CONNECT ON DATABASE ${await currentDatabase(tx)} TO ${name}`.execute(tx)
    await sql`REVOKE TEMPORARY ON DATABASE ${await currentDatabase(tx)} FROM PUBLIC, ${name}`.execute(
      tx,
    )
    // On the role too, because a pooler may not pass on a session's settings.
    for (const [limit, ms] of Object.entries(SESSION_LIMITS_MS)) {
      await sql`ALTER ROLE ${name} SET ${sql.id(limit)} TO ${sql.lit(ms)}`.execute(tx)
    }
    const schema = await currentSchema(tx)
    await sql`REVOKE ALL ON SCHEMA ${schema} FROM ${name}`.execute(tx)
    await sql`REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC`.execute(tx)
    await sql`GRANT USAGE ON SCHEMA ${schema} TO ${name}`.execute(tx)
    if (!keepsOthers) {
      await sql`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name}`.execute(tx)
    }
    const tables = { ...PRIVILEGES, kysely_migration: READ }
    for (const [table, privileges] of Object.entries(tables)) {
      await sql`GRANT ${sql.raw(privileges)} ON ${sql.id(table)} TO ${name}`.execute(tx)
    }
    const months = sql`FUNCTION make_month(text, timestamptz), drop_month(timestamptz),
      make_span(text, timestamptz), drop_span(text, timestamptz),
      digest_used(text, text, text[], text[])`
    await sql`REVOKE EXECUTE ON ${months} FROM PUBLIC`.execute(tx)
    await sql`GRANT EXECUTE ON ${months} TO ${name}`.execute(tx)
  })
}

async function ensureRole(tx: Tx, { name, password }: AppRole): Promise<void> {
  const { rows } = await sql<{ is_superuser: boolean; is_owner: boolean }>`
    SELECT rolsuper AS is_superuser,
           pg_has_role(${name}, (SELECT relowner FROM pg_class WHERE oid = 'journal'::regclass),
                       'MEMBER') AS is_owner
    FROM pg_roles WHERE rolname = ${name}`.execute(tx)
  const [found] = rows
  if (found?.is_superuser || found?.is_owner) {
    const what = found.is_superuser ? 'is a superuser' : 'owns the tables'
    throw new Refusal(
      'validation_failed',
      `The role ${name} ${what}: give the service a role of its own.`,
    )
  }
  if (!found && password === undefined) {
    throw new Refusal(
      'not_found',
      `There is no role ${name}: create it, or set APP_ROLE_PASSWORD to have it made.`,
    )
  }
  if (!found) await sql`CREATE ROLE ${sql.id(name)} LOGIN`.execute(tx)
  if (password !== undefined) {
    await sql`ALTER ROLE ${sql.id(name)} PASSWORD ${sql.lit(password)}`.execute(tx)
  }
}

async function currentDatabase(tx: Tx): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(tx)
  return sql.id(rows[0]?.name ?? '')
}

async function currentSchema(tx: Tx): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(tx)
  return sql.id(rows[0]?.name ?? '')
}
