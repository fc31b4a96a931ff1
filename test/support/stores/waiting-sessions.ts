import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../../../src/db/database.ts'

/** How many sessions of this database wait for a lock at this moment. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: bigint }>`
    SELECT count(DISTINCT pid) AS waiting FROM pg_locks WHERE NOT granted AND pid IN
      (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`.execute(db)
  return Number(rows[0]?.waiting)
}

/** How many sessions of this database sleep, as a statement has asked them to. */
export async function countAsleep(db: Db): Promise<number> {
  const { rows } = await sql<{ asleep: bigint }>`
    SELECT count(*) AS asleep FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'PgSleep'`.execute(db)
  return Number(rows[0]?.asleep)
}

/** Resolves once a session of this database waits for a lock. */
export async function untilOneWaits(db: Db): Promise<void> {
  await vi.waitFor(async () => expect(await countWaiting(db)).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 20,
  })
}
