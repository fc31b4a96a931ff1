import { type Kysely, sql } from 'kysely'

/**
 * Portfolios and prices as far as lending needs them, facilities with their draws and repayments,
 * and the journal in which every movement of money is one balanced entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The newest snapshot of each borrower's holdings; positions are {asset: units} in text.
    CREATE TABLE portfolios (
      tenant_id   text NOT NULL,
      borrower_id text NOT NULL,
      as_of       bigint NOT NULL,
      digest      bytea NOT NULL CHECK (length(digest) = 32),
      positions   jsonb NOT NULL,
      received_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers
    );

    -- What a tenant's tests have set on the sandbox: prices (10^-8 USD), and how providers answer.
    CREATE TABLE sandbox_prices (
      tenant_id text NOT NULL REFERENCES tenants,
      asset     text NOT NULL,
      price     numeric NOT NULL CHECK (price > 0 AND price < 1e30),
      set_at    timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, asset)
    );
    CREATE TABLE sandbox_providers (
      tenant_id text NOT NULL REFERENCES tenants,
      provider  text NOT NULL CHECK (provider IN ('custodian', 'payments')),
      next      text NOT NULL CHECK (next IN ('fail', 'delay', 'succeed')),
      PRIMARY KEY (tenant_id, provider)
    );
    -- The sandbox providers' own memory: each call is answered once and for all by its id.
    CREATE TABLE sandbox_calls (
      tenant_id text NOT NULL REFERENCES tenants,
      call_id   text NOT NULL,
      outcome   text NOT NULL CHECK (outcome IN ('fail', 'succeed')),
      ready_at  timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, call_id)
    );

    -- Instants of the tenants' domain time at which something must be looked at.
    CREATE TABLE deadlines (
      tenant_id  text NOT NULL REFERENCES tenants,
      topic      text NOT NULL,
      subject_id text NOT NULL,
      due_at     timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, topic, subject_id)
    );
    CREATE INDEX deadlines_due ON deadlines (tenant_id, due_at);

    CREATE TABLE facilities (
      tenant_id             text NOT NULL,
      facility_id           text NOT NULL,
      borrower_id           text NOT NULL,
      state                 text NOT NULL
        CHECK (state IN ('PENDING', 'APPROVED', 'DECLINED', 'CLOSING', 'CLOSED')),
      limit_cents           numeric NOT NULL CHECK (limit_cents > 0 AND limit_cents < 1e20),
      rate_ppm              integer NOT NULL CHECK (rate_ppm BETWEEN 0 AND 1000000),
      custody_account       text,
      -- Balances in cents; each equals the fold of the journal.
      principal_cents       numeric NOT NULL DEFAULT 0
        CHECK (principal_cents >= 0 AND principal_cents < 1e20),
      reserved_cents        numeric NOT NULL DEFAULT 0
        CHECK (reserved_cents >= 0 AND reserved_cents < 1e20),
      interest_booked_cents numeric NOT NULL DEFAULT 0
        CHECK (interest_booked_cents >= interest_paid_cents AND interest_booked_cents < 1e20),
      interest_paid_cents   numeric NOT NULL DEFAULT 0 CHECK (interest_paid_cents >= 0),
      refund_due_cents      numeric NOT NULL DEFAULT 0
        CHECK (refund_due_cents >= 0 AND refund_due_cents < 1e20),
      -- All interest since the first draw, exact, up to accrued_at: see core/interest.ts.
      interest_numerator    numeric NOT NULL DEFAULT 0
        CHECK (interest_numerator >= 0 AND interest_numerator < 1e50),
      accrued_at            timestamptz NOT NULL,
      -- The floor that the custodian has acknowledged, and the number of the newest push.
      custodian_floor_cents numeric NOT NULL DEFAULT 0
        CHECK (custodian_floor_cents >= 0 AND custodian_floor_cents < 1e20),
      custodian_sequence    bigint NOT NULL DEFAULT 0,
      floor_sequence        bigint NOT NULL DEFAULT 0 CHECK (floor_sequence >= custodian_sequence),
      floor_pushed_cents    numeric NOT NULL DEFAULT 0
        CHECK (floor_pushed_cents >= 0 AND floor_pushed_cents < 1e20),
      decline_reasons       text[],
      close_reason          text CHECK (close_reason IN ('repaid', 'charged_off', 'cancelled')),
      created_at            timestamptz NOT NULL,
      updated_at            timestamptz NOT NULL,
      decisioned_at         timestamptz,
      closed_at             timestamptz,
      PRIMARY KEY (tenant_id, facility_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      CHECK (principal_cents + reserved_cents <= limit_cents),
      CHECK (state <> 'CLOSED' OR (close_reason IS NOT NULL AND closed_at IS NOT NULL)),
      CHECK (state <> 'CLOSED' OR (principal_cents = 0 AND reserved_cents = 0
             AND interest_booked_cents = interest_paid_cents)),
      CHECK ((state = 'DECLINED') = (decline_reasons IS NOT NULL))
    );
    CREATE UNIQUE INDEX facilities_one_live ON facilities (tenant_id, borrower_id)
      WHERE state IN ('PENDING', 'APPROVED', 'CLOSING');

    -- Every change of principal with the instant from which it counts: interest as of any instant
    -- follows from these alone.
    CREATE TABLE principal_movements (
      tenant_id    text NOT NULL,
      facility_id  text NOT NULL,
      source_id    text NOT NULL,
      part         smallint NOT NULL DEFAULT 1,
      effective_at timestamptz NOT NULL,
      delta_cents  numeric NOT NULL CHECK (delta_cents > -1e20 AND delta_cents < 1e20),
      PRIMARY KEY (tenant_id, facility_id, source_id, part),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );

    CREATE TABLE draws (
      tenant_id         text NOT NULL,
      draw_id           text NOT NULL,
      facility_id       text NOT NULL,
      status            text NOT NULL CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED')),
      asset             text NOT NULL,
      amount_units      numeric NOT NULL CHECK (amount_units > 0 AND amount_units < 1e40),
      -- What the draw adds to the debt, at the price of its request.
      debt_cents        numeric NOT NULL CHECK (debt_cents > 0 AND debt_cents < 1e20),
      destination       text NOT NULL,
      reference         text,
      failure_code      text,
      failure_retryable boolean,
      -- From here on only the payment's own answer decides.
      payout_sent_at    timestamptz,
      requested_at      timestamptz NOT NULL,
      completed_at      timestamptz,
      PRIMARY KEY (tenant_id, draw_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)),
      CHECK ((status = 'FAILED') = (failure_code IS NOT NULL))
    );
    CREATE INDEX draws_by_facility ON draws (tenant_id, facility_id, draw_id);

    CREATE TABLE repayments (
      tenant_id             text NOT NULL,
      repayment_id          text NOT NULL,
      facility_id           text NOT NULL,
      margin_warning_number integer,
      inferred              boolean NOT NULL DEFAULT false,
      status                text NOT NULL
        CHECK (status IN ('PENDING', 'REPORTED', 'APPLIED', 'FAILED')),
      asset                 text NOT NULL,
      amount_units          numeric NOT NULL CHECK (amount_units > 0 AND amount_units < 1e40),
      delivered_units       numeric CHECK (delivered_units > 0 AND delivered_units < 1e40),
      reference             text,
      confirmed_asset       text,
      confirmed_units       numeric CHECK (confirmed_units >= 0 AND confirmed_units < 1e40),
      -- What was confirmed, in cents at the price of its application, and where it went.
      interest_cents        numeric CHECK (interest_cents >= 0 AND interest_cents < 1e20),
      principal_cents       numeric CHECK (principal_cents >= 0 AND principal_cents < 1e20),
      refund_cents          numeric CHECK (refund_cents >= 0 AND refund_cents < 1e20),
      failure_code          text CHECK (failure_code IN
        ('expired', 'not_received', 'asset_mismatch', 'reported_failed')),
      requested_at          timestamptz NOT NULL,
      reported_at           timestamptz,
      applied_at            timestamptz,
      PRIMARY KEY (tenant_id, repayment_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'FAILED') = (failure_code IS NOT NULL)),
      CHECK ((status = 'APPLIED') = (applied_at IS NOT NULL)),
      CHECK (status NOT IN ('REPORTED', 'APPLIED') OR
             (reported_at IS NOT NULL AND reference IS NOT NULL AND delivered_units IS NOT NULL))
    );
    CREATE INDEX repayments_by_facility ON repayments (tenant_id, facility_id, repayment_id);
    -- An external transfer is reported once in a tenant's life.
    CREATE UNIQUE INDEX repayments_reference ON repayments (tenant_id, reference)
      WHERE reference IS NOT NULL;

    -- What is owed back and on its way: paid out once each, by its own id.
    CREATE TABLE refunds (
      tenant_id    text NOT NULL,
      refund_id    text NOT NULL,
      facility_id  text NOT NULL,
      -- The repayment or sale that it comes from.
      source_id    text NOT NULL,
      status       text NOT NULL CHECK (status IN ('PENDING', 'PAID')),
      asset        text NOT NULL,
      amount_units numeric NOT NULL CHECK (amount_units > 0 AND amount_units < 1e40),
      -- What of the facility's refund_due it settles; 0 where another asset is sent back as it came.
      cents        numeric NOT NULL CHECK (cents >= 0 AND cents < 1e20),
      destination  text NOT NULL,
      -- Payments that were refused; the next is ordered under a new id.
      refusals     integer NOT NULL DEFAULT 0,
      reference    text,
      created_at   timestamptz NOT NULL,
      paid_at      timestamptz,
      PRIMARY KEY (tenant_id, refund_id),
      UNIQUE (tenant_id, source_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'PAID') = (paid_at IS NOT NULL))
    );
    CREATE INDEX refunds_by_facility ON refunds (tenant_id, facility_id);

    CREATE FUNCTION is_balanced(assets text[], amounts numeric[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT cardinality(assets) = cardinality(amounts) AND cardinality(assets) >= 2
         AND NOT EXISTS (
           SELECT 1 FROM unnest(assets, amounts) AS posting (asset, amount)
           GROUP BY asset
           HAVING asset IS NULL OR sum(amount) <> 0
               OR bool_or(amount IS NULL OR amount = 0 OR abs(amount) >= 1e40))
    $$;

    -- One row an entry, its postings side by side, so that a row constraint can hold it to zero in
    -- each asset. Debits are positive. Entries are never altered: a mistake is booked back.
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
      PRIMARY KEY (tenant_id, facility_id, entry_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK (cardinality(accounts) = cardinality(assets) AND array_position(accounts, NULL) IS NULL),
      CONSTRAINT journal_balanced CHECK (is_balanced(assets, amounts))
    );
    CREATE FUNCTION refuse_alteration() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a journal entry is never altered; book a correction'; END $$;
    CREATE RULE journal_no_update AS ON UPDATE TO journal DO INSTEAD SELECT refuse_alteration();
    CREATE RULE journal_no_delete AS ON DELETE TO journal DO INSTEAD SELECT refuse_alteration();
  `)
    .execute(db)
}
