import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { ofUnseenLength } from '../../db/sql/planned-once.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

type SandboxPriceSpan = { tenantId: string; assets: readonly string[]; from: Date; until: Date }

type SandboxPriceRow = { asset: string; set_at: Date; price: bigint | null }

/** Per asset the price at `from` and those set until `until`, in order. */
export const selectSandboxPrices = builtOnce(
  (_db, { tenantId, assets, from, until }: SandboxPriceSpan) => sql<SandboxPriceRow>`
    SELECT changes.* FROM unnest(${ofUnseenLength(assets, 'text')}) AS asked (asset), LATERAL (
      (SELECT asset, set_at, price FROM sandbox_price_history
       WHERE tenant_id = ${tenantId} AND asset = asked.asset AND set_at <= ${from}
       ORDER BY set_at DESC LIMIT 1)
      UNION ALL
      SELECT asset, set_at, price FROM sandbox_price_history
      WHERE tenant_id = ${tenantId} AND asset = asked.asset AND set_at > ${from} AND set_at <= ${until}
    ) AS changes
    ORDER BY changes.set_at, changes.asset`,
)

export async function upsertSandboxPrice(
  db: Db,
  row: Insertable<Tables['sandbox_price_history']>,
): Promise<void> {
  await db
    .insertInto('sandbox_price_history')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'asset', 'set_at']).doUpdateSet({ price: row.price ?? null }),
    )
    .execute()
}

type TenantAsset = { tenantId: string; asset: string }

/** Newest first. */
export async function selectPriceChanges(
  db: Db,
  { tenantId, asset }: TenantAsset,
  until: Date,
  limit: number,
) {
  return await db
    .selectFrom('sandbox_price_history')
    .select(['set_at', 'price'])
    .where('tenant_id', '=', tenantId)
    .where('asset', '=', asset)
    .where('set_at', '<=', until)
    .orderBy('set_at', 'desc')
    .limit(limit)
    .execute()
}

/** Leaves the price in force at `before`, and the `keep` newest. */
export async function deleteSandboxPricesBefore(
  db: Db,
  { tenantId, asset }: TenantAsset,
  before: Date,
  keep: number,
): Promise<void> {
  // @plan reads sandbox_price_history: over the newest, to where the older ones begin.
  await db
    .deleteFrom('sandbox_price_history')
    .where('tenant_id', '=', tenantId)
    .where('asset', '=', asset)
    .where('set_at', '<', (query) =>
      query
        .selectFrom('sandbox_price_history')
        .select((select) => select.fn.max('set_at').as('held_at'))
        .where('tenant_id', '=', tenantId)
        .where('asset', '=', asset)
        .where('set_at', '<=', before),
    )
    .where('set_at', '<', (query) =>
      query
        .selectFrom('sandbox_price_history')
        .select('set_at')
        .where('tenant_id', '=', tenantId)
        .where('asset', '=', asset)
        .orderBy('set_at', 'desc')
        .offset(keep - 1)
        .limit(1),
    )
    .execute()
}
