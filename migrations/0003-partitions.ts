import { type Kysely, sql } from 'kysely'

/** Makes and drops the partitions of tables that grow with time, a month or a day each. */
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
      -- Where tables are spread over nodes the journal has no triggers and rules.
      IF base = 'journal' AND NOT EXISTS (SELECT FROM stack WHERE distributed_at IS NOT NULL) THEN
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
    -- none, and keeps where each tenant's chain goes on. By the database's own clock the month must have
    -- ended: a process with a wrong clock, or one that was taken over, cannot drop the log of now.
    CREATE FUNCTION drop_month(keep_after timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
    DECLARE
      tables text;
      log text;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
      SELECT string_agg(format('%I', child.relname), ', ' ORDER BY child.relname),
        min(child.relname) FILTER (WHERE inhparent = 'events'::regclass) INTO tables, log
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
      IF log IS NOT NULL THEN
        EXECUTE format('INSERT INTO event_anchors AS a (tenant_id, sequence, hash)
          SELECT t.tenant_id, e.sequence, e.hash FROM tenants t CROSS JOIN LATERAL (
            SELECT sequence, hash FROM %I WHERE tenant_id = t.tenant_id AND sequence IS NOT NULL
            ORDER BY sequence DESC LIMIT 1) e
          ON CONFLICT (tenant_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash
          WHERE a.sequence < excluded.sequence', log);
      END IF;
      EXECUTE 'DROP TABLE ' || tables;
      RETURN true;
    END $$;

    -- As make_month, by the day or the month.
    CREATE FUNCTION make_span(base text, at timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
    DECLARE
      unit text := CASE base WHEN 'request_log' THEN 'day' WHEN 'facility_ltv_hours' THEN 'day'
        WHEN 'facility_ltv_days' THEN 'month' END;
      first timestamp := date_trunc(unit, at AT TIME ZONE 'UTC');
      child text := base || to_char(first, CASE unit WHEN 'day' THEN '_YYYY_MM_DD' ELSE '_YYYY_MM' END);
    BEGIN
      IF unit IS NULL THEN
        RAISE EXCEPTION '% has no days or months', base;
      END IF;
      PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
      IF to_regclass(format('%I', child)) IS NOT NULL THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child, base);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', base, child,
        to_char(first, 'YYYY-MM-DD 00:00:00+00'),
        to_char(first + ('1 ' || unit)::interval, 'YYYY-MM-DD 00:00:00+00'));
    END $$;

    -- Drops the oldest partition of one table that ended at or before keep_after, and by the
    -- database's own clock.
    CREATE FUNCTION drop_span(base text, keep_after timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '100ms' AS $$
    DECLARE
      child text;
    BEGIN
      IF base NOT IN ('request_log', 'facility_ltv_hours', 'facility_ltv_days') THEN
        RAISE EXCEPTION '% has no days or months', base;
      END IF;
      PERFORM pg_advisory_xact_lock(hashtextextended('months', 0));
      SELECT relname INTO child FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = base::regclass
        -- CASE: the planner may evaluate this before it knows which tables are partitions.
        AND CASE
          WHEN relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
            THEN to_timestamp(right(relname, 10) || ' +00', 'YYYY_MM_DD TZH') + interval '1 day'
          WHEN relname ~ '_[0-9]{4}_[0-9]{2}$'
            THEN (to_timestamp(right(relname, 7) || '_01 +00', 'YYYY_MM_DD TZH') AT TIME ZONE 'UTC'
                  + interval '1 month') AT TIME ZONE 'UTC'
          END <= least(keep_after, now())
      ORDER BY relname LIMIT 1;
      IF child IS NULL THEN
        RETURN false;
      END IF;
      EXECUTE format('DROP TABLE %I', child);
      RETURN true;
    END $$;
  `)
    .execute(db)
}
