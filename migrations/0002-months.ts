import { type Kysely, sql } from 'kysely'

/** Makes and drops the monthly partitions of the event log, the journal and the margin decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Makes one month of one table where it is missing. Repeat it where it fails for a lock.
    -- It attaches a table: CREATE TABLE … PARTITION OF would lock out readers and writers, who would
    -- queue behind it while it waits for a long reader.
    -- SECURITY DEFINER: the service's own role may run no DDL.
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
        -- The journal's own rules do not hold for a statement that names the month's table.
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

    -- Drops the oldest month of the event log that ended at or before keep_after, all three tables or
    -- none. By the database's own clock the month must have ended: a process with a wrong clock, or
    -- one that was taken over, cannot drop the log of now.
    CREATE FUNCTION drop_month(keep_after timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
    DECLARE
      tables text;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
      SELECT string_agg(format('%I', child.relname), ', ' ORDER BY child.relname) INTO tables
      FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
      WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
        -- CASE: the planner may evaluate this before it knows which tables are months.
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
  `)
    .execute(db)
}
