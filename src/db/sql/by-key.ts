import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { builtOnce } from '../transactions/built-once.ts'

const setKeysOnly = builtOnce(
  (_tx, { off }: { off: string }) => sql`
    SELECT set_config('enable_seqscan', ${off}, true), set_config('enable_bitmapscan', ${off}, true),
           set_config('enable_hashjoin', ${off}, true), set_config('enable_mergejoin', ${off}, true)`,
)

/** For the rest of the transaction rows are found by keys, wherever an index has them: for a statement
 * that needs few rows of a queue. Its statistics may be of when it was short, or of all its rows. */
export function findByKeys(tx: Tx): void {
  tx.send(setKeysOnly({ off: 'off' }))
}
