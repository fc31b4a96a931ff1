import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'

/** Returns what reads a text that another content of the tables would not have, the record of
 * operators' actions aside. A function of the database, because planning so many statements each
 * time would take twenty times as long. */
export async function createFingerprint(db: Db): Promise<() => Promise<string>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I', relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('operator_actions', 'operator_trail') ORDER BY 1`.execute(db)
  const sums = tables.map(
    ({ name }) => `SELECT sum(hashtextextended(t::text, 0)) INTO sum FROM ${name} t;
      found := found || '${name} ' || coalesce(sum, 0) || E'\\n';`,
  )
  await sql
    .raw(`CREATE FUNCTION fingerprint() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE sum numeric; found text := '';
      BEGIN ${sums.join('\n')} RETURN found; END $$`)
    .execute(db)
  return async () => {
    const { rows } = await sql<{ found: string }>`SELECT fingerprint() AS found`.execute(db)
    return rows[0]?.found ?? ''
  }
}
