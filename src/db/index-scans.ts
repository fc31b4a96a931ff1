import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { ROWS_WITH_NEXT } from './known-statements.ts'

/** For the rest of the transaction rows are found through an index wherever there is one. For a queue: its
 * statistics are of when it was short, and a plan of then reads all of a long one. */
export async function scanIndexesOnly(tx: Tx): Promise<void> {
  await sql`
    ${sql.raw(ROWS_WITH_NEXT)}
    SELECT set_config('enable_seqscan', ${'off'}, true), set_config('enable_bitmapscan', ${'off'}, true)
  `.execute(tx)
}
