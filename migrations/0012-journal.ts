import { type Kysely, sql } from 'kysely'

/** The journal: every movement of money is one balanced entry, never altered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE FUNCTION is_balanced(assets text[], amounts numeric[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT cardinality(assets) = cardinality(amounts) AND cardinality(assets) >= 2
         AND NOT EXISTS (
           SELECT 1 FROM unnest(assets, amounts) AS posting (asset, amount)
           GROUP BY asset
           HAVING asset IS NULL OR sum(amount) <> 0
               OR bool_or(amount IS NULL OR amount = 0 OR abs(amount) >= 1e40))
    $$;
    CREATE FUNCTION refuse_alteration() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a journal entry is never altered; book a correction'; END $$;
    -- A rule cannot refuse TRUNCATE: that takes a trigger.
    CREATE FUNCTION refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a journal entry is never altered; book a correction'; END $$;

    -- Which entries there are: a partitioned table is unique within a month only.
    CREATE TABLE journal_entries (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      entry_id    text NOT NULL,
      PRIMARY KEY (tenant_id, facility_id, entry_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );

    -- One row an entry, its postings side by side, so that a row constraint can hold it to zero in
    -- each asset. Debits are positive.
    CREATE TABLE journal (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      -- What happened, once: 'draw/drw_…', 'repayment/rep_…', 'accrual/…'.
      entry_id    text NOT NULL,
      kind        text NOT NULL,
      accounts    text[] NOT NULL,
      assets      text[] NOT NULL,
      amounts     numeric[] NOT NULL,
      -- The instant from which it counts. Null: booked_at.
      value_at    timestamptz,
      booked_at   timestamptz NOT NULL,
      -- By the database's clock: when it was written, and in which month.
      written_at  timestamptz NOT NULL DEFAULT now(),
      month       date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC'),
      PRIMARY KEY (tenant_id, facility_id, entry_id, month),
      FOREIGN KEY (tenant_id, facility_id, entry_id) REFERENCES journal_entries,
      CHECK (cardinality(accounts) = cardinality(assets) AND array_position(accounts, NULL) IS NULL),
      CONSTRAINT journal_balanced CHECK (is_balanced(assets, amounts))
    ) PARTITION BY RANGE (month);
    CREATE INDEX journal_written ON journal USING brin (written_at);
    CREATE RULE journal_no_update AS ON UPDATE TO journal DO INSTEAD SELECT refuse_alteration();
    CREATE RULE journal_no_delete AS ON DELETE TO journal DO INSTEAD SELECT refuse_alteration();
    CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON journal
      EXECUTE FUNCTION refuse_truncation();

    -- Accounts as the chart names them.
    CREATE FUNCTION chart_account(account text, asset text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE account
        WHEN 'principal' THEN 'loans_receivable'
        WHEN 'cash' THEN CASE asset WHEN 'USD' THEN 'bank' ELSE 'wallet' END
        WHEN 'refund_payable' THEN 'refunds_payable'
        WHEN 'exchange' THEN 'conversion_result'
        WHEN 'waiver' THEN 'write_offs'
        WHEN 'charge_off' THEN 'write_offs'
        ELSE account END
    $$;
    -- One row a line of an entry. Narrow it by tenant and facility.
    CREATE VIEW journal_lines AS
      SELECT j.tenant_id, j.facility_id, j.entry_id, j.kind, p.line::integer AS line,
             chart_account(p.account, p.asset) AS account, p.asset, p.amount,
             coalesce(j.value_at, j.booked_at) AS value_at, j.booked_at, j.written_at
      FROM journal j CROSS JOIN LATERAL
        unnest(j.accounts, j.assets, j.amounts) WITH ORDINALITY AS p (account, asset, amount, line);

    -- A month whose books are closed, and with it every month before. By posting date (booked_at).
    CREATE TABLE closed_months (
      tenant_id  text NOT NULL REFERENCES tenants,
      month      date NOT NULL CHECK (extract(day FROM month) = 1),
      closed_at  timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, month)
    );
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
    CREATE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM require_open_month(NEW.tenant_id, NEW.entry_id, NEW.booked_at);
      RETURN NEW;
    END $$;
    CREATE TRIGGER journal_month_open BEFORE INSERT ON journal
      FOR EACH ROW EXECUTE FUNCTION refuse_closed_month();

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
    -- For rows of a shard too. Nothing in them depends on a session: time zones do not.
    CREATE FUNCTION record_of(entry anyelement) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET timezone = 'UTC' AS $$
      SELECT 'journal ' || (to_jsonb(entry) ->> 'entry_id') || ' '
        || encode(sha256(row_bytes(to_jsonb(entry))), 'hex')
    $$;
  `)
    .execute(db)
}
