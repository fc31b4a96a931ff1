import type { Tx } from '../../../src/db/database.ts'
import * as queries from '../../../src/domain/events/append-queries.ts'

export const { insertEvents, lockCounter } = queries

/** Raises and locks; the records stay where they are. */
export async function raiseAndLock(tx: Tx, tenantId: string, raises: readonly queries.Raise[]) {
  return await queries.raiseAndLock(tx, tenantId, raises, [])
}
