import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0013-audit'

/** Which stack the database belongs to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row, written by the command that migrates. A copy of a database keeps it.
    CREATE TABLE stack (
      only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      name        text NOT NULL CHECK (name IN ('live', 'sandbox')),
      instance_id uuid NOT NULL DEFAULT gen_random_uuid(),
      written_at  timestamptz NOT NULL DEFAULT now()
    )`)
    .execute(db)
}
