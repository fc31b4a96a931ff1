import { sql } from 'kysely'
import { createDatabase, type Db, inTransaction, toDatabase } from '../../../src/db/database.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { LOOKS_SEALED } from '../../support/stores/sealer.ts'
import { addSignatory } from '../../support/world/tenants.ts'
import { addWebhooks } from '../data/webhook-data.ts'

export type CrashTenant = { tenantId: string; keyId: string }

export type CrashDay = {
  privateKeyPem: string
  tenants: CrashTenant[]
  /** Healthy at the bottom of the fall too, and so what draws and pushes are made on. */
  healthy: CrashFacility[]
  all: CrashFacility[]
}

export type CrashFacility = CrashTenant & { facilityId: string; borrowerId: string }

export type CrashSizes = { facilities: number; tenants: number }

/**
 * Facilities of one bitcoin each, healthy at 100,000 USD, with everything in the books that they would
 * have had from a draw of today. At 70,000 USD, of five one is above a loan-to-value of 0.83, spread
 * up to 0.95; two are between 0.70 and 0.83; and two below 0.70.
 */
export async function seedCrashDay(
  db: Db,
  { host, port }: { host: string; port: number },
  sizes: CrashSizes,
) {
  const keyPair = generateKeyPair()
  const { privateKeyPem } = keyPair
  const tenants: CrashTenant[] = []
  for (let at = 0; at < sizes.tenants; at += 1) {
    const tenant = await addSignatory(db, `Crash ${at}`, keyPair)
    await inTransaction(db, (tx) => addWebhooks(tx, tenant.tenantId, port, 1, host))
    tenants.push(tenant)
  }
  await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    const tenantIds = tenants.map(({ tenantId }) => tenantId)
    await sql`
      CREATE TEMP TABLE crowd ON COMMIT DROP AS
      SELECT n, (${tenantIds}::text[])[n % ${sizes.tenants}::int + 1] AS tenant_id,
        'bor_' || lpad(n::text, 26, '0') AS borrower_id,
        'fac_' || lpad(n::text, 26, '0') AS facility_id,
        'drw_' || lpad(n::text, 26, '0') AS draw_id,
        CASE n % 5 WHEN 0 THEN 5750000 + n * 7919::bigint % 650000
                   WHEN 1 THEN 4850000 + n * 7919::bigint % 700000
                   WHEN 2 THEN 4850000 + n * 7919::bigint % 700000
                   ELSE 2000000 + n * 7919::bigint % 800000 END AS cents,
        date_trunc('milliseconds', now()) AS at
      FROM generate_series(1, ${sizes.facilities}::int) AS n`.execute(tx)
    for (const statement of STATEMENTS) await sql.raw(statement).execute(tx)
  })
  const connectionString = toDatabase(db).source.address ?? ''
  await using patient = createDatabase({ connectionString, maxConnections: 1, limitMs: 0 })
  await sql`SET statement_timeout = 0`.execute(patient)
  await sql`VACUUM (ANALYZE)`.execute(patient)
  const facilities = Array.from({ length: sizes.facilities }, (_, at) =>
    facilityOf(at + 1, tenants),
  )
  return { privateKeyPem, tenants, all: facilities, healthy: facilities.filter(isHealthy) }
}

function facilityOf(n: number, tenants: readonly CrashTenant[]): CrashFacility {
  const body = String(n).padStart(26, '0')
  const tenant = tenants[n % tenants.length]
  if (!tenant) throw new Error('no tenants')
  return { ...tenant, facilityId: `fac_${body}`, borrowerId: `bor_${body}` }
}

const isHealthy = (_: CrashFacility, at: number) => (at + 1) % 5 >= 3

/** As many satoshis as an account of the vendors' books holds. */
export const accountOf = (n: number) => `account-${n}`

/** In the tables' own terms; the floor is that of the debt at a loan-to-value of 0.70. */
const STATEMENTS = [
  `INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, eligible,
                          created_at, updated_at)
   SELECT tenant_id, borrower_id, 'individual', true, 'DE', true, at, at FROM crowd`,
  `INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
   SELECT tenant_id, borrower_id, 1, decode(repeat('00', 32), 'hex'), '{"BTC":"100000000"}', at
   FROM crowd`,
  `INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
     custody_account, principal_cents, accrued_at, custodian_floor_cents, custodian_sequence,
     floor_sequence, floor_pushed_cents, floor_pushed_at, created_at, updated_at, decisioned_at)
   SELECT tenant_id, facility_id, borrower_id, 'APPROVED', 10000000, 100000, 'account-' || n, cents,
     at, ceil(cents / 0.7), 1, 1, ceil(cents / 0.7), at, at, at, at FROM crowd`,
  `UPDATE borrowers b SET latest_facility_id = c.facility_id FROM crowd c
   WHERE b.tenant_id = c.tenant_id AND b.borrower_id = c.borrower_id`,
  `INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
                      destination, reference, requested_at, completed_at)
   SELECT tenant_id, draw_id, facility_id, 'COMPLETED', 'USD', cents, cents, '${LOOKS_SEALED}', 'paid-' || n,
     at, at FROM crowd`,
  `INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
   SELECT tenant_id, facility_id, draw_id, at, cents FROM crowd`,
  `INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
   SELECT tenant_id, facility_id, 'draw/' || draw_id FROM crowd`,
  `INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
   SELECT tenant_id, facility_id, 'draw/' || draw_id, 'draw', '{loans_receivable,bank}', '{USD,USD}',
     ARRAY[cents, -cents], at FROM crowd`,
  `INSERT INTO unbound_records SELECT tenant_id, facility_id, record_of(j) FROM journal j`,
  // Their events are older than retention: what is left of these is how many there were.
  `INSERT INTO resource_versions (tenant_id, resource_type, resource_id, version)
   SELECT tenant_id, 'borrower', borrower_id, 1 FROM crowd
   UNION ALL SELECT tenant_id, 'facility', facility_id, 2 FROM crowd
   UNION ALL SELECT tenant_id, 'draw', draw_id, 1 FROM crowd`,
]
