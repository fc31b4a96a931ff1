import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'

/** An approved facility as rows, without the life that would have led to it. */
export type FacilityRows = {
  positions: Readonly<Record<string, bigint>>
  /** What the custodian has answered, where the tenant's source is the custodian. */
  custodian?: Readonly<Record<string, bigint>> | undefined
  principalCents: bigint
  interestNumerator?: bigint
  interestPaidCents?: bigint
  accruedAt: Date
  noticedLtvPpm?: bigint
  /** The deadline of its open warning, of tier 1. */
  warnedUntil?: Date | undefined
}

/** Writes one facility each; gives their ids in the same order. */
export async function insertFacilities(
  db: Db,
  tenantId: string,
  facilities: readonly FacilityRows[],
): Promise<string[]> {
  const rows = facilities.map((facility) => ({
    ...facility,
    id: newId('fac'),
    borrowerId: newId('bor'),
  }))
  const text = (units: Readonly<Record<string, bigint>>) =>
    JSON.stringify(units, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const row of rows) {
    const at = row.accruedAt
    const paid = row.interestPaidCents ?? 0n
    const booked = { tenantId, id: row.id, borrowerId: row.borrowerId }
    await sql`
      INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, eligible,
                             created_at, updated_at)
      VALUES (${tenantId}, ${row.borrowerId}, 'individual', true, 'DE', true, ${at}, ${at})
    `.execute(db)
    await setPositions(db, booked, row.positions)
    if (row.custodian) {
      await sql`
        INSERT INTO custodian_positions VALUES
          (${tenantId}, ${row.borrowerId}, ${text(row.custodian)}::jsonb, ${at})`.execute(db)
    }
    await db
      .insertInto('facilities')
      .values({
        tenant_id: tenantId,
        facility_id: row.id,
        borrower_id: row.borrowerId,
        state: 'APPROVED',
        limit_cents: 10n ** 18n,
        rate_ppm: 100_000,
        principal_cents: row.principalCents,
        interest_numerator: row.interestNumerator ?? 0n,
        interest_booked_cents: paid + 1n,
        interest_paid_cents: paid,
        accrued_at: at,
        noticed_ltv_ppm: Number(row.noticedLtvPpm ?? 0n),
        created_at: at,
        updated_at: at,
      })
      .execute()
    if (row.warnedUntil) {
      await db
        .insertInto('margin_warnings')
        .values({
          tenant_id: tenantId,
          facility_id: row.id,
          number: 1,
          tier: 1,
          status: 'OPEN',
          raised_at: at,
          ltv_at_raise: '0.700001',
          cure_deadline: row.warnedUntil,
        })
        .execute()
    }
  }
  return rows.map(({ id }) => id)
}

/** Replaces what a borrower holds by a snapshot of this very moment. */
export async function setPositions(
  db: Db,
  { tenantId, borrowerId }: { tenantId: string; borrowerId: string },
  positions: Readonly<Record<string, bigint>>,
): Promise<void> {
  const units = Object.entries(positions).map(([asset, held]) => [asset, String(held)])
  const text = JSON.stringify(Object.fromEntries(units))
  await sql`
    INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
    VALUES (${tenantId}, ${borrowerId}, 1, decode(repeat('00', 32), 'hex'), ${text}::jsonb,
            '2026-11-20T00:00:00Z')
    ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET positions = excluded.positions
  `.execute(db)
}

/** Replaces all accepted rounds: prices in 10^-8 USD, so many milliseconds before `now` each. */
export async function setRounds(
  db: Db,
  now: Date,
  rounds: readonly { agoMs: number; prices: Readonly<Record<string, bigint>> }[],
): Promise<void> {
  await db.deleteFrom('price_rounds').execute()
  for (const { agoMs, prices } of rounds) {
    const at = addMs(now, -agoMs)
    const printed = Object.entries(prices).map(([asset, price]) => [
      asset,
      { price: String(price), at: at.toISOString() },
    ])
    await sql`
      INSERT INTO price_rounds (accepted_at, prices, sources)
      VALUES (${at}, ${JSON.stringify(Object.fromEntries(printed))}::jsonb, '{}')`.execute(db)
  }
}
