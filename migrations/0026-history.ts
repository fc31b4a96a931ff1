import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The log of the tenants' requests, and the loan-to-value of facilities over time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Partitioned by day. A request id carries its instant, so a row is found by its id in one
    -- partition, and ids are in the order of time. No foreign key: the rows are written in batches,
    -- and each would be checked by itself.
    CREATE TABLE request_log (
      tenant_id       text NOT NULL,
      request_id      text NOT NULL COLLATE "C",
      received_at     timestamptz NOT NULL,
      method          text NOT NULL,
      route           text NOT NULL,
      -- Without its query.
      path            text NOT NULL,
      status          smallint NOT NULL,
      code            text,
      -- Of a signed request the key, of one in the console the person.
      key_id          text,
      person_id       text,
      duration_us     integer NOT NULL,
      idempotency_key text,
      resource_id     text,
      -- Of the query what may be shown; of a refusal its answer and what was sent.
      details         json,
      PRIMARY KEY (tenant_id, request_id, received_at)
    ) PARTITION BY RANGE (received_at);
    CREATE INDEX request_log_by_resource ON request_log
      (tenant_id, resource_id, request_id) WHERE resource_id IS NOT NULL;
    CREATE INDEX request_log_by_code ON request_log (tenant_id, code, request_id)
      WHERE code IS NOT NULL;
    CREATE INDEX request_log_refused ON request_log (tenant_id, request_id)
      WHERE status >= 400;

    -- A point of each facility with debt or collateral, an hour and a day of the tenant's own time
    -- (at). Partitioned by real time, by which they are dropped.
    CREATE TABLE facility_ltv_hours (
      tenant_id        text NOT NULL,
      facility_id      text NOT NULL,
      at               timestamptz NOT NULL,
      taken_at         timestamptz NOT NULL,
      debt_cents       numeric NOT NULL CHECK (debt_cents >= 0 AND debt_cents < 1e20),
      collateral_cents numeric NOT NULL CHECK (collateral_cents >= 0 AND collateral_cents < 1e20),
      PRIMARY KEY (tenant_id, facility_id, at, taken_at)
    ) PARTITION BY RANGE (taken_at);
    CREATE TABLE facility_ltv_days (LIKE facility_ltv_hours INCLUDING CONSTRAINTS INCLUDING INDEXES)
      PARTITION BY RANGE (taken_at);

    -- The hour of the tenant's own time whose points have been taken.
    CREATE TABLE ltv_rounds (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      hour      timestamptz NOT NULL
    );

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
