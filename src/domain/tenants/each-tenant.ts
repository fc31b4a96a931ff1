import { isDistributed } from '../../db/cluster/distribution.ts'
import type { Db } from '../../db/database.ts'
import { purge } from '../../db/sql/purge.ts'
import type { TenantScope } from '../../db/tenant-scope.ts'
import { type AgedTable, deleteAgedRows } from './aged-queries.ts'
import { selectAbsentTenants, selectTenantIds } from './queries.ts'

/** All tenants at once on one server, one by one on a distributed database. */
export async function listScopes(db: Db): Promise<readonly TenantScope[]> {
  return (await isDistributed(db)) ? await selectTenantIds(db) : [undefined]
}

/** As listScopes, without the tenants of nodes that are away. */
export async function listPresentScopes(db: Db): Promise<readonly TenantScope[]> {
  return (await isDistributed(db)) ? await selectPresentIds(db) : [undefined]
}

export async function selectPresentIds(db: Db): Promise<string[]> {
  const absent = new Set((await selectAbsentTenants(db)).map(({ tenantId }) => tenantId))
  return (await selectTenantIds(db)).filter((tenantId) => !absent.has(tenantId))
}

/** As listPresentScopes, but of tenants only those that `find` gives, if every node answers. */
export async function findScopes(
  db: Db,
  find: () => Promise<readonly string[]>,
): Promise<readonly TenantScope[]> {
  if (!(await isDistributed(db))) return [undefined]
  if (await isNodeAway(db)) return await selectPresentIds(db)
  return await find().catch(() => selectPresentIds(db))
}

/** Rows of all tenants, read together; while a node is away, of each tenant that answers. */
export async function readPresent<Row>(
  db: Db,
  read: (tenantId: TenantScope) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (!(await isDistributed(db))) return await read(undefined)
  if (!(await isNodeAway(db))) {
    const all = await read(undefined).catch(() => undefined)
    if (all) return all
  }
  const found = await Promise.allSettled((await selectPresentIds(db)).map(read))
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

const isNodeAway = async (db: Db) => (await selectAbsentTenants(db)).length > 0

/** The sum over all scopes. A tenant that cannot be served holds up no other; the first failure is
 * thrown at the end. */
export async function sumScopes<Scope extends TenantScope>(
  scopes: readonly Scope[],
  serve: (tenantId: Scope) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = []
  let sum = 0
  for (const tenantId of scopes) {
    try {
      sum += await serve(tenantId)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return sum
}

export type PurgePage = { tenantId: TenantScope; limit: number }

export async function purgeTenants(
  db: Db,
  deleteSome: (page: PurgePage) => Promise<number>,
): Promise<number> {
  const scopes = await listPresentScopes(db)
  return await sumScopes(scopes, (tenantId) => purge((limit) => deleteSome({ tenantId, limit })))
}

export async function purgeAged(db: Db, table: AgedTable, before: Date): Promise<number> {
  return await purgeTenants(db, (page) => deleteAgedRows(db, table, before, page))
}

/** Rows that a statement is given, as it may be given them: together, or those of each tenant. */
export async function inScopes<Row extends { tenantId: string }>(
  db: Db,
  rows: readonly Row[],
): Promise<(readonly Row[])[]> {
  if (!(await isDistributed(db))) return [rows]
  return [...Map.groupBy(rows, ({ tenantId }) => tenantId).values()]
}
