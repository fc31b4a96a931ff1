import { type Kysely, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { up } from '../../../migrations/0031-personal-data.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { sealPersonalData } from '../../../src/db/migrate/seal-personal-data.ts'
import { listSignatures } from '../../../src/domain/onboarding/signatures.ts'
import { openTenant, sign } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { dumpTables } from '../../support/stores/dump-tables.ts'
import { testSealer } from '../../support/stores/sealer.ts'

/** More than two batches of the migration. */
const BORROWERS = 120

const database = databaseForFile()
let tenantId: string

const idOf = (number: number) => `bor_${String(number).padStart(26, '0')}`
const nameOf = (number: number) => `Xanthippe Ŵyrzykowska ${number}`

const checks = async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE conname LIKE '%\\_sealed' AND convalidated AND conrelid <> 'receipt_keys'::regclass
    ORDER BY 1`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** As a release left it that had no keys: each borrower has signed, is blocked, has drawn, and was warned. */
beforeAll(async () => {
  const { db } = database
  tenantId = await openTenant(db)
  for (const name of await checks()) {
    const table = name.replace(/_sealed$/, '')
    await sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${sql.id(name)}`.execute(db)
  }
  await sql`INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country,
      created_at, updated_at, blocked_at, blocked_reason)
    SELECT ${tenantId}, 'bor_' || lpad(n::text, 26, '0'), 'individual', true, 'DE', now(), now(), now(),
      'a letter of the narwhal' FROM generate_series(1, ${BORROWERS}::int) AS n`.execute(db)
  await sql`INSERT INTO signatures (tenant_id, signature_id, borrower_id, number, full_name, email,
      ip_address, signed_at, contract_type, contract_version, recorded_at)
    SELECT tenant_id, 'sig_' || right(borrower_id, 26), borrower_id, 1,
      'Xanthippe Ŵyrzykowska ' || right(borrower_id, 26)::int, 'xanthippe@example.org',
      '198.51.100.211', now(), 'master_loan_agreement', '2026-01', now() FROM borrowers`.execute(db)
  await sql`INSERT INTO compliance_checks (tenant_id, check_id, borrower_id, kind, signature_id, subject,
      status, note, created_at)
    SELECT tenant_id, 'chk_' || right(borrower_id, 26), borrower_id, 'aml', signature_id,
      lower(full_name), 'review', 'like the xanthippe of a list', now() FROM signatures`.execute(db)
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at)
    SELECT tenant_id, 'fac_' || right(borrower_id, 26), borrower_id, 'APPROVED', 100000, 95000, now(),
      now(), now() FROM borrowers`.execute(db)
  await sql`INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, hold_kind, reason,
      started_at)
    SELECT tenant_id, facility_id, 'pau_' || right(facility_id, 26), 'hold', 'other', 'the narwhal wrote',
      now() FROM facilities`.execute(db)
  await sql`INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
      destination, requested_at)
    SELECT tenant_id, 'drw_' || right(facility_id, 26), facility_id, 'PENDING', 'USD', 5, 5,
      'IBAN-quokka', now() FROM facilities`.execute(db)
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units, cents,
      destination, status, created_at)
    SELECT tenant_id, 'rfd_' || right(facility_id, 26), facility_id, facility_id, 'USD', 5, 5,
      'IBAN-quokka', 'PENDING', now() FROM facilities`.execute(db)
  await sql`INSERT INTO refund_redirects (tenant_id, refund_id, number, from_destination, to_destination,
      refusals, reason, redirected_at)
    SELECT tenant_id, refund_id, 1, 'IBAN-quokka', 'IBAN-quokka-2', 1, 'narwhal', now()
    FROM refunds`.execute(db)
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, facility_id, day,
      found_at, written_at, note, resolved_at, resolved_by, resolution)
    SELECT tenant_id, 'brk_' || right(facility_id, 26), 'missing_here', 'bank', facility_id, facility_id,
      '2026-11-20', now(), now(), 'asked the narwhal', now(), 'ada@lender.example', 'quokka paid'
    FROM facilities`.execute(db)
  await sql`INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, recorded_at)
    SELECT tenant_id, gen_random_uuid(), sha256(''), 201, format('{"id":%s,"facility_id":%s,"destination":%s}',
      to_json(draw_id), to_json(facility_id), to_json(destination)), now() FROM draws`.execute(db)
  await sql`INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, recorded_at)
    VALUES (${tenantId}, gen_random_uuid(), sha256(''), 201,
      '{"channel":"letter","at":"2026-11-20T12:00:00.000Z","reference":"letter-xanthippe"}',
      now())`.execute(db)
}, 60_000)

const canaries = ['xanthippe', 'wyrzyk', '198.51.100.211', 'quokka', 'narwhal']
const clearTables = async () =>
  [...(await dumpTables(database.db))]
    .filter(([, text]) => canaries.some((canary) => text.toLowerCase().includes(canary)))
    .map(([name]) => name)

test('sealing the rows of before without encryption keys is refused, and changes nothing', async () => {
  await expect(sealPersonalData(database.db, undefined)).rejects.toThrow(
    /ENCRYPTION_KEYS is not set/,
  )
  expect(await clearTables()).toContain('signatures')
  expect(await checks()).toEqual([])
})

test('a run that is cut off in the middle leaves rows that are read as they are, and the next one ends it', async () => {
  const { db } = database
  await sql`CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`.execute(db)
  await sql`CREATE TRIGGER cut BEFORE INSERT ON borrower_keys FOR EACH ROW
    WHEN (NEW.borrower_id = '${sql.raw(idOf(70))}') EXECUTE FUNCTION cut()`.execute(db)
  await expect(sealPersonalData(db, testSealer)).rejects.toThrow()
  await sql`DROP TRIGGER cut ON borrower_keys`.execute(db)
  const { rows } = await sql<{
    keys: number
  }>`SELECT count(*)::int AS keys FROM borrower_keys`.execute(db)
  expect(rows).toEqual([{ keys: 50 }])

  // Of a borrower that is sealed, and of one that is not, which signs meanwhile.
  await sign(db, tenantId, idOf(110))
  for (const number of [1, 110]) {
    const [first] = await listSignatures(db, tenantId, idOf(number))
    expect(first).toMatchObject({ fullName: nameOf(number), email: 'xanthippe@example.org' })
  }

  await migrateToLatest(database.url, { stack: 'sandbox', sealer: testSealer })
  expect(await clearTables()).toEqual([])
  expect(await checks()).toHaveLength(9)
  for (const number of [1, 70, 110, BORROWERS]) {
    const [first] = await listSignatures(db, tenantId, idOf(number))
    expect(first).toMatchObject({ fullName: nameOf(number), ipAddress: '198.51.100.211' })
  }
})

test('equal destinations of a borrower are sealed alike, so that they are compared as before', async () => {
  const { rows } = await sql<{ same: boolean; others: boolean }>`
    SELECT bool_and(d.destination = r.destination) AS same,
      bool_or(d.destination = o.destination) AS others
    FROM draws d JOIN refunds r USING (tenant_id, facility_id)
    JOIN draws o ON o.tenant_id = d.tenant_id AND o.facility_id <> d.facility_id`.execute(
    database.db,
  )
  expect(rows).toEqual([{ same: true, others: false }])
})

test('the database refuses a clear text in each column that is sealed', async () => {
  const columns = {
    signatures: ['full_name', 'email', 'ip_address'],
    compliance_checks: ['subject', 'note'],
    borrowers: ['blocked_reason'],
    draws: ['destination'],
    refunds: ['destination'],
    refund_redirects: ['from_destination', 'to_destination', 'reason'],
    facility_pauses: ['reason'],
    reconciliation_breaks: ['note', 'resolution'],
  }
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) {
      const update = sql`UPDATE ${sql.table(table)} SET ${sql.id(name)} = 'person of interest'`
      await expect(update.execute(database.db), `${table}.${name}`).rejects.toThrow(
        `${table}_sealed`,
      )
    }
  }
})

test('the migration is refused while a process of an earlier release runs', async () => {
  await sql`INSERT INTO processes (process_id, kind, host, version, started_at, reported_at, report)
    VALUES (gen_random_uuid(), 'worker', 'host-1', 'old', now(), now(), '{}')`.execute(database.db)
  await expect(up(database.db as unknown as Kysely<unknown>)).rejects.toThrow(
    'the worker on host-1 is running: stop the API and the worker first',
  )
})
