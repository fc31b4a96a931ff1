import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** PostgreSQL 18 folds case; the migrations and the audit use it. On 17 the same names stand for the
 * nearest there is: one letter for one, so that the audit distinguishes ß from SS. */
export async function ensureCaseFolding(db: Db): Promise<void> {
  const { rows } = await sql<{ is_there: boolean }>`
    SELECT to_regprocedure('casefold(text)') IS NOT NULL
      AND to_regcollation('pg_unicode_fast') IS NOT NULL AS is_there`.execute(db)
  if (rows[0]?.is_there) return
  await sql`
    CREATE COLLATION IF NOT EXISTS pg_unicode_fast (provider = builtin, locale = 'C.UTF-8')`.execute(
    db,
  )
  await sql`
    CREATE OR REPLACE FUNCTION casefold(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(upper($1 COLLATE pg_c_utf8))`.execute(db)
}
