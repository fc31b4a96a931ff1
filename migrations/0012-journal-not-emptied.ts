import { type Kysely, sql } from 'kysely'

/**
 * The journal is not emptied either, not even along with what it belongs to. Rules, which refuse its
 * alteration, do not exist for this: it takes a trigger, the only one there is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE FUNCTION refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a journal entry is never altered; book a correction'; END $$;
    CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON journal
      EXECUTE FUNCTION refuse_truncation();
  `)
    .execute(db)
}
