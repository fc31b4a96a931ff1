import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isLockTimeout } from '../errors.ts'
import { type MigrationOptions, retryForLocks } from './run-migrations.ts'

/** Tables in partitions of a day or a month, each dropped by itself, and how many lie ahead. */
const SPANS = {
  request_log: { unit: 'day', ahead: 3 },
  facility_ltv_hours: { unit: 'day', ahead: 3 },
  facility_ltv_days: { unit: 'month', ahead: 3 },
} as const

export type SpanTable = keyof typeof SPANS

const PATIENCE = { attempts: 8, pauseMs: 100 }

/** From the day or month before `today` (real time) to those ahead. */
export async function makeSpans(
  db: Db,
  today: Date,
  patience: MigrationOptions = PATIENCE,
): Promise<void> {
  for (const [base, { unit, ahead }] of Object.entries(SPANS)) {
    for (const first of await selectMissing(db, base as SpanTable, today, {
      from: -1,
      to: ahead,
    })) {
      const make = () => sql`SELECT make_span(${base}, ${first})`.execute(db)
      await retryForLocks(`a ${unit} of ${base}`, make, patience)
    }
  }
}

/** Tables without the day or month of `today`. */
export async function selectMissingSpans(db: Db, today: Date): Promise<string[]> {
  const missing: string[] = []
  for (const base of Object.keys(SPANS) as SpanTable[]) {
    if ((await selectMissing(db, base, today, { from: 0, to: 0 })).length > 0) missing.push(base)
  }
  return missing
}

async function selectMissing(
  db: Db,
  base: SpanTable,
  today: Date,
  { from, to }: { from: number; to: number },
): Promise<Date[]> {
  const { unit } = SPANS[base]
  const format = unit === 'day' ? '_YYYY_MM_DD' : '_YYYY_MM'
  const { rows } = await sql<{ first: Date }>`
    SELECT first AT TIME ZONE 'UTC' AS first FROM (
      SELECT date_trunc(${unit}, ${today}::timestamptz AT TIME ZONE 'UTC')
        + n * ('1 ' || ${unit}::text)::interval AS first
      FROM generate_series(${from}::int, ${to}::int) AS n) spans
    WHERE to_regclass(format('%I', ${base}::text || to_char(first, ${format}))) IS NULL
    ORDER BY 1`.execute(db)
  return rows.map(({ first }) => first)
}

/** Oldest first. False where one is being read: it stays, with those after it, for a later call. */
export async function dropSpans(db: Db, base: SpanTable, keepAfter: Date): Promise<boolean> {
  try {
    for (;;) {
      const { rows } = await sql<{ dropped: boolean }>`
        SELECT drop_span(${base}, ${keepAfter}) AS dropped`.execute(db)
      if (!rows[0]?.dropped) return true
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return false
  }
}
