import pg from 'pg'

const CONNECT_MS = 5_000

/** A limit that no role has by itself. */
const OWN_LIMIT_MS = 4_999

/** How many connections PostgreSQL has for roles like this one. Undefined behind a pooler, which
 * shares them between more. */
export async function readConnectionLimit(connectionString: string): Promise<number | undefined> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: OWN_LIMIT_MS,
    query_timeout: CONNECT_MS,
  })
  // An error without a listener would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ limit: string; free: number }>(`
      SELECT current_setting('statement_timeout') AS limit, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int AS free`)
    // A pooler passes no settings of a client on.
    return rows[0]?.limit === `${OWN_LIMIT_MS}ms` ? rows[0].free : undefined
  } finally {
    await client.end()
  }
}
