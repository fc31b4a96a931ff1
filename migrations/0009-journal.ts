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
  `)
    .execute(db)
}
