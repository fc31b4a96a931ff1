import { type Kysely, sql } from 'kysely'

/** For a concurrent migration. Drops an invalid index of an earlier attempt. `definition` follows
 * the index's name: `ON refunds (tenant_id, created_at)`. */
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
