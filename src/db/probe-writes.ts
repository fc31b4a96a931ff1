import { sql } from 'kysely'
import { type Db, inTransaction, runInSavepoint } from './database.ts'

/** Writes a row and commits, as a change does: the disk must have room for a page, and take the commit. The row
 * itself is undone. Fails as a change would. */
export async function probeWrites(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await runInSavepoint(tx, async () => {
      tx.send(sql`INSERT INTO write_probe (filler) VALUES (repeat('.', 500))`)
      return false
    })
  })
}
