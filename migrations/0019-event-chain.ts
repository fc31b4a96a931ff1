import { type Kysely, sql } from 'kysely'

/** Chains each tenant's events by hashes, keeps where the chain begins when a month is dropped, and
 * binds journal entries and margin decisions into the events that follow them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE tenant_counters ADD last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
      CHECK (octet_length(last_hash) = 32);
    -- What an event binds, each as record_of writes it.
    ALTER TABLE events ADD previous_hash bytea, ADD hash bytea, ADD records text[];

    -- hash = SHA-256(previous hash, sequence as 8 bytes, SHA-256(body)).
    CREATE FUNCTION event_hash(previous_hash bytea, sequence bigint, body text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(previous_hash || int8send(sequence) || sha256(convert_to(body, 'UTF8')));

    DO $$ DECLARE
      event record;
      tenant text := '';
      last bytea;
    BEGIN
      FOR event IN SELECT tenant_id, event_id, recorded_at, sequence, body FROM events
        ORDER BY tenant_id, sequence LOOP
        IF event.tenant_id <> tenant THEN
          tenant := event.tenant_id;
          last := decode(repeat('00', 32), 'hex');
        END IF;
        UPDATE events SET previous_hash = last, hash = event_hash(last, sequence, body)
        WHERE tenant_id = tenant AND event_id = event.event_id AND recorded_at = event.recorded_at
        RETURNING hash INTO last;
        UPDATE tenant_counters SET last_hash = last WHERE tenant_id = tenant;
      END LOOP;
    END $$;
    ALTER TABLE events ALTER previous_hash SET NOT NULL, ALTER hash SET NOT NULL;

    -- The last event of a tenant that was dropped with its month: the next one follows its hash.
    CREATE TABLE event_anchors (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      sequence  bigint NOT NULL CHECK (sequence > 0),
      hash      bytea NOT NULL CHECK (octet_length(hash) = 32)
    );

    -- Records that the next event about their facility binds.
    CREATE TABLE unbound_records (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      record      text NOT NULL,
      PRIMARY KEY (tenant_id, facility_id, record),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );

    -- A record's key and the hash of its row, without the mark of the audit. A column that is added
    -- later leaves the hash as it is while it is null.
    CREATE FUNCTION row_bytes(content jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN convert_to(
      (jsonb_strip_nulls(content) - '{written_at,month}'::text[])::text, 'UTF8');
    CREATE FUNCTION facts_hash(facts jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(convert_to(facts::text, 'UTF8'));
    CREATE FUNCTION record_of(entry journal) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE SET timezone = 'UTC'
    RETURN 'journal ' || entry.entry_id || ' ' || encode(sha256(row_bytes(to_jsonb(entry))), 'hex');
    CREATE FUNCTION record_of(decision margin_decisions, shared bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE SET timezone = 'UTC'
    RETURN 'decision ' || decision.warning_number || '/' || decision.number || ' '
      || encode(sha256(row_bytes(to_jsonb(decision)) || coalesce(shared, '')), 'hex');
    INSERT INTO unbound_records SELECT tenant_id, facility_id, record_of(j) FROM journal j;
    INSERT INTO unbound_records SELECT d.tenant_id, d.facility_id, record_of(d, facts_hash(v.facts))
      FROM margin_decisions d LEFT JOIN margin_evaluations v USING (tenant_id, evaluation_id, month);

    -- As in 0002, with the anchors.
    CREATE OR REPLACE FUNCTION drop_month(keep_after timestamptz) RETURNS boolean
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
  `)
    .execute(db)
}
