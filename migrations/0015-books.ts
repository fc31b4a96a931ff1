import { type Kysely, sql } from 'kysely'

/** The chart of accounts, value dates, and the end of a month after which it takes no entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The instant from which an entry counts. Null in entries of the release before: booked_at then.
    ALTER TABLE journal ADD COLUMN value_at timestamptz;

    -- Accounts as the chart names them. An entry is never altered, so the names that the journal used
    -- before the chart are read as the accounts that took their place.
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
    CREATE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('close_month/' || NEW.tenant_id, 0));
      IF EXISTS (SELECT FROM closed_months WHERE tenant_id = NEW.tenant_id
                 AND month >= date_trunc('month', NEW.booked_at AT TIME ZONE 'UTC')) THEN
        RAISE EXCEPTION 'a closed month takes no entry: % is posted at %', NEW.entry_id, NEW.booked_at
          USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_month_open';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER journal_month_open BEFORE INSERT ON journal
      FOR EACH ROW EXECUTE FUNCTION refuse_closed_month();

    -- A receipt confirmed late may move a cent of rounding from interest to principal.
    ALTER TABLE facilities DROP CONSTRAINT facilities_check2,
      ADD CONSTRAINT facilities_within_limit
        CHECK (principal_cents + reserved_cents <= limit_cents + 1);

    -- Interest is booked at the end of each month, for what has accrued longest first.
    CREATE INDEX facilities_accruing ON facilities (tenant_id, accrued_at)
      WHERE principal_cents > 0;
    INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at)
    SELECT t.tenant_id, 'accrue-interest', t.tenant_id, 'tenant', 2,
      date_trunc('month', now() + t.clock_offset_ms * interval '1 ms', 'UTC') + interval '1 month'
    FROM tenants t
    WHERE EXISTS (SELECT FROM facilities f
                  WHERE f.tenant_id = t.tenant_id AND f.principal_cents > 0)
    ON CONFLICT DO NOTHING;
  `)
    .execute(db)
}
