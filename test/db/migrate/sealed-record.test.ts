import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import type { Db } from '../../../src/db/database.ts'
import { grantAppRole } from '../../../src/db/migrate/app-role.ts'
import { ensureCaseFolding } from '../../../src/db/migrate/case-folding.ts'
import { type Migration, runMigrations } from '../../../src/db/migrate/run-migrations.ts'
import { readOperatorActions } from '../../../src/domain/operators/actions.ts'
import { listApprovals } from '../../../src/domain/operators/approvals/approvals.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { testSealer } from '../../support/stores/sealer.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const SEALED = '0032-sealed-record'

async function migrations(to: string): Promise<Record<string, Migration>> {
  const names = readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
    .filter((name) => name <= to)
    .sort()
  const loaded = names.map(async (name) => {
    return [name, await import(new URL(`${name}.ts`, MIGRATIONS).href)] as const
  })
  return Object.fromEntries(await Promise.all(loaded))
}

const [TENANT, BORROWER, FACILITY] = ['ten_1', 'bor_1', 'fac_1']

/** As the release before wrote it. */
async function act(db: Db, subject: [string, string] | undefined, states: object): Promise<void> {
  const [kind = null, id = null] = subject ?? []
  await sql`
    WITH written AS (
      INSERT INTO operator_actions (number, actor, action, subject_kind, subject_id, tenant, reason,
        before, after, acted_at, previous_hash, hash)
      SELECT a.*, operator_action_hash(a.previous_hash, jsonb_build_array(a.number, NULL, a.actor,
        a.action, a.subject_kind, a.subject_id, a.tenant, a.reason, a.before, a.after, NULL,
        (extract(epoch FROM a.acted_at) * 1000000)::bigint))
      FROM (SELECT last_number + 1 AS number, 'os:tester' AS actor,
        CASE WHEN ${kind}::text = 'borrower' THEN 'borrowers.unblock' ELSE 'test' END AS action,
        ${kind}::text AS subject_kind, ${id}::text AS subject_id, ${TENANT} AS tenant,
        'because of Quirinius' AS reason, NULL::jsonb AS before, ${JSON.stringify(states)}::jsonb AS after,
        '2026-11-20 12:00:00+00'::timestamptz AS acted_at, last_hash AS previous_hash
        FROM operator_trail) a
      RETURNING number, hash)
    UPDATE operator_trail SET last_number = written.number, last_hash = written.hash
    FROM written`.execute(db)
}

async function openBefore() {
  const database = await createTestDatabase({ isDirect: true })
  const { db } = database
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
  await ensureCaseFolding(db)
  await runMigrations(db, await migrations('0031-personal-data'), { sealer: testSealer })
  await sql`INSERT INTO stack (name) VALUES ('sandbox') ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO tenants (tenant_id, name, created_at) VALUES (${TENANT}, 'T', now())`.execute(
    db,
  )
  await sql`INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country,
      created_at, updated_at)
    VALUES (${TENANT}, ${BORROWER}, 'individual', true, 'FR', now(), now())`.execute(db)
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, decline_reasons,
      limit_cents, rate_ppm, accrued_at, created_at, updated_at)
    VALUES (${TENANT}, ${FACILITY}, ${BORROWER}, 'DECLINED', '{kyc}', 100000, 95000, now(), now(),
      now())`.execute(db)
  await sql`INSERT INTO operators (operator_id, email, name, role, created_at)
    VALUES ('opr_1', 'ada@example.com', 'Ada', 'admin', now())`.execute(db)
  await sql`INSERT INTO approvals (approval_id, action, subject_kind, subject_id, tenant, request,
      reason, proposed_by, proposed_at, expires_at, status)
    VALUES ('apr_1', 'receipts.return', 'facility', ${FACILITY}, ${TENANT},
      '{"destination": "IBAN of Quirinius"}', 'for Quirinius', 'opr_1', now(),
      now() + interval '1 day', 'PENDING')`.execute(db)
  await act(db, undefined, { days: 1 })
  await act(db, ['borrower', BORROWER], { blocked: false })
  await act(db, ['facility', FACILITY], { deep: { destination: 'IBAN of Quirinius' }, kept: 7 })
  return database
}

const seal = async (db: Db) =>
  await runMigrations(db, await migrations(SEALED), { sealer: testSealer })

const record = async (db: Db) =>
  (await sql`SELECT * FROM operator_actions ORDER BY number`.execute(db)).rows

describe('the record of operators is written anew', () => {
  let database: Awaited<ReturnType<typeof openBefore>>
  let db: Db
  beforeEach(async () => {
    database = await openBefore()
    db = database.db
    return () => database[Symbol.asyncDispose]()
  })

  test('it holds no clear text about a borrower, begins with the old end, and reads as before', async () => {
    const before = await record(db)
    const { rows } = await sql<{ hash: string }>`
      SELECT encode(last_hash, 'hex') AS hash FROM operator_trail`.execute(db)
    await seal(db)
    const [first, ...after] = await record(db)
    expect(first).toMatchObject({
      ...{ number: 0n, action: 'migrate' },
      after: { former_last_number: 3, former_last_hash: rows[0]?.hash },
    })
    expect(after).toHaveLength(before.length)
    const { rows: stored } = await sql<{ row: string }>`
      SELECT to_jsonb(a)::text AS row FROM operator_actions a WHERE borrower_id IS NOT NULL
      UNION ALL SELECT to_jsonb(a)::text FROM approvals a`.execute(db)
    expect(stored).toHaveLength(3)
    expect(stored.map(({ row }) => row).join()).not.toContain('Quirinius')
    expect(await readOperatorActions(db, {}, 10)).toMatchObject([
      {
        ...{ number: 3n, reason: 'because of Quirinius' },
        after: { deep: { destination: 'IBAN of Quirinius' }, kept: 7 },
      },
      { number: 2n, reason: 'because of Quirinius' },
      { number: 1n, reason: 'because of Quirinius' },
      { number: 0n },
    ])
    expect(await listApprovals(db, new Date(), 10)).toMatchObject([{ reason: 'for Quirinius' }])
    expect(await findViolations(db)).toEqual([])
    const { rows: unblocked } = await sql`SELECT unblocked_at FROM borrowers`.execute(db)
    expect(unblocked).toEqual([{ unblocked_at: new Date('2026-11-20T12:00:00.000Z') }])
  })

  test.each([
    [
      'a byte of a sealed text',
      `UPDATE operator_actions SET reason = reason || 'A' WHERE number = 2`,
    ],
    ['the first row', `UPDATE operator_actions SET after = '{}' WHERE number = 0`],
    ['the first row, gone', 'DELETE FROM operator_actions WHERE number = 0'],
  ])('%s that was changed is found', async (_what, change) => {
    await seal(db)
    await sql.raw(change).execute(db)
    expect(JSON.stringify(await findViolations(db))).toMatch(/operator action \d/)
  })

  test('one that is cut off leaves everything as it was, and starts over', async () => {
    const before = await record(db)
    const broken = {
      ...testSealer,
      open: () => {
        throw new Error('killed')
      },
    }
    await expect(runMigrations(db, await migrations(SEALED), { sealer: broken })).rejects.toThrow(
      'killed',
    )
    expect(await record(db)).toEqual(before)
    await seal(db)
    expect(await findViolations(db)).toEqual([])
  })

  test('without encryption keys it is refused, and says which setting is missing', async () => {
    await expect(runMigrations(db, await migrations(SEALED), {})).rejects.toThrow('ENCRYPTION_KEYS')
  })

  test('a digest takes the place of nothing that an erased borrower has not used', async () => {
    await seal(db)
    const digest = (borrower: string, text: string) =>
      sql`SELECT digest_used(${TENANT}, ${borrower}, '{wire}', ${[text]}::text[])`.execute(db)
    const one = `erased.${'0'.repeat(64)}`
    await expect(digest(BORROWER, one)).rejects.toThrow('erased borrower')
    await sql`UPDATE borrower_keys SET sealed_key = NULL, erased_at = now()`.execute(db)
    await digest(BORROWER, one)
    await expect(digest(BORROWER, 'another wire')).rejects.toThrow('erased borrower')
    await expect(digest('bor_2', one)).rejects.toThrow('erased borrower')
  })

  test('the service may write the record and never change it', async () => {
    await seal(db)
    const role = inject('appRole')
    await grantAppRole(db, { name: role, password: undefined })
    const { rows } = await sql`
      SELECT has_table_privilege(${role}, 'operator_actions', 'INSERT') AS may_write,
        has_table_privilege(${role}, 'operator_actions', 'UPDATE, DELETE, TRUNCATE')
          OR has_any_column_privilege(${role}, 'operator_actions', 'UPDATE') AS may_change`.execute(
      db,
    )
    expect(rows).toEqual([{ may_write: true, may_change: false }])
  })
})
