import { type Kysely, sql } from 'kysely'

/** Facilities, their draws, and what the custodian was asked about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE facilities (
      tenant_id                   text NOT NULL,
      facility_id                 text NOT NULL,
      -- The tenant's own.
      external_id                 text CHECK (external_id ~ '^[ -~]{1,100}$'),
      borrower_id                 text NOT NULL,
      state                       text NOT NULL
        CHECK (state IN ('PENDING', 'APPROVED', 'DECLINED', 'CLOSING', 'CLOSED')),
      limit_cents                 numeric NOT NULL CHECK (limit_cents > 0 AND limit_cents < 1e20),
      rate_ppm                    integer NOT NULL CHECK (rate_ppm BETWEEN 0 AND 1000000),
      custody_account             text,
      -- Balances in cents; each equals the fold of the journal.
      principal_cents             numeric NOT NULL DEFAULT 0
        CHECK (principal_cents >= 0 AND principal_cents < 1e20),
      reserved_cents              numeric NOT NULL DEFAULT 0
        CHECK (reserved_cents >= 0 AND reserved_cents < 1e20),
      interest_booked_cents       numeric NOT NULL DEFAULT 0
        CHECK (interest_booked_cents >= interest_paid_cents AND interest_booked_cents < 1e20),
      interest_paid_cents         numeric NOT NULL DEFAULT 0 CHECK (interest_paid_cents >= 0),
      refund_due_cents            numeric NOT NULL DEFAULT 0
        CHECK (refund_due_cents >= 0 AND refund_due_cents < 1e20),
      -- What was charged off, and what of it has been recovered since.
      charged_off_principal_cents numeric NOT NULL DEFAULT 0,
      charged_off_interest_cents  numeric NOT NULL DEFAULT 0,
      recovered_cents             numeric NOT NULL DEFAULT 0,
      -- All interest since the first draw, exact, up to accrued_at: see core/interest.ts.
      interest_numerator          numeric NOT NULL DEFAULT 0
        CHECK (interest_numerator >= 0 AND interest_numerator < 1e50),
      accrued_at                  timestamptz NOT NULL,
      -- The floor that the custodian has acknowledged, and the numbers of that push and of the newest.
      -- A release takes the next number, so that no late floor restores the lien.
      custodian_floor_cents       numeric NOT NULL DEFAULT 0
        CHECK (custodian_floor_cents >= 0 AND custodian_floor_cents < 1e20),
      custodian_sequence          bigint NOT NULL DEFAULT 0,
      floor_sequence              bigint NOT NULL DEFAULT 0
        CHECK (floor_sequence >= custodian_sequence),
      floor_pushed_cents          numeric NOT NULL DEFAULT 0
        CHECK (floor_pushed_cents >= 0 AND floor_pushed_cents < 1e20),
      floor_pushed_at             timestamptz,
      -- The highest early line of margin that it is above; and how many notices it has had.
      noticed_ltv_ppm             integer NOT NULL DEFAULT 0
        CHECK (noticed_ltv_ppm BETWEEN 0 AND 1000000),
      notices                     integer NOT NULL DEFAULT 0 CHECK (notices >= 0),
      decline_reasons             text[],
      close_reason                text CHECK (close_reason IN ('repaid', 'charged_off', 'cancelled')),
      created_at                  timestamptz NOT NULL,
      updated_at                  timestamptz NOT NULL,
      -- Of the last act: none that comes after it, under the facility's lock, is dated before it.
      acted_at                    timestamptz,
      decisioned_at               timestamptz,
      closed_at                   timestamptz,
      -- The last instant at which money of the facility becomes final.
      provisional_until           timestamptz,
      changed_at                  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, facility_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      -- A receipt confirmed late may move a cent of rounding from interest to principal.
      CONSTRAINT facilities_within_limit
        CHECK (principal_cents + reserved_cents <= limit_cents + 1),
      CONSTRAINT facilities_charged_off CHECK (
        charged_off_principal_cents >= 0 AND charged_off_principal_cents < 1e20
        AND charged_off_interest_cents >= 0 AND charged_off_interest_cents < 1e20),
      CONSTRAINT facilities_recovered CHECK (recovered_cents >= 0
        AND recovered_cents <= charged_off_principal_cents + charged_off_interest_cents),
      CONSTRAINT facilities_in_order CHECK (acted_at >= created_at AND decisioned_at >= created_at
        AND closed_at >= coalesce(decisioned_at, created_at)),
      CHECK (state <> 'CLOSED' OR (close_reason IS NOT NULL AND closed_at IS NOT NULL)),
      CHECK (state <> 'CLOSED' OR (principal_cents = 0 AND reserved_cents = 0
             AND interest_booked_cents = interest_paid_cents)),
      CHECK ((state = 'DECLINED') = (decline_reasons IS NOT NULL))
    );
    CREATE UNIQUE INDEX facilities_one_live ON facilities (tenant_id, borrower_id)
      WHERE state IN ('PENDING', 'APPROVED', 'CLOSING');
    CREATE INDEX facilities_by_borrower ON facilities (tenant_id, borrower_id, facility_id);
    CREATE INDEX facilities_by_state ON facilities (tenant_id, state, facility_id);
    CREATE INDEX facilities_between_states ON facilities (tenant_id, facility_id)
      WHERE state IN ('PENDING', 'CLOSING');
    CREATE INDEX facilities_waiting ON facilities (created_at, facility_id)
      WHERE state = 'PENDING';
    -- Interest is booked at the end of each month, for what has accrued longest first.
    CREATE INDEX facilities_accruing ON facilities (tenant_id, accrued_at)
      WHERE principal_cents > 0;
    -- Each draw asks what its borrower owes of debt that was charged off; few facilities end so.
    CREATE INDEX facilities_charged_off ON facilities (tenant_id, borrower_id)
      WHERE close_reason = 'charged_off';
    -- An application that led to no loan leaves its id free.
    CREATE UNIQUE INDEX facilities_external_id ON facilities (tenant_id, external_id)
      WHERE external_id IS NOT NULL AND state <> 'DECLINED'
        AND close_reason IS DISTINCT FROM 'cancelled';
    CREATE INDEX facilities_by_external_id ON facilities (external_id, tenant_id, facility_id)
      WHERE external_id IS NOT NULL;

    -- Every change of principal with the instant from which it counts: interest as of any instant
    -- follows from these alone.
    CREATE TABLE principal_movements (
      tenant_id    text NOT NULL,
      facility_id  text NOT NULL,
      source_id    text NOT NULL,
      part         smallint NOT NULL DEFAULT 1,
      effective_at timestamptz NOT NULL,
      delta_cents  numeric NOT NULL CHECK (delta_cents > -1e20 AND delta_cents < 1e20),
      written_at   timestamptz NOT NULL DEFAULT now(),
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
      changed_at        timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, draw_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)),
      CHECK ((status = 'FAILED') = (failure_code IS NOT NULL)),
      CONSTRAINT draws_in_order CHECK (payout_sent_at >= requested_at
        AND completed_at >= coalesce(payout_sent_at, requested_at))
    );
    CREATE INDEX draws_by_facility ON draws (tenant_id, facility_id, draw_id);
    CREATE INDEX draws_by_reference ON draws (tenant_id, reference) WHERE reference IS NOT NULL;
    CREATE INDEX draws_pending ON draws (tenant_id, draw_id) WHERE status = 'PENDING';

    CREATE TABLE position_inquiries (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      purpose     text NOT NULL
        CHECK (purpose IN ('application', 'reading', 'push', 'escalation', 'sale')),
      -- The newest question's. It rises with each, so that no two have the same.
      number      bigint NOT NULL CHECK (number > 0),
      -- What the answer is for: where this has changed, the answer comes too late.
      basis       text NOT NULL,
      -- In the tenant's time. Null once it was answered.
      asked_at    timestamptz,
      PRIMARY KEY (tenant_id, facility_id, purpose),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );
  `)
    .execute(db)
}
