import { isDistributed } from '../../db/cluster/distribution.ts'
import { selectTenantsByNode } from '../../db/cluster/node-tenants.ts'
import type { Db } from '../../db/database.ts'
import { isConnectionLost, isStatementTimeout, sqlState } from '../../db/errors.ts'
import { tenantExists } from './queries.ts'

/** The tenants of a distributed database whose node does not answer. */
export async function findAbsent(db: Db): Promise<Set<string>> {
  if (!(await isDistributed(db))) return new Set()
  const nodes = await selectTenantsByNode(db)
  const absent = await Promise.all(
    nodes.map(async (tenantIds) => ((await answers(db, tenantIds[0] ?? '')) ? [] : tenantIds)),
  )
  return new Set(absent.flat())
}

async function answers(db: Db, tenantId: string): Promise<boolean> {
  try {
    await tenantExists(db, tenantId)
    return true
  } catch (error) {
    if (isNodeAway(error)) return false
    throw error
  }
}

/** As the coordinator reports it. Without a code the coordinator itself, or a connection, is missing. */
export function isNodeAway(error: unknown): boolean {
  return sqlState(error) !== undefined && (isConnectionLost(error) || isStatementTimeout(error))
}
