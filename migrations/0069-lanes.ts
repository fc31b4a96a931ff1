import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A lane for each webhook, and deliveries that are written once more and not found by their state. Older
 * API processes go on beside it; older workers are stopped before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- How far a webhook's deliveries have come, and which worker attempts them. Only the holder of the
    -- lease writes it, or a transaction that has locked it; an event that is appended does not.
    CREATE TABLE lanes (
      tenant_id    text NOT NULL,
      webhook_id   text NOT NULL,
      -- Deliveries up to this number have been claimed: what has a higher one waits for its first attempt.
      seen         bigint NOT NULL,
      -- While no one holds the lane it is never later than the earliest due_at of its deliveries.
      retry_at     timestamptz,
      -- Attempts in a row that failed.
      failures     integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 100),
      -- Another worker may take the lane from then on.
      leased_until timestamptz,
      lease        uuid,
      -- Numbers that were claimed and are not recorded yet.
      in_flight    bigint[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
      CHECK ((lease IS NULL) = (leased_until IS NULL)),
      CHECK (lease IS NOT NULL OR in_flight = '{}')
    ) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

    ALTER TABLE deliveries DROP CONSTRAINT deliveries_check, DROP CONSTRAINT deliveries_check1,
      -- Null while it waits for its first attempt, and once that has delivered it: it is found by its
      -- number. Else its state.
      ADD COLUMN listed_as text,
      ADD CONSTRAINT deliveries_next_attempt
        CHECK (state = 'pending' OR next_attempt_at IS NULL) NOT VALID;

    CREATE FUNCTION list_by_state() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.listed_as := NEW.state;
      RETURN NEW;
    END $$;
    -- Older builds write states alone.
    CREATE TRIGGER list_by_state BEFORE UPDATE ON deliveries FOR EACH ROW
      WHEN (CASE WHEN NEW.listed_as IS NULL THEN NEW.state NOT IN ('pending', 'delivered')
        ELSE NEW.listed_as <> NEW.state END)
      EXECUTE FUNCTION list_by_state();

    CREATE FUNCTION make_lane() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO lanes (tenant_id, webhook_id, seen)
      VALUES (NEW.tenant_id, NEW.webhook_id, NEW.registered_sequence)
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;`)
    .execute(db)
  const { rows } = await sql`SELECT FROM stack WHERE distributed_at IS NOT NULL`.execute(db)
  // On a distributed database a trigger runs on a shard, which does not see the other table's.
  if (rows.length > 0) return
  await sql
    .raw(`
    -- Older builds register webhooks without one.
    CREATE TRIGGER make_lane AFTER INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION make_lane()`)
    .execute(db)
}
