import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import type { Db } from '../../../src/db/database.ts'
import { waitFor } from '../process/patience.ts'

/** How many sessions of this database wait for a lock at this moment. */
export const countWaiting = (db: Db): Promise<number> =>
  countSessions(
    db,
    `SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN
      (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
  )

/** How many sessions of this database sleep, as a statement has asked them to. */
export const countAsleep = (db: Db): Promise<number> =>
  countSessions(
    db,
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'PgSleep'`,
  )

/** On a cluster what is done for a session waits on the tenant's node. */
async function countSessions(db: Db, counting: string): Promise<number> {
  const count = inject('citusNodes').length
    ? sql`SELECT sum(result::integer) AS count FROM run_command_on_all_nodes(${counting})`
    : sql.raw(counting)
  const { rows } = await sql<{ count: string | bigint }>`${count}`.execute(db)
  return Number(rows[0]?.count)
}

/** Resolves once a session of this database waits for a lock. */
export async function untilOneWaits(db: Db): Promise<void> {
  await waitFor(async () => expect(await countWaiting(db)).toBeGreaterThan(0))
}
