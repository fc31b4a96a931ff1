import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** What the payments provider and the custodian list, compared with the books day by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- How far each tenant has come. Days are those of the provider's time zone.
    CREATE TABLE reconciliations (
      tenant_id    text PRIMARY KEY REFERENCES tenants,
      first_day    text NOT NULL CHECK (first_day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      next_day     text NOT NULL CHECK (next_day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      time_zone    text NOT NULL,
      -- When the next day has ended, by the tenant's clock.
      due_at       timestamptz NOT NULL,
      -- By real time: one worker at a time.
      leased_until timestamptz
    );

    -- What the payments provider has listed: positive came in.
    CREATE TABLE listed_transfers (
      tenant_id   text NOT NULL REFERENCES tenants,
      transfer_id text NOT NULL,
      asset       text NOT NULL,
      units       numeric NOT NULL CHECK (units <> 0 AND abs(units) < 1e40),
      call_id     text,
      -- The transfer that this one takes back.
      returns     text,
      day         text NOT NULL CHECK (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      PRIMARY KEY (tenant_id, transfer_id)
    );
    CREATE INDEX listed_transfers_by_day ON listed_transfers (tenant_id, day);
    -- The first part of a call's id names what it is about.
    CREATE INDEX listed_transfers_by_call ON listed_transfers (tenant_id, split_part(call_id, '.', 1))
      WHERE call_id IS NOT NULL;
    CREATE INDEX listed_transfers_by_returned ON listed_transfers (tenant_id, returns)
      WHERE returns IS NOT NULL;

    -- Each day that was listed, with the balances at its end: units by asset.
    CREATE TABLE reconciled_days (
      tenant_id text NOT NULL REFERENCES tenants,
      day       text NOT NULL CHECK (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      balances  jsonb NOT NULL,
      -- Accounts that the custodian has listed; null for a day that had passed long before.
      accounts  integer CHECK (accounts >= 0),
      listed_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, day)
    );

    CREATE TABLE reconciliation_breaks (
      tenant_id   text NOT NULL REFERENCES tenants,
      break_id    text NOT NULL,
      kind        text NOT NULL
        CHECK (kind IN ('missing_here', 'missing_there', 'other_amount', 'other_day')),
      area        text NOT NULL CHECK (area IN ('bank', 'wallet', 'collateral')),
      -- A transfer of the provider, a movement of the books, or a facility with an asset of it.
      item_id     text NOT NULL,
      facility_id text,
      day         text NOT NULL CHECK (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      ours        jsonb,
      theirs      jsonb,
      -- By the tenant's clock, as the day is; what operators do, by real time.
      found_at    timestamptz NOT NULL,
      written_at  timestamptz NOT NULL,
      owner       text,
      taken_at    timestamptz,
      note        text,
      resolved_at timestamptz,
      resolved_by text,
      resolution  text,
      PRIMARY KEY (tenant_id, break_id),
      CONSTRAINT breaks_found_once UNIQUE (tenant_id, item_id, kind, day),
      CHECK ((owner IS NULL) = (taken_at IS NULL)),
      CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
      CHECK ((resolved_at IS NULL) = (resolution IS NULL))
    );
    CREATE INDEX breaks_open ON reconciliation_breaks (written_at, break_id)
      WHERE resolved_at IS NULL;
    CREATE INDEX breaks_open_of_tenant ON reconciliation_breaks (tenant_id, written_at, break_id)
      WHERE resolved_at IS NULL;
    CREATE INDEX breaks_by_time ON reconciliation_breaks (written_at, break_id);

    -- The sandbox provider's own books: what it has paid and received.
    CREATE TABLE sandbox_transfers (
      tenant_id   text NOT NULL REFERENCES tenants,
      transfer_id text NOT NULL,
      asset       text NOT NULL,
      units       numeric NOT NULL CHECK (units <> 0 AND abs(units) < 1e40),
      call_id     text,
      returns     text,
      booked_at   timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, transfer_id)
    );
    CREATE INDEX sandbox_transfers_by_time ON sandbox_transfers (tenant_id, booked_at);
    CREATE INDEX sandbox_transfers_by_call ON sandbox_transfers (tenant_id, split_part(call_id, '.', 1))
      WHERE call_id IS NOT NULL;
  `)
    .execute(db)
}
