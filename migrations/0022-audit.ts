import { type Kysely, sql } from 'kysely'

/** Databases of releases before it are refused. */
export const isFirstRelease = true

/** The audit's last run, and what it finds rows by that were written or changed since then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row: the last period for which a worker has begun, and what the last finished run found:
    -- {invariant: violations}, and how many checks took too long.
    CREATE TABLE audits (
      only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      slot         bigint NOT NULL DEFAULT 0,
      finished_at  timestamptz,
      violations   jsonb NOT NULL DEFAULT '{}',
      unfinished   integer NOT NULL DEFAULT 0 CHECK (unfinished >= 0),
      -- Of each check that found something or did not finish, its first violations.
      findings     jsonb NOT NULL DEFAULT '[]',
      -- By scan: everything that was written before this instant has been checked and holds.
      progress     jsonb NOT NULL DEFAULT '{}',
      -- Where a scan without progress begins: no row is marked earlier.
      marked_from  timestamptz NOT NULL DEFAULT now(),
      -- Set by an operator; a worker clears it when it begins.
      requested_at timestamptz
    );
    INSERT INTO audits DEFAULT VALUES;

    -- Rows that change have changed_at, rows that never do have written_at: by the database's clock.
    CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_at := now();
      RETURN NEW;
    END $$;
    -- BRIN: cheap to write, and an update that changes nothing else indexed stays HOT.
    DO $$ DECLARE base text; BEGIN
      FOREACH base IN ARRAY ARRAY['borrowers', 'facilities', 'draws', 'repayments', 'refunds',
        'margin_warnings', 'margin_calls', 'margin_sales', 'webhooks', 'deliveries',
        'signing_secrets'] LOOP
        EXECUTE format('CREATE INDEX %I ON %I USING brin (changed_at)
          WITH (pages_per_range = 16, autosummarize = on)', base || '_changed', base);
        EXECUTE format('CREATE TRIGGER mark_change BEFORE UPDATE ON %I
          FOR EACH ROW EXECUTE FUNCTION mark_change()', base);
      END LOOP;
      FOREACH base IN ARRAY ARRAY['events', 'delivery_attempts', 'idempotency_records',
        'confirmed_transfers', 'principal_movements', 'work'] LOOP
        EXECUTE format('CREATE INDEX %I ON %I USING brin (written_at)
          WITH (pages_per_range = 16, autosummarize = on)', base || '_written', base);
      END LOOP;
    END $$;
  `)
    .execute(db)
}
