import { type Kysely, sql } from 'kysely'

/**
 * Drops no month of the event log that has not ended by the database's own clock, whatever it is
 * asked for: neither a process whose clock has gone wrong nor one that somebody has taken over can
 * take the log of now away, or the months that are to come.
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
          EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            base || to_char(month, '_YYYY_MM'), base,
            to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        END LOOP;
        FOR old IN
          SELECT child.relname FROM pg_inherits
          JOIN pg_class child ON child.oid = inhrelid
          WHERE inhparent = format('%I', base)::regclass
            AND (to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
                 + interval '1 month') <= least(keep_after, now())
        LOOP
          EXECUTE format('DROP TABLE %I', old.relname);
        END LOOP;
      END LOOP;
    END $$;
  `)
    .execute(db)
}
