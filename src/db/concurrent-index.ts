import { type Kysely, sql } from 'kysely'

/**
 * Builds an index while others write, in a migration that is concurrent. What an earlier attempt has
 * left half done, an invalid index, is dropped first; one that is whole stays. `definition` follows
 * the index's name: `ON refunds (tenant_id, created_at)`.
 */
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
