import type { Tx } from '../../../src/db/database.ts'
import * as queries from '../../../src/domain/events/append-queries.ts'

/** The records stay where they are. */
export async function insertUnnumbered(tx: Tx, tenantId: string, append: queries.ToAppend) {
  await queries.insertUnnumbered(tx, tenantId, { ...append, facilityIds: [] })
}
