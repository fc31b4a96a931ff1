import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { ROWS_WITH_NEXT } from './known-statements.ts'

/** For the rest of the transaction rows are found by keys, wherever an index has them: for a statement
 * that needs few rows of a queue. Its statistics may be of when it was short, or of all its rows. */
export async function findByKeys(tx: Tx): Promise<void> {
  await sql`
    ${sql.raw(ROWS_WITH_NEXT)}
    SELECT set_config('enable_seqscan', ${'off'}, true), set_config('enable_bitmapscan', ${'off'}, true),
           set_config('enable_hashjoin', ${'off'}, true), set_config('enable_mergejoin', ${'off'}, true)
  `.execute(tx)
}
