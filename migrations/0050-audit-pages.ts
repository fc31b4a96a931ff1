import { type Kysely, sql } from 'kysely'

/** By which the audit finds what was written or changed since its last run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(MARKS).execute(db)
  await sql.raw(LOOKUPS).execute(db)
  await sql
    .raw(`
    ALTER TABLE audits
      -- By scan: everything that was written before this instant has been checked and holds.
      ADD COLUMN progress jsonb NOT NULL DEFAULT '{}',
      -- Where a scan without progress begins: no row is marked earlier.
      ADD COLUMN marked_from timestamptz NOT NULL DEFAULT now(),
      DROP COLUMN decisions_until;
  `)
    .execute(db)
}

/** Rows that change have changed_at, rows that never do have written_at: both by the database's clock. */
const MARKS = `
  CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.changed_at := now();
    RETURN NEW;
  END $$;

  -- BRIN: written to once in many rows, and an update that changes nothing else indexed stays HOT.
  DO $$ DECLARE base text; BEGIN
    FOREACH base IN ARRAY ARRAY['borrowers', 'facilities', 'draws', 'repayments', 'refunds',
      'margin_warnings', 'margin_calls', 'margin_sales', 'webhooks', 'deliveries',
      'signing_secrets'] LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now()', base);
      EXECUTE format('CREATE INDEX %I ON %I USING brin (changed_at)
        WITH (pages_per_range = 16, autosummarize = on)', base || '_changed', base);
      EXECUTE format('CREATE TRIGGER mark_change BEFORE UPDATE ON %I
        FOR EACH ROW EXECUTE FUNCTION mark_change()', base);
    END LOOP;
    FOREACH base IN ARRAY ARRAY['events', 'delivery_attempts', 'idempotency_records',
      'confirmed_transfers', 'principal_movements', 'work'] LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN written_at timestamptz NOT NULL DEFAULT now()', base);
      EXECUTE format('CREATE INDEX %I ON %I USING brin (written_at)
        WITH (pages_per_range = 16, autosummarize = on)', base || '_written', base);
    END LOOP;
  END $$;
`

/** What a page of a check looks up beside its own rows, and what is under way. */
const LOOKUPS = `
  CREATE INDEX draws_by_reference ON draws (tenant_id, reference) WHERE reference IS NOT NULL;
  CREATE INDEX refunds_by_reference ON refunds (tenant_id, reference) WHERE reference IS NOT NULL;
  CREATE INDEX repayments_by_reference ON repayments
    (tenant_id, casefold(normalize(reference) COLLATE pg_unicode_fast))
    WHERE reference IS NOT NULL;
  CREATE INDEX idempotency_records_by_creation ON idempotency_records
    (tenant_id, (CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END))
    WHERE status = 201 AND secret_id IS NULL;
  -- Only for queries that name the instant, so none is taken for the key of an attempt.
  CREATE INDEX delivery_attempts_by_start
    ON delivery_attempts (tenant_id, webhook_id, started_at) WHERE started_at IS NOT NULL;

  CREATE INDEX draws_pending ON draws (tenant_id, draw_id) WHERE status = 'PENDING';
  CREATE INDEX refunds_pending ON refunds (tenant_id, refund_id) WHERE status = 'PENDING';
  CREATE INDEX facilities_between_states ON facilities (tenant_id, facility_id)
    WHERE state IN ('PENDING', 'CLOSING');
  CREATE INDEX work_failing ON work (tenant_id, topic, subject_id) WHERE last_error IS NOT NULL;
`
