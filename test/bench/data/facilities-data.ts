import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { makeBorrowerKey, openBorrowerKey } from '../../../src/core/personal-text.ts'
import { type Db, findSealer, inTransaction } from '../../../src/db/database.ts'
import { removeTenants } from '../../support/stores/remove-tenants.ts'
import { seedWebhooks } from './webhook-data.ts'

const BATCH = 10_000

/** What is pushed of a borrower. */
export const POSITIONS = [
  { asset: 'BTC', quantity: '1.5' },
  { asset: 'ETH', quantity: '20.25' },
  { asset: 'USDC', quantity: '2500' },
]

/**
 * A tenant with one webhook and `count` approved facilities: each holds BTC, ETH and USDC worth
 * about 140,000 USD at the prices of `acceptRounds`, against a debt of about 60,000.
 */
export async function seedFacilities(db: Db, count: number): Promise<void> {
  const { tenantId } = await seedWebhooks(db, 1, 1)
  await addFacilities(db, tenantId, count)
}

/** Empties the house, opens `count` facilities and has the statistics fresh. */
export async function seedBook(db: Db, count: number): Promise<void> {
  await removeTenants(db, 'price_rounds')
  await seedFacilities(db, count)
  await sql`VACUUM (ANALYZE) borrowers, facilities, portfolios`.execute(db)
  await sql`CHECKPOINT`.execute(db)
}

/** The same over many tenants, in forty countries; three of five facilities are warned. */
export async function seedTenantsBook(
  db: Db,
  { facilities, tenants }: { facilities: number; tenants: number },
): Promise<void> {
  await removeTenants(db, 'price_rounds')
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    await seedFacilities(db, facilities / tenants)
  }
  await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    await sql`
      UPDATE borrowers SET residency_country =
        chr(65 + abs(hashtext(borrower_id)) % 2) || chr(65 + abs(hashtext(borrower_id)) % 20)
    `.execute(tx)
    await sql`
      INSERT INTO margin_warnings (tenant_id, facility_id, number, tier, status, raised_at,
                                   ltv_at_raise, cure_deadline)
      SELECT tenant_id, facility_id, 1, 1 + abs(hashtext(facility_id)) % 3, 'OPEN', now(),
        '0.710000', now() + interval '2 days'
      FROM facilities WHERE abs(hashtext(facility_id)) % 5 < 3`.execute(tx)
  })
  await sql`VACUUM (ANALYZE) borrowers, facilities, portfolios, margin_warnings`.execute(db)
  await sql`CHECKPOINT`.execute(db)
}

export type SeededFacility = { facilityId: string; borrowerId: string }

/** The same for a tenant that is there. */
export async function addFacilities(
  db: Db,
  tenantId: string,
  count: number,
): Promise<SeededFacility[]> {
  const now = new Date()
  const added: SeededFacility[] = []
  for (let written = 0; written < count; written += BATCH) {
    const size = Math.min(BATCH, count - written)
    const borrowerIds = Array.from({ length: size }, () => newId('bor'))
    const facilityIds = Array.from({ length: size }, () => newId('fac'))
    await inTransaction(db, async (tx) => {
      await sql`
        INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country,
                               eligible, created_at, updated_at)
        SELECT ${tenantId}, id, 'individual', true, 'DE', true, ${now}, ${now}
        FROM unnest(${borrowerIds}::text[]) AS id`.execute(tx)
      await sql`
        INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
        SELECT ${tenantId}, id, 1, decode(repeat('00', 32), 'hex'),
               jsonb_build_object('BTC', (100000000 + n * 79)::text,
                                  'ETH', (9000000000000000000 + n * 1000000007)::text,
                                  'USDC', (9000000000 + n * 1047)::text), ${now}
        FROM unnest(${borrowerIds}::text[]) WITH ORDINALITY AS borrower (id, n)`.execute(tx)
      await sql`
        INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
                                principal_cents, interest_numerator, interest_booked_cents,
                                accrued_at, created_at, updated_at)
        SELECT ${tenantId}, facility_id, borrower_id, 'APPROVED', 10000000, 100000, 6000000 + n,
               123456789012345678 + n, 4, ${now}, ${now}, ${now}
        FROM unnest(${facilityIds}::text[], ${borrowerIds}::text[])
          WITH ORDINALITY AS facility (facility_id, borrower_id, n)`.execute(tx)
      await sql`
        UPDATE borrowers SET latest_facility_id = facility_id
        FROM unnest(${facilityIds}::text[], ${borrowerIds}::text[])
          AS facility (facility_id, borrower_id)
        WHERE borrowers.tenant_id = ${tenantId}
          AND borrowers.borrower_id = facility.borrower_id`.execute(tx)
    })
    added.push(
      ...facilityIds.map((facilityId, at) => ({ facilityId, borrowerId: borrowerIds[at] ?? '' })),
    )
  }
  return added
}

/** Gives each a draw that was paid out, without which nothing can be repaid. */
export async function addDraws(
  db: Db,
  tenantId: string,
  facilities: readonly SeededFacility[],
): Promise<void> {
  const now = new Date()
  const sealer = findSealer(db)
  if (!sealer) throw new Error('the database was given no encryption key')
  const keyed = facilities.map(({ borrowerId }) => {
    const sealedKey = makeBorrowerKey(sealer, { tenantId, borrowerId })
    const key = openBorrowerKey(sealer, { tenantId, borrowerId }, sealedKey)
    return { borrowerId, sealedKey, destination: key.seal('bench', 'destination') }
  })
  await sql`
    INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key)
    SELECT ${tenantId}, borrower_id, sealed_key
    FROM unnest(${keyed.map(({ borrowerId }) => borrowerId)}::text[],
                ${keyed.map(({ sealedKey }) => sealedKey)}::text[]) AS made (borrower_id, sealed_key)`.execute(
    db,
  )
  await sql`
    INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
                       destination, requested_at, completed_at)
    SELECT ${tenantId}, draw_id, facility_id, 'COMPLETED', 'USD', 6000000, 6000000, destination,
           ${now}, ${now}
    FROM unnest(${facilities.map(() => newId('drw'))}::text[],
                ${facilities.map(({ facilityId }) => facilityId)}::text[],
                ${keyed.map(({ destination }) => destination)}::text[])
      AS draw (draw_id, facility_id, destination)`.execute(db)
}

/** Rounds every ten seconds over the 70 seconds until now, the price of BTC moving a little. */
export async function acceptRounds(db: Db, btcUsd: number): Promise<void> {
  const now = Date.now()
  await sql`DELETE FROM price_rounds`.execute(db)
  for (let ago = 70; ago >= 0; ago -= 10) {
    const at = new Date(now - ago * 1_000)
    const price = (usd: number) => ({
      price: `${Math.round(usd * 100)}000000`,
      at: at.toISOString(),
    })
    const prices = { BTC: price(btcUsd + ago), ETH: price(btcUsd / 25 + ago), USDC: price(1) }
    await db
      .insertInto('price_rounds')
      .values({
        accepted_at: at,
        prices: sql`${JSON.stringify(prices)}::jsonb`,
        sources: sql`'{}'::jsonb`,
      })
      .execute()
  }
}
