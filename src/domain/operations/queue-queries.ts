import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Work that is ready, by class, each counted to `most`. */
export async function countReady(
  db: Db,
  ranks: readonly number[],
  most: number,
): Promise<{ rank: number; ready: number }[]> {
  // @plan reads work: as many as are counted, which is bounded for each class.
  // @across tenants: how much waits in all.
  const counts = ranks.map(
    (rank) => sql`SELECT ${rank}::int AS rank, count(*)::int AS ready FROM (
      SELECT tenant_id FROM work WHERE ready AND priority = ${rank} LIMIT ${most}) AS found`,
  )
  const { rows } = await sql<{ rank: number; ready: number }>`${sql.join(
    counts,
    sql` UNION ALL `,
  )}`.execute(db)
  return rows
}

/** Work that a worker holds now: its lease ends within `leaseMs`. */
export async function countRunning(db: Db, now: Date, leaseEnd: Date): Promise<number> {
  // @across tenants: how much runs in all.
  // @plan reads work: what runs now, and what is retried within half a minute.
  const { rows } = await sql<{ running: number }>`
    SELECT count(*)::int AS running FROM work
    WHERE NOT ready AND lease IS NOT NULL
      AND greatest(due_at, held_until) BETWEEN ${now} AND ${leaseEnd}`.execute(db)
  return rows[0]?.running ?? 0
}

export async function selectHeartbeat(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('worker_heartbeat').select('beaten_at').executeTakeFirst()
  return row?.beaten_at
}
