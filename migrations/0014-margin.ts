import { type Kysely, sql } from 'kysely'

/** Margin warnings, and the calls and sales that follow them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE margin_warnings (
      tenant_id             text NOT NULL,
      facility_id           text NOT NULL,
      number                integer NOT NULL CHECK (number > 0),
      tier                  smallint NOT NULL CHECK (tier BETWEEN 1 AND 3),
      status                text NOT NULL CHECK (status IN ('OPEN', 'CURED', 'ESCALATED')),
      raised_at             timestamptz NOT NULL,
      ltv_at_raise          text NOT NULL,
      cure_deadline         timestamptz NOT NULL,
      -- The time that the warning's tier leaves, where it was found critical and has none left. Null
      -- where it is cure_deadline itself.
      window_deadline       timestamptz,
      -- By how much an outage has moved the deadline.
      extended_seconds      integer NOT NULL DEFAULT 0 CHECK (extended_seconds >= 0),
      -- Outages of the workers have moved the deadline up to this real time.
      outages_until         timestamptz NOT NULL DEFAULT now(),
      -- Since when (domain time) it could not be evaluated for lack of prices.
      unevaluated_since     timestamptz,
      -- The custodian's positions were in breach too: the warning is no mistake of a push.
      upheld                boolean NOT NULL DEFAULT false,
      cured_at              timestamptz,
      cured_by              text CHECK (cured_by IN ('repayment', 'collateral', 'price', 'correction')),
      escalated_at          timestamptz,
      -- What was asked when the warning ended.
      cure_amount_cents     numeric CHECK (cure_amount_cents >= 0 AND cure_amount_cents < 1e20),
      cure_collateral_cents numeric CHECK (cure_collateral_cents >= 0 AND cure_collateral_cents < 1e20),
      changed_at            timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, facility_id, number),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((status = 'CURED') = (cured_at IS NOT NULL AND cured_by IS NOT NULL)),
      CHECK ((status = 'ESCALATED') = (escalated_at IS NOT NULL)),
      CHECK (status = 'OPEN' OR (cure_amount_cents IS NOT NULL AND cure_collateral_cents IS NOT NULL)),
      CONSTRAINT margin_warnings_in_order
        CHECK (cured_at >= raised_at AND escalated_at >= raised_at)
    );
    CREATE UNIQUE INDEX margin_warnings_one_open ON margin_warnings (tenant_id, facility_id)
      WHERE status = 'OPEN';
    -- The lists of the margin desk, over all tenants and of one.
    CREATE INDEX margin_warnings_due ON margin_warnings (tier, cure_deadline, facility_id)
      WHERE status = 'OPEN';
    CREATE INDEX margin_warnings_due_of_tenant
      ON margin_warnings (tenant_id, tier, cure_deadline, facility_id) WHERE status = 'OPEN';

    CREATE TABLE margin_calls (
      tenant_id             text NOT NULL,
      facility_id           text NOT NULL,
      number                integer NOT NULL CHECK (number > 0),
      margin_warning_number integer NOT NULL,
      status                text NOT NULL CHECK (status IN ('PENDING', 'SELLING', 'COMPLETED')),
      planned               jsonb,
      -- What the call sells down to, fixed when it begins to sell. Null before.
      target_ltv_ppm        numeric CHECK (target_ltv_ppm > 0 AND target_ltv_ppm < 1000000),
      outcome               text CHECK (outcome IN ('partial', 'full', 'not_needed', 'deficit')),
      costs_cents           numeric NOT NULL DEFAULT 0 CHECK (costs_cents >= 0 AND costs_cents < 1e20),
      interest_cents        numeric NOT NULL DEFAULT 0 CHECK (interest_cents >= 0 AND interest_cents < 1e20),
      principal_cents       numeric NOT NULL DEFAULT 0 CHECK (principal_cents >= 0 AND principal_cents < 1e20),
      surplus_cents         numeric NOT NULL DEFAULT 0 CHECK (surplus_cents >= 0 AND surplus_cents < 1e20),
      deficit_cents         numeric NOT NULL DEFAULT 0 CHECK (deficit_cents >= 0 AND deficit_cents < 1e20),
      created_at            timestamptz NOT NULL,
      started_at            timestamptz,
      completed_at          timestamptz,
      changed_at            timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, facility_id, number),
      FOREIGN KEY (tenant_id, facility_id, margin_warning_number) REFERENCES margin_warnings,
      UNIQUE (tenant_id, facility_id, margin_warning_number),
      CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL AND outcome IS NOT NULL)),
      CHECK (status <> 'SELLING' OR started_at IS NOT NULL),
      CONSTRAINT margin_calls_in_order CHECK (started_at >= created_at
        AND completed_at >= coalesce(started_at, created_at))
    );
    CREATE UNIQUE INDEX margin_calls_one_live ON margin_calls (tenant_id, facility_id)
      WHERE status IN ('PENDING', 'SELLING');
    CREATE INDEX margin_calls_live ON margin_calls (created_at, facility_id, number)
      WHERE status IN ('PENDING', 'SELLING');
    CREATE INDEX margin_calls_live_of_tenant
      ON margin_calls (tenant_id, created_at, facility_id, number)
      WHERE status IN ('PENDING', 'SELLING');
    CREATE INDEX margin_calls_ended ON margin_calls (completed_at, facility_id, number)
      WHERE status = 'COMPLETED';
    CREATE INDEX margin_calls_ended_of_tenant
      ON margin_calls (tenant_id, completed_at, facility_id, number) WHERE status = 'COMPLETED';

    -- One order at the custodian each. A fill with an execution time after the as_of of the newest
    -- snapshot is not in that snapshot yet: it is taken off what counts.
    CREATE TABLE margin_sales (
      tenant_id       text NOT NULL,
      facility_id     text NOT NULL,
      call_number     integer NOT NULL,
      number          integer NOT NULL CHECK (number > 0),
      asset           text NOT NULL,
      ordered_units   numeric NOT NULL CHECK (ordered_units > 0 AND ordered_units < 1e40),
      in_kind         boolean NOT NULL,
      status          text NOT NULL CHECK (status IN ('ORDERED', 'FILLED', 'REFUSED')),
      -- May be more than was ordered: what the custodian has sold is booked.
      filled_units    numeric CHECK (filled_units >= 0 AND filled_units < 1e40),
      proceeds_cents  numeric CHECK (proceeds_cents >= 0 AND proceeds_cents < 1e20),
      costs_cents     numeric CHECK (costs_cents >= 0 AND costs_cents < 1e20),
      ordered_at      timestamptz NOT NULL,
      -- When the custodian accepted the order. Null: it may never have received it.
      acknowledged_at timestamptz,
      executed_at     timestamptz,
      changed_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, facility_id, call_number, number),
      FOREIGN KEY (tenant_id, facility_id, call_number) REFERENCES margin_calls,
      CHECK ((status = 'FILLED') = (executed_at IS NOT NULL AND filled_units IS NOT NULL)),
      CONSTRAINT margin_sales_in_order
        CHECK (acknowledged_at >= ordered_at AND executed_at >= ordered_at)
    );
    CREATE UNIQUE INDEX margin_sales_one_ordered ON margin_sales (tenant_id, facility_id)
      WHERE status = 'ORDERED';
  `)
    .execute(db)
}
