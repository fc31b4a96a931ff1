import { type Kysely, sql } from 'kysely'

/** Callbacks of providers, and what the sandbox's own providers remember. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Accepted callbacks, so that the same one twice is one.
    CREATE TABLE provider_callbacks (
      tenant_id   text NOT NULL REFERENCES tenants,
      provider    text NOT NULL CHECK (provider IN ('kyc', 'custodian', 'payments')),
      callback_id text NOT NULL,
      received_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, provider, callback_id)
    );
    CREATE INDEX provider_callbacks_received ON provider_callbacks (received_at);

    -- What a tenant's tests have set, and from which instant of its domain time. Prices are 10^-8 USD;
    -- null is the market's price. The newest whose time has come holds.
    CREATE TABLE sandbox_price_history (
      tenant_id text NOT NULL REFERENCES tenants,
      asset     text NOT NULL,
      set_at    timestamptz NOT NULL,
      price     numeric CHECK (price > 0 AND price < 1e30),
      PRIMARY KEY (tenant_id, asset, set_at)
    );

    -- How a provider answers next.
    CREATE TABLE sandbox_providers (
      tenant_id text NOT NULL REFERENCES tenants,
      provider  text NOT NULL CHECK (provider IN ('custodian', 'payments')),
      next      text NOT NULL CHECK (next IN ('fail', 'delay', 'succeed')),
      PRIMARY KEY (tenant_id, provider)
    );

    -- The providers' memory: a repeated call gets the same answer, by its id.
    CREATE TABLE sandbox_calls (
      tenant_id text NOT NULL REFERENCES tenants,
      call_id   text NOT NULL,
      outcome   text NOT NULL CHECK (outcome IN ('fail', 'succeed')),
      ready_at  timestamptz NOT NULL,
      -- The answer, where it does not follow from the call itself.
      result    jsonb,
      -- Real time: ready_at is the tenant's own, which may be years ahead.
      called_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, call_id)
    );
    CREATE INDEX sandbox_calls_by_age ON sandbox_calls (called_at);

    -- What a tenant has its custodian hold for a borrower, whatever is pushed.
    CREATE TABLE sandbox_holdings (
      tenant_id    text NOT NULL,
      borrower_id  text NOT NULL,
      -- Null: what was pushed.
      positions    jsonb,
      -- How long after a question (domain time) it is answered.
      late_seconds integer NOT NULL CHECK (late_seconds >= 0),
      set_at       timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers
    );

    -- The custodian's memory: the newest floor that it received for each facility.
    CREATE TABLE sandbox_liens (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      sequence    bigint NOT NULL,
      -- Null once the lien is released.
      floor_cents numeric CHECK (floor_cents >= 0 AND floor_cents < 1e20),
      PRIMARY KEY (tenant_id, facility_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );

    -- Where a tenant's clock is going: at most one advance a tenant at a time.
    CREATE TABLE clock_advances (
      tenant_id  text PRIMARY KEY REFERENCES tenants,
      request    text NOT NULL,
      target     timestamptz NOT NULL,
      -- Real time up to which a request continues the advance by itself, and no worker does.
      held_until timestamptz
    );
  `)
    .execute(db)
}
