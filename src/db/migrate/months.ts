import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isLockTimeout } from '../errors.ts'
import { type MigrationOptions, retryForLocks } from './run-migrations.ts'

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

const PATIENCE = { attempts: 8, pauseMs: 100 }

/** From last month to three months after `today` (real time), and after the database's own clock, by which
 * the append-only tables date their rows. Each waits 100 ms for a lock, because
 * writers queue behind that wait. Leaves out months that ended at or before `keepAfter`. */
export async function makeMonths(
  db: Db,
  today: Date,
  keepAfter: Date,
  patience: MigrationOptions = PATIENCE,
): Promise<void> {
  const missing = await selectMissingMonths(db, today, { from: -1, to: MONTHS_AHEAD }, keepAfter)
  for (const { base, month } of missing) {
    const make = () => sql`SELECT make_month(${base}, ${month})`.execute(db)
    await retryForLocks(`a month of ${base}`, make, patience)
  }
}

/** From so many months after `today` to so many. */
export async function selectMissingMonths(
  db: Db,
  today: Date,
  { from, to }: { from: number; to: number },
  keepAfter: Date,
): Promise<{ base: string; month: Date }[]> {
  const { rows } = await sql<{ base: string; month: Date }>`
    SELECT DISTINCT base, month, place
    FROM unnest(${[...MONTHLY]}::text[]) WITH ORDINALITY AS bases (base, place)
    CROSS JOIN unnest(ARRAY[${today}::timestamptz, now()]) AS clocks (at)
    CROSS JOIN LATERAL (
      SELECT (date_trunc('month', at AT TIME ZONE 'UTC')
              + make_interval(months => ahead)) AT TIME ZONE 'UTC' AS month
      FROM generate_series(${from}::int, ${to}::int) AS ahead
    ) months
    WHERE to_regclass(format('%I', base || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM'))) IS NULL
      AND (base NOT IN ('events', 'deliveries', 'delivery_attempts')
           OR month + interval '1 month' > least(${keepAfter}::timestamptz, now()))
    ORDER BY month, place`.execute(db)
  return rows
}

/** Oldest first; a month must have ended by the database's clock. A month that is being read stays,
 * with those after it: returns their names for a later call. */
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

async function selectEndedMonths(db: Db, keepAfter: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT child.relname AS name FROM pg_inherits
    JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
      -- CASE: the planner may evaluate this before it knows which tables are months.
      AND CASE WHEN child.relname ~ '_[0-9]{4}_[0-9]{2}$'
        THEN to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
             + interval '1 month' END <= least(${keepAfter}::timestamptz, now())
    ORDER BY 1`.execute(db)
  return rows.map((row) => row.name)
}
