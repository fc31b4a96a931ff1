import { type Kysely, sql } from 'kysely'

/** What borrowers hold, and the prices that it is valued at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The newest snapshot of each borrower's holdings; positions are {asset: units} in text.
    CREATE TABLE portfolios (
      tenant_id      text NOT NULL,
      borrower_id    text NOT NULL,
      as_of          bigint NOT NULL,
      digest         bytea NOT NULL CHECK (length(digest) = 32),
      positions      jsonb NOT NULL,
      received_at    timestamptz NOT NULL,
      -- Not evaluated since its positions changed.
      is_new         boolean NOT NULL DEFAULT false,
      -- Since when (domain time) these positions are pushed: an answer from before is about others.
      changed_at     timestamptz,
      -- Since when (domain time) the custodian is asked about it. Null: nothing depends on the answer.
      asked_since    timestamptz,
      -- Since when (domain time) the custodian is asked though nothing waits for the answer.
      checking_since timestamptz,
      -- What the custodian held when it was asked about these positions, and when (domain time).
      confirmed      jsonb,
      confirmed_at   timestamptz,
      -- Of each asset the least that was pushed since an answer, where the last push has more.
      least          jsonb,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      CHECK ((confirmed IS NULL) = (confirmed_at IS NULL))
    );

    -- A tenant without a row is of mode push.
    CREATE TABLE portfolio_sources (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      mode      text NOT NULL CHECK (mode IN ('push', 'custodian')),
      set_at    timestamptz NOT NULL
    );

    -- The latest reading of each borrower of tenants in mode custodian: units by asset.
    CREATE TABLE custodian_positions (
      tenant_id   text NOT NULL,
      borrower_id text NOT NULL,
      positions   jsonb NOT NULL,
      read_at     timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers
    ) WITH (
      -- Whole pages of readings are stored again every minute in one transaction: a page has room for
      -- the next version of each of its rows, so that no index is touched.
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000
    );

    -- The rounds in which prices were accepted: the stack's, not a tenant's. Prices are 10^-8 USD in
    -- text. prices is {asset: {price, at}}, those in force after the round, also where an earlier
    -- round accepted them; sources is {asset: [{source, price, at}]} of those accepted in it.
    CREATE TABLE price_rounds (
      accepted_at timestamptz PRIMARY KEY,
      prices      jsonb NOT NULL,
      sources     jsonb NOT NULL
    );
    -- One row: the last round that a worker has begun, {asset: {price, since}} of the jumps that wait
    -- to be confirmed, and until when one worker alone evaluates all facilities after a round.
    CREATE TABLE price_feed (
      only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      slot             bigint NOT NULL DEFAULT 0,
      candidates       jsonb NOT NULL DEFAULT '{}',
      evaluating_until timestamptz
    );
    INSERT INTO price_feed DEFAULT VALUES;
  `)
    .execute(db)
}
