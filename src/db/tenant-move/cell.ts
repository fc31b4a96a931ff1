import pg from 'pg'
import { createDatabase, type Db } from '../database.ts'

/** One cell's database, as its owner reaches it: not through a pooler. */
export type Cell = AsyncDisposable & {
  db: Db
  /** Without time limits, for what takes long, and with the lock on moves. */
  client: pg.Client
}

export async function openCell(databaseUrl: string): Promise<Cell> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
  // Its end is met by the next statement.
  client.on('error', () => undefined)
  await client.connect()
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 1 })
  await client.query(`SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET statement_timeout = 0;
    SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0`)
  return {
    db,
    client,
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined)
      await db.destroy()
    },
  }
}

/** One move at a time, out of a database or into it. False where another session holds it; the
 * session's end gives it back. */
export async function lockMoves({ client }: Cell): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('tenant_moves', 0)) AS locked`,
  )
  return rows[0]?.locked ?? false
}
