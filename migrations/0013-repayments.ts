import { type Kysely, sql } from 'kysely'

/** Repayments, the transfers that they were confirmed by, and refunds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE repayments (
      tenant_id             text NOT NULL,
      repayment_id          text NOT NULL,
      facility_id           text NOT NULL,
      margin_warning_number integer,
      inferred              boolean NOT NULL DEFAULT false,
      -- The repayment from whose suspense it was paid: without a report, reference or transfer.
      split_from            text,
      status                text NOT NULL
        CHECK (status IN ('PENDING', 'REPORTED', 'APPLIED', 'FAILED')),
      asset                 text NOT NULL,
      amount_units          numeric NOT NULL CHECK (amount_units > 0 AND amount_units < 1e40),
      delivered_units       numeric CHECK (delivered_units > 0 AND delivered_units < 1e40),
      -- As reported; repayment_references keeps references unique.
      reference             text,
      confirmed_asset       text,
      confirmed_units       numeric CHECK (confirmed_units >= 0 AND confirmed_units < 1e40),
      -- What was confirmed, in cents at the price of its application, and where it went.
      interest_cents        numeric CHECK (interest_cents >= 0 AND interest_cents < 1e20),
      principal_cents       numeric CHECK (principal_cents >= 0 AND principal_cents < 1e20),
      refund_cents          numeric CHECK (refund_cents >= 0 AND refund_cents < 1e20),
      -- Received beyond what was claimed, in the confirmed asset; the end is what operators decided.
      suspended_units       numeric NOT NULL DEFAULT 0
        CHECK (suspended_units >= 0 AND suspended_units < 1e40),
      suspense_end          text CHECK (suspense_end IN ('applied', 'returned')),
      -- Applied to a debt that was charged off.
      is_recovery           boolean NOT NULL DEFAULT false,
      failure_code          text CHECK (failure_code IN
        ('expired', 'not_received', 'asset_mismatch', 'reported_failed')),
      requested_at          timestamptz NOT NULL,
      reported_at           timestamptz,
      applied_at            timestamptz,
      -- From when what was received counts.
      value_at              timestamptz,
      -- Until then the money can be taken back.
      final_at              timestamptz,
      -- The transfer that the treasury answered with, which pays another repayment.
      contested_transfer    text CHECK (contested_transfer IS NULL OR status = 'REPORTED'),
      -- Since when an operator has to decide.
      undecided_since       timestamptz,
      -- The number under which the treasury is asked; it rises with each refusal.
      inquiry               integer NOT NULL DEFAULT 0,
      -- Time in which no worker ran to ask the treasury: a report holds that much longer. Up to
      -- outages_until (real time) outages are counted in it.
      hold_lost_ms          bigint NOT NULL DEFAULT 0 CHECK (hold_lost_ms >= 0),
      outages_until         timestamptz,
      changed_at            timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, repayment_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      FOREIGN KEY (tenant_id, split_from) REFERENCES repayments,
      CHECK ((status = 'FAILED') = (failure_code IS NOT NULL)),
      CHECK ((status = 'APPLIED') = (applied_at IS NOT NULL)),
      CHECK (suspended_units = 0 OR status = 'APPLIED'),
      CHECK (suspense_end IS NULL OR suspended_units > 0),
      CONSTRAINT repayments_undecided CHECK ((undecided_since IS NOT NULL) =
        (contested_transfer IS NOT NULL OR (suspended_units > 0 AND suspense_end IS NULL))),
      CONSTRAINT repayments_reported CHECK (status NOT IN ('REPORTED', 'APPLIED')
        OR (reported_at IS NOT NULL AND delivered_units IS NOT NULL
            AND (reference IS NULL) = (split_from IS NOT NULL))),
      CONSTRAINT repayments_in_order
        CHECK (applied_at >= requested_at AND applied_at >= reported_at)
    );
    CREATE INDEX repayments_by_facility ON repayments (tenant_id, facility_id, repayment_id);
    CREATE INDEX repayments_by_reference ON repayments
      (tenant_id, casefold(normalize(reference) COLLATE pg_unicode_fast))
      WHERE reference IS NOT NULL;
    CREATE INDEX repayments_reported ON repayments (tenant_id, facility_id, margin_warning_number)
      WHERE status = 'REPORTED';
    CREATE INDEX repayments_undecided_first ON repayments (undecided_since, repayment_id)
      WHERE undecided_since IS NOT NULL;
    CREATE UNIQUE INDEX repayments_split_once ON repayments (tenant_id, split_from)
      WHERE split_from IS NOT NULL;
    CREATE INDEX repayments_in_suspense ON repayments (tenant_id, facility_id)
      WHERE suspended_units > 0 AND suspense_end IS NULL;

    -- A reference that a repayment was once reported under stays its own, also after a later report.
    CREATE TABLE repayment_references (
      tenant_id    text NOT NULL,
      reference    text NOT NULL,
      repayment_id text NOT NULL,
      -- The form in which references are compared: see core/external-reference.ts.
      folded       text NOT NULL CHECK (folded IS NFC NORMALIZED),
      PRIMARY KEY (tenant_id, folded),
      FOREIGN KEY (tenant_id, repayment_id) REFERENCES repayments
    );

    -- A transfer is confirmed for one repayment of its tenant, whatever it was reported under.
    CREATE TABLE confirmed_transfers (
      tenant_id    text NOT NULL,
      -- The provider's own id of it, byte for byte.
      transfer_id  text NOT NULL,
      repayment_id text NOT NULL,
      written_at   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, transfer_id),
      UNIQUE (tenant_id, repayment_id),
      FOREIGN KEY (tenant_id, repayment_id) REFERENCES repayments
    );

    -- A transfer pays once in the stack, whichever tenant reports it. The one key that does not begin
    -- with the tenant: on a distributed database the rows are spread by the transfer. So there is no
    -- reference to the repayment; the audit compares the two.
    CREATE TABLE transfer_claims (
      transfer_id  text PRIMARY KEY,
      tenant_id    text NOT NULL,
      repayment_id text NOT NULL
    );
    CREATE INDEX transfer_claims_by_tenant ON transfer_claims (tenant_id);

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
      -- The refusals that there were when a payment was last ordered: while its answer is open, the
      -- destination must not change.
      ordered      integer CHECK (ordered <= refusals),
      reference    text,
      created_at   timestamptz NOT NULL,
      -- Not before: until then the money that it comes from can be taken back.
      payable_at   timestamptz,
      paid_at      timestamptz,
      changed_at   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, refund_id),
      UNIQUE (tenant_id, source_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'PAID') = (paid_at IS NOT NULL)),
      CONSTRAINT refunds_in_order CHECK (paid_at >= created_at)
    );
    CREATE INDEX refunds_by_facility ON refunds (tenant_id, facility_id);
    CREATE INDEX refunds_by_reference ON refunds (tenant_id, reference) WHERE reference IS NOT NULL;
    CREATE INDEX refunds_pending ON refunds (tenant_id, refund_id) WHERE status = 'PENDING';
    CREATE INDEX refunds_refused ON refunds (tenant_id, created_at)
      WHERE status = 'PENDING' AND refusals > 0;
    CREATE INDEX refunds_refused_first ON refunds (created_at, refund_id)
      WHERE status = 'PENDING' AND refusals > 0;

    CREATE TABLE refund_redirects (
      tenant_id        text NOT NULL,
      refund_id        text NOT NULL,
      number           integer NOT NULL CHECK (number > 0),
      from_destination text NOT NULL,
      to_destination   text NOT NULL,
      -- The first payment that goes to the new destination.
      refusals         integer NOT NULL CHECK (refusals > 0),
      reason           text NOT NULL,
      redirected_at    timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, refund_id, number),
      FOREIGN KEY (tenant_id, refund_id) REFERENCES refunds
    );
  `)
    .execute(db)
}
