import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** `name` is the tenant's own id of a borrower or facility, or the name of a tenant. */
export type Named = { id: string; name: string }

/** Selects those of these borrowers and facilities to which the tenant has given an id. */
export async function selectExternalIds(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Named[]> {
  const { rows } = await sql<Named>`
    SELECT borrower_id AS id, external_id AS name FROM borrowers
    WHERE tenant_id = ${tenantId} AND borrower_id = ANY (${ids}::text[])
      AND external_id IS NOT NULL
    UNION ALL
    SELECT facility_id, external_id FROM facilities
    WHERE tenant_id = ${tenantId} AND facility_id = ANY (${ids}::text[])
      AND external_id IS NOT NULL`.execute(db)
  return rows
}

/** Selects as `selectExternalIds` does, for several tenants. Keys and ids are `ten_…/fac_…` or `ten_…/bor_…`. */
export async function selectExternalIdsOfAll(db: Db, keys: readonly string[]): Promise<Named[]> {
  // @across tenants: operators see those of all.
  const of = (place: number) => keys.map((key) => key.split('/')[place] ?? '')
  const asked = sql`unnest(${of(0)}::text[], ${of(1)}::text[]) AS a (tenant_id, id)`
  const { rows } = await sql<Named>`
    SELECT b.tenant_id || '/' || b.borrower_id AS id, b.external_id AS name FROM ${asked}
    JOIN borrowers b ON b.tenant_id = a.tenant_id AND b.borrower_id = a.id
    WHERE b.external_id IS NOT NULL
    UNION ALL
    SELECT f.tenant_id || '/' || f.facility_id, f.external_id FROM ${asked}
    JOIN facilities f ON f.tenant_id = a.tenant_id AND f.facility_id = a.id
    WHERE f.external_id IS NOT NULL`.execute(db)
  return rows
}

/** Borrowers, then facilities, whose external id begins so: at most `limit` of each. */
export async function selectByNameStart(
  db: Db,
  tenantId: string,
  start: string,
  limit: number,
): Promise<Named[]> {
  // @plan reads borrowers, facilities: a tenant's external ids are scanned for those that begin so.
  const { rows } = await sql<Named>`
    (SELECT borrower_id AS id, external_id AS name FROM borrowers
     WHERE tenant_id = ${tenantId} AND external_id IS NOT NULL
       AND starts_with(external_id, ${start})
     ORDER BY external_id LIMIT ${limit})
    UNION ALL
    (SELECT facility_id, external_id FROM facilities
     WHERE tenant_id = ${tenantId} AND external_id IS NOT NULL
       AND starts_with(external_id, ${start})
     ORDER BY external_id LIMIT ${limit})`.execute(db)
  return rows
}

export async function selectTenantNames(db: Db, tenantIds: readonly string[]): Promise<Named[]> {
  // @across tenants: operators see the names of all.
  return await db
    .selectFrom('tenants')
    .select(['tenant_id as id', 'name'])
    .where('tenant_id', 'in', tenantIds)
    .execute()
}
