import { type Db, findRoot, type ReadDb } from '../database.ts'

const known = new WeakMap<Db, Promise<boolean>>()

/** Whether the tables are spread over the nodes of a Citus cluster. Read once: `cli distribute`
 * refuses to run beside the service. */
export function isDistributed(db: Db | ReadDb): Promise<boolean> {
  const root = findRoot(db)
  const found = known.get(root)
  if (found) return found
  const reading = readDistributed(db)
  known.set(root, reading)
  // A store that does not answer yet is asked again.
  reading.catch(() => known.delete(root))
  return reading
}

async function readDistributed(db: Db): Promise<boolean> {
  const row = await db.selectFrom('stack').select('distributed_at').executeTakeFirst()
  return row !== undefined && row.distributed_at !== null
}
