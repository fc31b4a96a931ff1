import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isLockTimeout } from './errors.ts'
import { type MigrationOptions, retryForLocks } from './run-migrations.ts'

/** Partitioned by month: the event log, which is dropped by the month, and what is kept for good. */
const MONTHLY = [
  'events',
  'deliveries',
  'delivery_attempts',
  'journal',
  // Before the decisions that refer to them.
  'margin_evaluations',
  'margin_decisions',
] as const

const MONTHS_AHEAD = 3

/** For some twelve seconds. */
const PATIENCE = { attempts: 8, pauseMs: 100 }

/**
 * Makes the months that are missing, from last month to three months ahead of `today`, which is real
 * time. Each is a transaction of its own that waits 100 ms for a lock and is repeated: a transaction that writes
 * queues behind that wait. Leaves out months of the event log that ended at or before `keepAfter`.
 */
export async function makeMonths(
  db: Db,
  today: Date,
  keepAfter: Date,
  patience: MigrationOptions = PATIENCE,
): Promise<void> {
  const { rows } = await sql<{ base: string; month: Date }>`
    SELECT base, month FROM unnest(${[...MONTHLY]}::text[]) WITH ORDINALITY AS bases (base, place)
    CROSS JOIN LATERAL (
      SELECT (date_trunc('month', ${today}::timestamptz AT TIME ZONE 'UTC')
              + make_interval(months => ahead)) AT TIME ZONE 'UTC' AS month
      FROM generate_series(-1, ${MONTHS_AHEAD}::int) AS ahead
    ) months
    WHERE to_regclass(format('%I', base || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'))) IS NULL
      AND (base NOT IN ('events', 'deliveries', 'delivery_attempts')
           OR month + interval '1 month' > least(${keepAfter}::timestamptz, now()))
    ORDER BY month, place`.execute(db)
  for (const { base, month } of rows) {
    const make = () => sql`SELECT make_month(${base}, ${month})`.execute(db)
    await retryForLocks(`a month of ${base}`, make, patience)
  }
}

/**
 * Drops the months of the event log that ended at or before `keepAfter`, oldest first; by the
 * database's own clock a month must have ended. One that is being read stays, with those after it:
 * gives the names of the tables that have stayed, to be dropped by a later call.
 */
export async function dropMonths(db: Db, keepAfter: Date): Promise<{ inUse: string[] }> {
  try {
    for (;;) {
      const { rows } = await sql<{ dropped: boolean }>`
        SELECT drop_month(${keepAfter}) AS dropped`.execute(db)
      if (!rows[0]?.dropped) return { inUse: [] }
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return { inUse: await selectEndedMonths(db, keepAfter) }
  }
}

/** The tables that `drop_month` would drop. */
async function selectEndedMonths(db: Db, keepAfter: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT child.relname AS name FROM pg_inherits
    JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
      -- CASE: the planner may look at this before it knows which tables are months.
      AND CASE WHEN child.relname ~ '_[0-9]{4}_[0-9]{2}$'
        THEN to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
             + interval '1 month' END <= least(${keepAfter}::timestamptz, now())
    ORDER BY 1`.execute(db)
  return rows.map((row) => row.name)
}
