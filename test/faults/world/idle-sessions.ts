import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { isConnectionLost } from '../../../src/db/errors.ts'
import { type Disturbances, EVERYTHING } from '../disturbances.ts'

type IdleSession = { ms: number; query: string }

/** Sessions of API and worker that hold a transaction open and do nothing, and for how long now. */
async function readIdleSessions(db: Db): Promise<IdleSession[]> {
  const { rows } = await sql<IdleSession>`
    SELECT (extract(epoch FROM clock_timestamp() - state_change) * 1000)::float8 AS ms, query
    FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user
      AND state LIKE 'idle in transaction%'`.execute(db)
  return rows
}

/** Such sessions, now that all is at rest. */
export async function findIdleTransactions(db: Db): Promise<string[]> {
  const left = (await readIdleSessions(db)).filter(({ ms }) => ms > 2_000)
  return left.map(({ query }) => `a session is idle in a transaction after: ${query}`)
}

/** How long a session may do so while its process is well, in milliseconds. */
const IDLE_MS = 2_000

/**
 * Checks until stopped for idle sessions that others may have to wait for.
 * Complains of each check that finds one, and gives the longest time seen, in milliseconds.
 */
export async function watchIdleSessions(
  db: Db,
  disturbances: Disturbances,
  stop: AbortSignal,
  complain: (text: string) => void,
): Promise<number> {
  let longest = 0
  while (!stop.aborted) {
    try {
      for (const { ms, query } of await readIdleSessions(db)) {
        const now = performance.now()
        const idle = disturbances.undisturbedMs(now - ms, now, [EVERYTHING, 'api', 'worker'])
        longest = Math.max(longest, idle)
        if (idle > IDLE_MS) complain(`idle in a transaction for ${Math.round(idle)} ms: ${query}`)
      }
    } catch (error) {
      // The database may be away.
      if (!isConnectionLost(error)) complain(`the check of sessions broke off: ${error}`)
    }
    await pause(100, undefined, { signal: stop }).catch(() => undefined)
  }
  return Math.round(longest)
}
