import { sql } from 'kysely'
import { cancelQuery } from './cancel-query.ts'
import { type Db, findAddress, type Tx } from './database.ts'
import { repeated } from './repeated.ts'

/** All of `read` sees one instant, and locks nothing that a writer waits for. At most `seconds` a
 * statement; `signal` cancels the statement at the server and its reason is thrown. */
export async function inSnapshot<T>(
  db: Db,
  { seconds, signal }: { seconds?: number; signal?: AbortSignal | undefined },
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await repeated(() =>
    snapshot.execute(async (tx) => {
      if (seconds !== undefined) {
        await sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(tx)
      }
      return signal ? await readUntil(signal, db, tx, read) : await read(tx)
    }),
  )
}

// Kysely's cancelling sends the rollback first, and names a session id that a pooler invents.
async function readUntil<T>(
  signal: AbortSignal,
  db: Db,
  tx: Tx,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
  let cancelled: Promise<void> | undefined
  const cancel = () => {
    // If that fails the statement ends at its time limit.
    cancelled = cancelSession(db, rows[0]?.pid).catch(() => undefined)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await read(tx)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    // Afterwards the session serves others, which must not be cancelled.
    await cancelled
  }
}

async function cancelSession(db: Db, pid: number | undefined): Promise<void> {
  const connectionString = findAddress(db)
  if (connectionString !== undefined && pid !== undefined) await cancelQuery(connectionString, pid)
}
