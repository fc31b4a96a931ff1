import { type Kysely, sql } from 'kysely'

/** Drops an invalid index of an earlier attempt. `ON refunds (created_at)` is a `definition`. */
export async function createIndexConcurrently(
  db: Kysely<unknown>,
  name: string,
  definition: string,
): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean }>`
    SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = to_regclass(${name})`.execute(db)
  if (rows[0]?.is_valid === true) return
  await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db)
  await sql.raw(`CREATE INDEX CONCURRENTLY "${name}" ${definition}`).execute(db)
}
