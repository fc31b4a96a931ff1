import { type Kysely, sql } from 'kysely'

/** The audit's last run, and what it finds rows by that were written or changed since then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row: the last period for which a worker has begun, and what the last finished run found:
    -- {invariant: violations}, and how many checks took too long.
    CREATE TABLE audits (
      only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      slot        bigint NOT NULL DEFAULT 0,
      finished_at timestamptz,
      violations  jsonb NOT NULL DEFAULT '{}',
      unfinished  integer NOT NULL DEFAULT 0 CHECK (unfinished >= 0),
      -- By scan: everything that was written before this instant has been checked and holds.
      progress    jsonb NOT NULL DEFAULT '{}',
      -- Where a scan without progress begins: no row is marked earlier.
      marked_from timestamptz NOT NULL DEFAULT now()
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

    -- What a page of a check reads beside its own rows.
    CREATE INDEX draws_by_reference ON draws (tenant_id, reference) WHERE reference IS NOT NULL;
    CREATE INDEX refunds_by_reference ON refunds (tenant_id, reference) WHERE reference IS NOT NULL;
    CREATE INDEX repayments_by_reference ON repayments
      (tenant_id, casefold(normalize(reference) COLLATE pg_unicode_fast))
      WHERE reference IS NOT NULL;
    CREATE INDEX idempotency_records_by_creation ON idempotency_records
      (tenant_id, (CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END))
      WHERE status = 201 AND secret_id IS NULL;
    -- Only for queries that name the instant, so that it is not taken for the key of an attempt.
    CREATE INDEX delivery_attempts_by_start
      ON delivery_attempts (tenant_id, webhook_id, started_at) WHERE started_at IS NOT NULL;

    -- What is under way.
    CREATE INDEX draws_pending ON draws (tenant_id, draw_id) WHERE status = 'PENDING';
    CREATE INDEX refunds_pending ON refunds (tenant_id, refund_id) WHERE status = 'PENDING';
    CREATE INDEX facilities_between_states ON facilities (tenant_id, facility_id)
      WHERE state IN ('PENDING', 'CLOSING');
    CREATE INDEX work_failing ON work (tenant_id, topic, subject_id) WHERE last_error IS NOT NULL;
  `)
    .execute(db)
}
