import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What keeps the tables from being spread over nodes, or a key from its tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Facilities refer to their borrowers; the way back is written with the facility, and audited.
    ALTER TABLE borrowers DROP CONSTRAINT borrowers_tenant_id_latest_facility_id_fkey;

    -- The tenant of every key, in one place. Read where api_keys is spread over nodes.
    CREATE TABLE api_key_owners (
      key_id    text PRIMARY KEY,
      tenant_id text NOT NULL
    );

    -- As in 0019, for rows of a shard too. Nothing in them depends on a session: time zones do not.
    DROP FUNCTION record_of(journal), record_of(margin_decisions, bytea);
    CREATE FUNCTION record_of(entry anyelement) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET timezone = 'UTC' AS $$
      SELECT 'journal ' || (to_jsonb(entry) ->> 'entry_id') || ' '
        || encode(sha256(row_bytes(to_jsonb(entry))), 'hex')
    $$;
    CREATE FUNCTION record_of(decision anyelement, shared bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SET timezone = 'UTC' AS $$
      SELECT 'decision ' || (to_jsonb(decision) ->> 'warning_number') || '/'
        || (to_jsonb(decision) ->> 'number') || ' '
        || encode(sha256(row_bytes(to_jsonb(decision)) || coalesce(shared, '')), 'hex')
    $$;

    -- Entries share a lock that a closing takes alone: none that it does not see commits after it.
    CREATE FUNCTION require_open_month(tenant text, entry text, booked timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('close_month/' || tenant, 0));
      IF EXISTS (SELECT FROM closed_months WHERE tenant_id = tenant
                 AND month >= date_trunc('month', booked AT TIME ZONE 'UTC')) THEN
        RAISE EXCEPTION 'a closed month takes no entry: % is posted at %', entry, booked
          USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_month_open';
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM require_open_month(NEW.tenant_id, NEW.entry_id, NEW.booked_at);
      RETURN NEW;
    END $$;

    -- As in 0002. Where tables are spread over nodes the journal has no triggers and rules.
    CREATE OR REPLACE FUNCTION make_month(base text, month timestamptz) RETURNS void
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
  `)
    .execute(db)
}
