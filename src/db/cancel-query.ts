import pg from 'pg'

const CONNECT_MS = 5_000

/**
 * Has the server give up the statement that its session `pid` runs, if any; resolves once it has been
 * told. On a connection of its own: the pool may have none left.
 */
export async function cancelQuery(connectionString: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  // What kills the connection must find somebody who listens, or it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT pg_cancel_backend($1)', [pid])
  } finally {
    await client.end()
  }
}
