import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'

/** All rows of every table as text, by table. */
export async function dumpTables(db: Db): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`.execute(db)
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string | null }>`
      SELECT string_agg(t::text, E'\n') AS text FROM ${sql.table(name)} t`.execute(db)
    texts.set(name, rows[0]?.text ?? '')
  }
  return texts
}
