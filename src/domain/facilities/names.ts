import type { Db } from '../../db/database.ts'
import {
  type Named,
  selectByNameStart,
  selectExternalIds,
  selectTenantNames,
  selectTenantsByNameStart,
} from './name-queries.ts'

/** Suggestions of each kind. */
export const MOST_SUGGESTED = 8

export type NamesAsked = { of?: readonly string[] | undefined; begins?: string | undefined }

/** External ids of these borrowers and facilities, and those that begin so. */
export async function listNames(
  db: Db,
  tenantId: string,
  { of = [], begins }: NamesAsked,
): Promise<Named[]> {
  const named = of.length > 0 ? await selectExternalIds(db, tenantId, of) : []
  const begun =
    begins === undefined ? [] : await selectByNameStart(db, tenantId, begins, MOST_SUGGESTED)
  return [...named, ...begun]
}

/** Names of `ten_…` and external ids of `ten_…/fac_…`, under the ids as asked, and tenants whose names
 * begin so. */
export async function listNamesOfAll(db: Db, { of = [], begins }: NamesAsked): Promise<Named[]> {
  const names: Named[] = []
  const pairs = of.map((asked) => asked.split('/'))
  const tenantIds = pairs.flatMap(([tenantId = '', id]) => (id === undefined ? [tenantId] : []))
  if (tenantIds.length > 0) names.push(...(await selectTenantNames(db, tenantIds)))
  const held = pairs.flatMap(([tenantId = '', id]) => (id === undefined ? [] : [{ tenantId, id }]))
  for (const [tenantId, rows] of Map.groupBy(held, (one) => one.tenantId)) {
    const ids = rows.map(({ id }) => id)
    const named = await selectExternalIds(db, tenantId, ids)
    names.push(...named.map(({ id, name }) => ({ id: `${tenantId}/${id}`, name })))
  }
  if (begins !== undefined) {
    names.push(...(await selectTenantsByNameStart(db, begins, MOST_SUGGESTED)))
  }
  return names
}
