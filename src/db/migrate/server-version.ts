import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The first with collations of its own, which the migrations use. */
const OLDEST_MAJOR_VERSION = 17

/** Throws where the server is older than the schema and the statements need, or the database has no room for
 * every name. */
export async function assertServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS number,
      current_setting('server_encoding') AS encoding`.execute(db)
  const [server] = rows
  if (server && server.number < OLDEST_MAJOR_VERSION * 10_000) {
    throw new Error(
      `the server is PostgreSQL ${server.version}, and the service needs ${OLDEST_MAJOR_VERSION} or later`,
    )
  }
  if (server && server.encoding !== 'UTF8') {
    throw new Error(
      `the database has the encoding ${server.encoding}, and the service needs UTF8: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    )
  }
}
