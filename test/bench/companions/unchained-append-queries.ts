import type { Tx } from '../../../src/db/database.ts'
import * as queries from '../../../src/domain/events/append-queries.ts'

export const { insertEvents, lockCounter, raiseVersions } = queries

export async function takeRecordsAndLock(tx: Tx, tenantId: string) {
  return { ...(await queries.lockCounter(tx, tenantId)), records: {} }
}
