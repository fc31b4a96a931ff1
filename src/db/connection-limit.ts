import pg from 'pg'

const CONNECT_MS = 5_000

/** How many connections PostgreSQL has for roles like this one. Undefined behind a pooler, which
 * shares them between more. */
export async function readConnectionLimit(connectionString: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  // An error without a listener would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; free: number }>(`
      SELECT pg_backend_pid() AS pid, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int AS free`)
    const { processID } = client as unknown as { processID: number | null }
    // A pooler invents the number that it gives its client.
    return rows[0]?.pid === processID ? rows[0]?.free : undefined
  } finally {
    await client.end()
  }
}
