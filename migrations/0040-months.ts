import { type Kysely, sql } from 'kysely'

/**
 * Makes months without ever waiting behind a reader, and partitions what is kept for good: journal
 * and margin decisions, by the month in which they were written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTIONS).execute(db)
  await sql.raw(BOOKS).execute(db)
}

const FUNCTIONS = `
  DROP FUNCTION maintain_partitions(timestamptz, integer, timestamptz);

  -- Makes one month of one table, unless it is there; must be repeated where it fails for a lock.
  -- Attaching, and not CREATE TABLE … PARTITION OF, because that locks the table against readers and
  -- writers: they would queue behind it while it waits for a long reader. Runs with its owner's
  -- rights: the service's own role needs no DDL.
  CREATE FUNCTION make_month(base text, month timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
  DECLARE
    first timestamp := date_trunc('month', month AT TIME ZONE 'UTC');
    child text := base || to_char(first, '_YYYY_MM');
    is_append_only boolean := base IN ('journal', 'margin_decisions', 'margin_evaluations');
  BEGIN
    IF base NOT IN ('events', 'deliveries', 'delivery_attempts') AND NOT is_append_only THEN
      RAISE EXCEPTION '% has no months', base;
    END IF;
    -- Several workers may come at once.
    PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
    IF to_regclass(format('%I', child)) IS NOT NULL THEN
      RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child, base);
    IF base = 'journal' THEN
      -- The rules of the journal itself are not those of a month that is named by itself.
      EXECUTE format('CREATE RULE journal_no_update AS ON UPDATE TO %I
        DO INSTEAD SELECT refuse_alteration()', child);
      EXECUTE format('CREATE RULE journal_no_delete AS ON DELETE TO %I
        DO INSTEAD SELECT refuse_alteration()', child);
      EXECUTE format('CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON %I
        EXECUTE FUNCTION refuse_truncation()', child);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', base, child,
      to_char(first, 'YYYY-MM-DD') || CASE WHEN is_append_only THEN '' ELSE ' 00:00:00+00' END,
      to_char(first + interval '1 month', 'YYYY-MM-DD')
        || CASE WHEN is_append_only THEN '' ELSE ' 00:00:00+00' END);
  END $$;

  -- Drops the oldest month of the event log that ended at or before keep_after and, by the database's
  -- own clock, has ended: all three tables of it, or none where one is in use.
  CREATE FUNCTION drop_month(keep_after timestamptz) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
  DECLARE
    tables text;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
    SELECT string_agg(format('%I', child.relname), ', ' ORDER BY child.relname) INTO tables
    FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
      -- CASE: the planner may look at this before it knows which tables are months.
      AND CASE WHEN child.relname ~ '_[0-9]{4}_[0-9]{2}$'
        THEN to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
             + interval '1 month' END <= least(keep_after, now())
    GROUP BY right(child.relname, 7) ORDER BY right(child.relname, 7) LIMIT 1;
    IF tables IS NULL THEN
      RETURN false;
    END IF;
    EXECUTE 'DROP TABLE ' || tables;
    RETURN true;
  END $$;
`

const BOOKS = `
  -- Which entries there are, each once and for all: a partitioned table is unique a month only.
  CREATE TABLE journal_entries (
    tenant_id   text NOT NULL,
    facility_id text NOT NULL,
    entry_id    text NOT NULL,
    PRIMARY KEY (tenant_id, facility_id, entry_id),
    FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
  );
  ALTER TABLE journal RENAME TO journal_before;
  ALTER INDEX journal_pkey RENAME TO journal_before_pkey;
  ALTER TABLE journal_before
    -- By the database's clock, and of no meaning but this: when it was written, and in which month.
    ADD COLUMN written_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC');
  CREATE TABLE journal (LIKE journal_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    PRIMARY KEY (tenant_id, facility_id, entry_id, month),
    FOREIGN KEY (tenant_id, facility_id, entry_id) REFERENCES journal_entries
  ) PARTITION BY RANGE (month);
  CREATE INDEX journal_written ON journal USING brin (written_at);
  CREATE RULE journal_no_update AS ON UPDATE TO journal DO INSTEAD SELECT refuse_alteration();
  CREATE RULE journal_no_delete AS ON DELETE TO journal DO INSTEAD SELECT refuse_alteration();
  CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON journal
    EXECUTE FUNCTION refuse_truncation();

  ALTER TABLE margin_decisions RENAME TO margin_decisions_before;
  ALTER TABLE margin_evaluations RENAME TO margin_evaluations_before;
  ALTER INDEX margin_decisions_pkey RENAME TO margin_decisions_before_pkey;
  ALTER INDEX margin_evaluations_pkey RENAME TO margin_evaluations_before_pkey;
  ALTER TABLE margin_evaluations_before
    ADD COLUMN month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC');
  CREATE TABLE margin_evaluations (LIKE margin_evaluations_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    PRIMARY KEY (tenant_id, evaluation_id, month),
    FOREIGN KEY (tenant_id) REFERENCES tenants
  ) PARTITION BY RANGE (month);
  ALTER TABLE margin_decisions_before
    ADD COLUMN written_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC');
  -- Numbers are given under the facility's lock; the audit finds one that was given twice.
  CREATE TABLE margin_decisions (LIKE margin_decisions_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    PRIMARY KEY (tenant_id, facility_id, warning_number, number, month),
    FOREIGN KEY (tenant_id, facility_id, warning_number) REFERENCES margin_warnings,
    FOREIGN KEY (tenant_id, evaluation_id, month) REFERENCES margin_evaluations
  ) PARTITION BY RANGE (month);
  CREATE INDEX margin_decisions_written ON margin_decisions USING brin (written_at);

  SELECT make_month(base, now()) FROM unnest(
    ARRAY['journal', 'margin_evaluations', 'margin_decisions']) AS base;
  INSERT INTO journal_entries SELECT tenant_id, facility_id, entry_id FROM journal_before;
  INSERT INTO journal SELECT * FROM journal_before;
  INSERT INTO margin_evaluations SELECT * FROM margin_evaluations_before;
  INSERT INTO margin_decisions SELECT * FROM margin_decisions_before;
  DROP TABLE journal_before, margin_decisions_before, margin_evaluations_before;
`
