import { type Kysely, sql } from 'kysely'

/**
 * Drops at most one month a call, and waits 100 ms for each lock: whoever writes events queues behind
 * that wait, and behind what the transaction holds until it ends. A month that is in use is left for
 * later, all three tables of it: attempts, deliveries and events are there together or not at all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE OR REPLACE FUNCTION maintain_partitions(
      today timestamptz, months_ahead integer, keep_after timestamptz)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE
      base text;
      month timestamp;
      old record;
    BEGIN
      -- Several workers may come at once.
      PERFORM pg_advisory_xact_lock(hashtextextended('maintain_partitions', 0));
      FOREACH base IN ARRAY ARRAY['events', 'deliveries', 'delivery_attempts'] LOOP
        FOR i IN -1..months_ahead LOOP
          month := date_trunc('month', today AT TIME ZONE 'UTC') + make_interval(months => i);
          -- What a call before this one has dropped.
          CONTINUE WHEN (month + interval '1 month') AT TIME ZONE 'UTC' <= least(keep_after, now());
          EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            base || to_char(month, '_YYYY_MM'), base,
            to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        END LOOP;
      END LOOP;

      FOR old IN
        SELECT string_agg(format('%I', child.relname), ', ' ORDER BY child.relname) AS tables
        FROM pg_inherits
        JOIN pg_class child ON child.oid = inhrelid
        WHERE inhparent IN (
            'events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)
          AND (to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
               + interval '1 month') <= least(keep_after, now())
        GROUP BY right(child.relname, 7)
        ORDER BY right(child.relname, 7) LIMIT 1
      LOOP
        BEGIN
          PERFORM set_config('lock_timeout', '100ms', true);
          EXECUTE 'DROP TABLE ' || old.tables;
        EXCEPTION WHEN lock_not_available THEN
          RAISE NOTICE '% are in use', old.tables;
        END;
      END LOOP;
    END $$;
  `)
    .execute(db)
}
