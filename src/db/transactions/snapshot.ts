import { sql } from 'kysely'
import { cancelQuery } from '../connections/cancel-query.ts'
import { type Db, type Tx, toDatabase } from '../database.ts'
import { repeated } from './repeated.ts'
import { transact } from './transaction.ts'

const BEGIN = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** All of `read` sees one instant, and locks nothing that a writer waits for. At most `seconds` a
 * statement; `signal` cancels the statement at the server and its reason is thrown. */
export async function inSnapshot<T>(
  db: Db,
  { seconds, signal }: { seconds?: number; signal?: AbortSignal | undefined },
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  const root = toDatabase(db)
  return await repeated(async () => {
    const session = await root.openSession(root.source.connections)
    return await transact(root, session, { begin: BEGIN }, async (tx) => {
      if (seconds !== undefined) tx.limitStatements(seconds)
      return signal ? await readUntil(signal, tx, read) : await read(tx)
    })
  })
}

// Kysely's cancelling sends the rollback first, and names a session id that a pooler invents.
async function readUntil<T>(signal: AbortSignal, tx: Tx, read: (tx: Tx) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
  let cancelled: Promise<void> | undefined
  const cancel = () => {
    // If that fails the statement ends at its time limit.
    cancelled = cancelSession(tx, rows[0]?.pid).catch(() => undefined)
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

async function cancelSession({ root }: Tx, pid: number | undefined): Promise<void> {
  const { address } = root.source
  if (address !== undefined && pid !== undefined) await cancelQuery(address, pid)
}
