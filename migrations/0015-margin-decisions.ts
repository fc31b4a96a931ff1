import { type Kysely, sql } from 'kysely'

/** What every decision about margin was made from, and the terms of the margin policy. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- What decisions that were made together share: prices and policy. With the facts of its own it
    -- is all that a decision was made from.
    CREATE TABLE margin_evaluations (
      tenant_id     text NOT NULL REFERENCES tenants,
      evaluation_id uuid NOT NULL,
      facts         jsonb NOT NULL,
      month         date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC'),
      PRIMARY KEY (tenant_id, evaluation_id, month)
    ) PARTITION BY RANGE (month);

    -- Numbers are given under the facility's lock; the audit finds one that was given twice.
    CREATE TABLE margin_decisions (
      tenant_id      text NOT NULL,
      facility_id    text NOT NULL,
      warning_number integer NOT NULL,
      number         integer NOT NULL CHECK (number > 0),
      kind           text NOT NULL CHECK (kind IN ('raise', 'worsen', 'cure', 'escalate')),
      decided_at     timestamptz NOT NULL,
      facts          jsonb NOT NULL,
      -- Null where a decision's own facts are all of them.
      evaluation_id  uuid,
      written_at     timestamptz NOT NULL DEFAULT now(),
      month          date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC'),
      PRIMARY KEY (tenant_id, facility_id, warning_number, number, month),
      FOREIGN KEY (tenant_id, facility_id, warning_number) REFERENCES margin_warnings,
      FOREIGN KEY (tenant_id, evaluation_id, month) REFERENCES margin_evaluations
    ) PARTITION BY RANGE (month);
    -- The order in which the audit recomputes them.
    CREATE INDEX margin_decisions_written
      ON margin_decisions (written_at, tenant_id, facility_id, warning_number, number);

    -- As the record of a journal entry; shared is the hash of the evaluation's facts.
    CREATE FUNCTION record_of(decision anyelement, shared bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SET timezone = 'UTC' AS $$
      SELECT 'decision ' || (to_jsonb(decision) ->> 'warning_number') || '/'
        || (to_jsonb(decision) ->> 'number') || ' '
        || encode(sha256(row_bytes(to_jsonb(decision)) || coalesce(shared, '')), 'hex')
    $$;
    CREATE FUNCTION facts_hash(facts jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(convert_to(facts::text, 'UTF8'));

    -- Never altered. Before the first one the service's own terms are in force.
    CREATE TABLE margin_policy_versions (
      number         integer PRIMARY KEY CHECK (number > 0),
      -- Whole, in the form of a policy file.
      terms          jsonb NOT NULL,
      effective_from timestamptz NOT NULL,
      note           text NOT NULL CHECK (note <> ''),
      -- Addresses of operators at the time, or os: and the system's user.
      proposed_by    text NOT NULL CHECK (proposed_by <> ''),
      signed_by      text NOT NULL CHECK (signed_by <> ''),
      created_at     timestamptz NOT NULL CHECK (created_at < effective_from)
    );

    -- Of versions that had not taken effect. Never altered.
    CREATE TABLE margin_policy_withdrawals (
      number       integer PRIMARY KEY REFERENCES margin_policy_versions,
      note         text NOT NULL CHECK (note <> ''),
      proposed_by  text NOT NULL CHECK (proposed_by <> ''),
      signed_by    text NOT NULL CHECK (signed_by <> ''),
      withdrawn_at timestamptz NOT NULL
    );
  `)
    .execute(db)
}
