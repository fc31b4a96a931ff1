import type { Db } from '../db/database.ts'

/** The prices that a tenant's tests have set. */
export async function selectSandboxPrices(db: Db, tenantId: string) {
  return await db
    .selectFrom('sandbox_prices')
    .select(['asset', 'price'])
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Sets a tenant's price of an asset, or takes it back to the market where `price` is undefined. */
export async function putSandboxPrice(
  db: Db,
  tenantId: string,
  asset: string,
  price: bigint | undefined,
  now: Date,
): Promise<void> {
  if (price === undefined) {
    await db
      .deleteFrom('sandbox_prices')
      .where('tenant_id', '=', tenantId)
      .where('asset', '=', asset)
      .execute()
    return
  }
  await db
    .insertInto('sandbox_prices')
    .values({ tenant_id: tenantId, asset, price, set_at: now })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'asset']).doUpdateSet({ price, set_at: now }),
    )
    .execute()
}
