import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Of a Citus cluster, the tenants of each node. Read on the coordinator, whatever node is away. */
export async function selectTenantsByNode(db: Db): Promise<string[][]> {
  const { rows } = await sql<{ tenants: string[] }>`
    SELECT array_agg(l.tenant_id) AS tenants FROM tenant_list l
    JOIN pg_dist_placement p
      ON p.shardid = get_shard_id_for_distribution_column('tenants', l.tenant_id)
    GROUP BY p.groupid`.execute(db)
  return rows.map(({ tenants }) => tenants)
}
