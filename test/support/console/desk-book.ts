import { sql } from 'kysely'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { insertFacilities } from '../lending/facility-rows.ts'
import { openTenant } from '../lending/onboarding.ts'
import type { ConsoleApi } from './console-api.ts'

const BTC = 10n ** 8n
const ETH = 10n ** 18n
const USDC = 10n ** 6n

/** Debt in dollars, collateral, country, tier of the open warning. */
const LOANS = [
  { dollars: 24_000n, positions: { BTC }, country: 'DE' },
  { dollars: 43_500n, positions: { BTC }, country: 'DE' },
  { dollars: 61_250n, positions: { BTC, USDC: 15_000n * USDC }, country: 'FR' },
  { dollars: 8_400n, positions: { ETH: 4n * ETH }, country: 'IN' },
  { dollars: 70_000n, positions: { BTC }, country: 'US', tier: 1 },
  { dollars: 75_100n, positions: { BTC }, country: 'US', tier: 2 },
  { dollars: 79_000n, positions: { BTC }, country: 'DE', tier: 3 },
  { dollars: 3_900n, positions: { ETH }, country: 'FR' },
  { dollars: 0n, positions: { BTC }, country: 'GB' },
]

/** A tenant whose facilities have ratios, assets, countries and tiers of each kind. Its rows are
 * not evaluated: nothing asks for it. */
export async function furnishBook({ db, resources }: ConsoleApi): Promise<string> {
  const now = resources.clock()
  const tenantId = await openTenant(db, now)
  await sql`UPDATE tenants SET name = 'Meridian Credit' WHERE tenant_id = ${tenantId}`.execute(db)
  const ids = await insertFacilities(
    db,
    tenantId,
    LOANS.map(({ dollars, positions, tier }) => ({
      ...{ positions, principalCents: dollars * 100n, accruedAt: addMs(now, -24 * HOUR_MS) },
      warnedUntil: tier === undefined ? undefined : addMs(now, 9 * HOUR_MS),
    })),
  )
  for (const [at, { country, tier }] of LOANS.entries()) {
    const id = ids[at] ?? ''
    await sql`UPDATE facilities SET limit_cents = principal_cents + 2500000
      WHERE facility_id = ${id}`.execute(db)
    await sql`UPDATE borrowers SET residency_country = ${country}
      WHERE borrower_id = (SELECT borrower_id FROM facilities WHERE facility_id = ${id})`.execute(
      db,
    )
    await sql`UPDATE margin_warnings SET tier = ${tier ?? 1} WHERE facility_id = ${id}`.execute(db)
  }
  return tenantId
}
