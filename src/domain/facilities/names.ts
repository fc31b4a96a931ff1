import type { Db } from '../../db/database.ts'
import {
  type Named,
  selectByNameStart,
  selectExternalIds,
  selectExternalIdsOfAll,
  selectTenantNames,
} from './name-queries.ts'

/** Suggestions of each kind. */
export const MOST_SUGGESTED = 8

type NamesAsked = { of?: readonly string[] | undefined; begins?: string | undefined }

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

/** Names of `ten_…` and external ids of `ten_…/fac_…`, under the ids as asked. */
export async function listNamesOfAll(db: Db, asked: readonly string[] = []): Promise<Named[]> {
  const tenantIds = asked.filter((id) => !id.includes('/'))
  const held = asked.filter((id) => id.includes('/'))
  return [
    ...(tenantIds.length > 0 ? await selectTenantNames(db, tenantIds) : []),
    ...(held.length > 0 ? await selectExternalIdsOfAll(db, held) : []),
  ]
}

/** Returns external ids by `ten_…/fac_…` or `ten_…/bor_…`. A key without an external id is left out. */
export async function mapExternalIds(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(keys)]
  const named = asked.length > 0 ? await selectExternalIdsOfAll(db, asked) : []
  return new Map(named.map(({ id, name }) => [id, name]))
}
