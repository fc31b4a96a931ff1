import pg from 'pg'
import { WITHOUT_TLS } from './connection-pool.ts'

const CONNECT_MS = 5_000

/** Resolves once the server has received it. On a connection of its own: the pool may have none. */
export async function cancelQuery(connectionString: string, pid: number): Promise<void> {
  const client = new pg.Client({
    ...WITHOUT_TLS,
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  })
  // An error without a listener would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT pg_cancel_backend($1::integer)', [pid])
  } finally {
    await client.end()
  }
}
