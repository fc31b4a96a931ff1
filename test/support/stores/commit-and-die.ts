import { createDatabase, type Tx, toDatabase } from '../../../src/db/database.ts'
import { transact } from '../../../src/db/transactions/transaction.ts'

/** As a process that dies after its commit, before what follows from it. */
export async function commitAndDie<T>(url: string, run: (tx: Tx) => Promise<T>): Promise<T> {
  await using db = createDatabase({ connectionString: url, maxConnections: 1 })
  const root = toDatabase(db)
  return await transact(root, await root.openSession(root.source.connections), {}, run)
}
