import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { insertFacilities } from '../support/lending/facility-rows.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { sealOf } from '../support/lending/sealed.ts'
import { testKey } from '../support/stores/sealer.ts'

const ENCRYPTION_KEYS = `test:${testKey('test').bytes.toString('base64')}`

import { run } from './database-cli.ts'

const lending = houseForFile()
let facilityId: string

/** One of each list, of a facility that its tenant calls loan-7. */
beforeAll(async () => {
  const { db } = lending
  const now = lending.now()
  const tenantId = await openTenant(db, now)
  const loan = { positions: { BTC: 10n ** 8n }, principalCents: 50_000_00n, accruedAt: now }
  const warned = { ...loan, warnedUntil: addMs(now, HOUR_MS) }
  facilityId = (await insertFacilities(db, tenantId, [warned]))[0] ?? ''
  const of = { tenantId, facilityId }
  const note = await sealOf(db, of, 'order')
  const account = await sealOf(db, of, 'a', 'destination')
  await sql`UPDATE facilities SET external_id = 'loan-7', terms_version = 0
    WHERE facility_id = ${facilityId}`.execute(db)
  await sql`UPDATE borrowers SET external_id = 'customer-7', blocked_at = now(), blocked_reason = ${note}
    WHERE tenant_id = ${tenantId}`.execute(db)
  await sql`INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
    VALUES (${of.tenantId}, ${newId('rfd')}, ${of.facilityId}, 'refused', '{}', now())`.execute(db)
  await sql`INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
      destination, payout_sent_at, requested_at)
    VALUES (${tenantId}, ${newId('drw')}, ${facilityId}, 'PENDING', 'USD', 5, 5, ${account},
      ${addMs(now, -3 * HOUR_MS)}, ${addMs(now, -3 * HOUR_MS)})`.execute(db)
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, facility_id,
      day, found_at, written_at)
    VALUES (${tenantId}, ${newId('brk')}, 'missing_here', 'bank', 'x', ${facilityId}, '2026-11-20',
      now(), now())`.execute(db)
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units,
      cents, destination, status, refusals, created_at)
    VALUES (${tenantId}, ${newId('rfd')}, ${facilityId}, 'rep_1', 'USD', 5, 5, ${account}, 'PENDING', 1,
      now())`.execute(db)
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, reference, requested_at, reported_at, contested_transfer, undecided_since)
    VALUES (${tenantId}, ${newId('rep')}, ${facilityId}, 'REPORTED', 'USD', 5, 5, 'wire', now(), now(),
      'mt103', now())`.execute(db)
  await sql`INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, hold_kind, reason,
      started_at)
    VALUES (${tenantId}, ${facilityId}, ${newId('pau')}, 'hold', 'freeze', ${note},
      now())`.execute(db)
  await sql`INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status,
      created_at) VALUES (${tenantId}, ${facilityId}, 1, 1, 'PENDING', now())`.execute(db)
})

const cli = (command: string) =>
  run(command.split(' '), {
    env: { DATABASE_URL: lending.databaseUrl, STACK: 'sandbox', ENCRYPTION_KEYS },
    now: lending.now(),
  })

test.each([
  ['payments list', 'loan-7'],
  ['payments waiting', 'loan-7'],
  ['receipts list', 'loan-7'],
  ['breaks list', 'loan-7'],
  ['refunds list', 'loan-7'],
  ['facilities holds', 'loan-7'],
  ['margin warnings', 'loan-7'],
  ['margin calls', 'loan-7'],
  ['borrowers blocked', 'customer-7'],
  ['book exposure', 'loan-7'],
])('%s shows what the tenant calls it', async (command, name) => {
  const { out, error } = await cli(command)
  expect(error).toBe('')
  expect(out).toContain('EXTERNAL ID')
  expect(out).toContain(name)
})

test('a program reads the external id of each item, and a table of none has no column of them', async () => {
  const { out } = await cli('payments list --json')
  expect(JSON.parse(out).items).toMatchObject([{ facility_id: facilityId, external_id: 'loan-7' }])
  await sql`UPDATE facilities SET external_id = NULL`.execute(lending.db)
  const { out: table } = await cli('payments list')
  expect(table).not.toContain('EXTERNAL ID')
  expect(JSON.parse((await cli('payments list --json')).out).items).toMatchObject([
    { external_id: null },
  ])
})
